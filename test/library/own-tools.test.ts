import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type AppOptions, createApp, defineTool } from '../../src/index.ts'
import {
  plainReply,
  type ScriptedModel,
  scriptTeam,
  startScriptedModel,
} from '../../src/testing/index.ts'
import { useHome } from './home.ts'

const open = useHome()

/** The records of a greenhouse, counted. */
const records = { calls: 0 }
const lookUp = defineTool({
  name: 'look_up_plant',
  description: 'The record of a plant in the greenhouse.',
  input: z.object({ plant: z.string() }),
  effect: 'read',
  execute: async ({ plant }) => {
    records.calls++
    return `The ${plant} in the greenhouse was planted in 1987.`
  },
})

/** A team whose researcher looks a plant up, and repeats what stands under the first number that it is shown. */
let model: ScriptedModel
beforeAll(async () => {
  model = await startScriptedModel(
    scriptTeam({
      researcher: (seen) =>
        seen.lastRole === 'tool'
          ? plainReply('researcher', seen)
          : { toolCalls: [{ name: 'look_up_plant', input: { plant: 'fern' } }] },
    }),
  )
})
afterAll(() => model.close())

const options = (): AppOptions => ({
  environment: { OPENAI_BASE_URL: model.url },
  models: { default: 'openai-compatible:scripted' },
})
const question = 'When was the fern planted?'

describe('your own tool in a question', () => {
  it('is called by researchers, and what it gives is a source that is cited and checked', async () => {
    const app = open(options())
    const answer = await app.ask({ question, tools: [lookUp] })
    expect(answer.answer).toContain('The fern in the greenhouse was planted in 1987')
    expect(answer.citations).toMatchObject([
      {
        n: 1,
        title: 'look_up_plant({"plant":"fern"})',
        csl: { note: 'Given by the tool look_up_plant.' },
      },
    ])
    expect(answer.claims).toMatchObject([{ citations: [1], verdict: 'verbatim' }])
    const calls = records.calls
    const other = createApp({ home: app.home.path, environment: {}, onWarning: () => {} })
    expect(await other.replay(answer.runId)).toMatchObject({ isIdentical: true })
    await other.close()
    expect(records.calls).toBe(calls)
  })

  it('is needed again to resume the run, which says so', async () => {
    const app = open(options())
    let runId = ''
    for await (const event of app.stream('ask', { question, tools: [lookUp] })) {
      if ('runId' in event) runId = event.runId
      if (event.type === 'node.done' && event.data.node === 'planner') break
    }
    await expect(app.resume(runId)).rejects.toMatchObject({
      code: 'invalid_input',
      message: `Run ${runId} uses tools of its program: look_up_plant.`,
    })
    const resumed = await app.resume(runId, { tools: [lookUp] })
    expect(resumed.status).toBe('answered')
  })

  it('is refused where it may change something, or has the name of another', async () => {
    const app = open(options())
    const write = { ...lookUp, effect: 'write' as const }
    await expect(app.ask({ question, tools: [write] })).rejects.toThrow('a question only reads')
    const answer = await app.ask({ question, tools: [lookUp, lookUp] })
    expect(answer).toMatchObject({ status: 'failed' })
    expect(answer.error?.message).toContain('two tools named "look_up_plant"')
  })
})
