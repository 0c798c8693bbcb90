import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type App, defineWorkflow, type NodeVisit, type RunGraph } from '../../src/index.ts'
import { TokenFile } from '../../src/server/tokens.ts'
import { HeldModel, question, ServedApp } from './served-app.ts'

const ask = { workflow: 'ask', question, approvePlan: true }
const scripted = 'openai-compatible:scripted'
const held = new HeldModel()
let served: ServedApp
let app: App
beforeAll(() => held.start())
afterAll(() => held.model?.close())
beforeEach(async () => {
  served = new ServedApp()
  app = await served.start({}, { ...held.options, workflows: [poll] })
})
afterEach(async () => {
  held.letGo()
  await served.close()
})

/** A workflow that asks two people. */
const poll = defineWorkflow({
  name: 'poll',
  input: z.object({}),
  output: z.object({ votes: z.array(z.string()) }),
  run: async (context) => {
    const first = await context.ask('first', { text: 'Yes?' })
    return { votes: [String(first), String(await context.ask('second', { text: 'No?' }))] }
  },
})

const post = (runId: string, does: string, body?: object) =>
  served.call('post', `/api/runs/${runId}/${does}`, body)

async function startHeld(): Promise<string> {
  held.hold()
  return (await served.call('post', '/api/runs', { workflow: 'ask', question })).body.runId
}

describe('a run that waits', () => {
  it('shows its plan, takes another one or a refusal, and continues', async () => {
    const { body } = await served.finish(ask)
    expect(body).toMatchObject({
      status: 'waiting',
      question: { key: expect.stringContaining('approv'), prompt: { kind: 'plan' } },
    })
    expect(body.result).toBeUndefined()
    const answered = await post(body.runId, 'answer', { answer: 'approve', key: body.question.key })
    expect(answered.status).toBe(202)
    expect((await served.ended(body.runId)).body.result.answer).toContain('412')
    expect((await post(body.runId, 'answer', { answer: 'approve' })).status).toBe(409)
  })

  it('waits again where it asks something else', async () => {
    await app.run(poll, {}).catch(() => {})
    const [{ runId = '' } = {}] = await app.listRuns({ limit: 1 })
    expect((await served.call('get', `/api/runs/${runId}`)).body.question.prompt).toMatchObject({
      text: 'Yes?',
    })
    await post(runId, 'answer', { answer: 'aye' })
    const { body } = await served.ended(runId)
    expect(body).toMatchObject({ status: 'waiting', question: { prompt: { text: 'No?' } } })
    const stale = await post(runId, 'answer', { answer: 'aye', key: 'poll/first' })
    expect(stale.status).toBe(409)
    await post(runId, 'answer', { answer: 'nay' })
    expect((await served.ended(runId)).body.result.output).toEqual({ votes: ['aye', 'nay'] })
  })

  it.each([{}, { answer: null }, { answer: 'yes', grants: ['web'] }])(
    'is not answered by %o',
    async (body) => {
      const { runId } = (await served.finish(ask)).body
      expect((await post(runId, 'answer', body)).status).toBe(400)
      expect((await served.call('get', `/api/runs/${runId}`)).body.status).toBe('waiting')
    },
  )
})

describe('a run that is to end with what it has', () => {
  it('asks nothing more, and can be ended while it waits', async () => {
    const { body } = await served.finish(ask)
    const finished = await post(body.runId, 'finish')
    expect(finished).toMatchObject({
      status: 200,
      body: { status: 'unanswered', result: { stopReason: 'ended_early' } },
    })
    expect((await post(body.runId, 'replay')).body.isIdentical).toBe(true)
  })

  it('takes no turn', async () => {
    held.hold()
    const ids: string[] = []
    for (let index = 0; index < 5; index++)
      ids.push((await served.call('post', '/api/runs', { workflow: 'ask', question })).body.runId)
    const last = ids.at(-1) ?? ''
    expect((await served.call('get', `/api/runs/${last}`)).body.queue).toBe(1)
    expect((await post(last, 'finish')).body.result.stopReason).toBe('ended_early')
    expect((await served.call('get', `/api/runs/${ids[0]}`)).body.status).toBe('running')
  })
})

describe('the graph of a run', () => {
  const graphOf = async (runId: string): Promise<RunGraph> =>
    (await served.call('get', `/api/runs/${runId}/graph`)).body

  it('has the way that was taken, without what a resumed run repeated', async () => {
    const { runId } = (await served.finish({ workflow: 'ask', question })).body
    const { start, nodes, edges, way } = await graphOf(runId)
    const names = way.map(({ node }: NodeVisit) => node)
    expect([start, names[0], names.at(-1)]).toEqual(['input', 'input', 'verify'])
    expect(nodes.find(({ name }) => name === 'approval')?.visits).toBe(0)
    const taken = edges.reduce((sum, edge) => sum + edge.taken, 0)
    expect(taken).toBe(way.length)
    expect(way.map(({ key }) => key)).toContain('ask/planner[1]')
  })

  it('of a workflow without a drawing is the way alone', async () => {
    await app.run(poll, {}).catch(() => {})
    const [{ runId = '' } = {}] = await app.listRuns({ limit: 1 })
    expect(await graphOf(runId)).toMatchObject({ workflow: 'poll', nodes: [], way: [] })
  })
})

describe('a run that is executed', () => {
  it('ends on request with what it has', async () => {
    const runId = await startHeld()
    const { status, body } = await post(runId, 'finish')
    expect(status).toBe(200)
    expect(body.result.stopReason).toBe('ended_early')
    for (const does of ['finish', 'cancel', 'resume'])
      expect(await post(runId, does)).toMatchObject({
        status: 409,
        body: {
          error: { code: 'conflict', message: expect.stringContaining('has ended: unanswered') },
        },
      })
  })

  it('can be interrupted and resumed, by one request at a time', async () => {
    const runId = await startHeld()
    await post(runId, 'cancel')
    expect((await post(runId, 'resume', { limits: { maxSteps: 100 } })).status).toBe(202)
    expect((await post(runId, 'resume')).status).toBe(409)
    held.letGo()
    expect((await served.ended(runId)).body.status).toBe('answered')
    expect((await post(runId, 'resume')).status).toBe(409)
  })

  it('can be ended after it was interrupted', async () => {
    const runId = await startHeld()
    await post(runId, 'cancel')
    const { body } = await post(runId, 'finish')
    expect(body.result.stopReason).toBe('ended_early')
  })

  it('is not deleted', async () => {
    const runId = await startHeld()
    expect((await served.call('delete', `/api/runs/${runId}`)).status).toBe(409)
  })
})

describe('a run that has ended', () => {
  it('is replayed, forked and deleted', async () => {
    const { runId } = (await served.finish({ workflow: 'ask', question })).body
    expect((await post(runId, 'replay')).body).toMatchObject({ runId, isIdentical: true })
    const forked = await post(runId, 'fork', { at: 'expert[1]' })
    expect(forked).toMatchObject({ status: 202, body: { parent: { runId } } })
    const fork = (await served.ended(forked.body.runId)).body
    expect(fork.status).toBe('answered')
    expect((await served.call('delete', `/api/runs/${runId}`)).status).toBe(409)
    expect((await served.call('delete', `/api/runs/${fork.runId}`)).status).toBe(204)
    expect((await served.call('delete', `/api/runs/${runId}`)).status).toBe(204)
    expect((await served.call('get', `/api/runs/${runId}`)).status).toBe(404)
    expect((await post(runId, 'fork', {})).status).toBe(404)
  })

  it('is forked only where it has a step, and never with changed rights', async () => {
    const { runId } = (await served.finish({ workflow: 'ask', question })).body
    expect((await post(runId, 'fork', { at: 'nowhere[7]' })).status).toBe(400)
    const change = { changes: [{ path: 'question.files', value: ['/etc/passwd'] }] }
    expect((await post(runId, 'fork', change)).status).toBe(403)
    for (const path of ['question.mcp', 'question.web', 'research.citations', 'plan', 'questions'])
      expect(
        (await post(runId, 'fork', { changes: [{ path, value: 1 }] })).status,
      ).toBeGreaterThanOrEqual(400)
    for (const model of ['/etc/passwd', 'ollama:a b', 'http://evil.example/v1'])
      expect(
        (await post(runId, 'fork', { models: { default: model } })).status,
      ).toBeGreaterThanOrEqual(400)
    expect((await post(runId, 'fork', { models: { secret: 'extractive' } })).status).toBe(400)
    expect(await app.listRuns()).toHaveLength(1)
  })

  it('is forked with another plan, and by admins with other models', async () => {
    const { runId } = (await served.finish({ workflow: 'ask', question })).body
    const forked = await post(runId, 'fork', {
      at: 'researcher[1]',
      changes: [{ path: 'plan.researchSteps', value: ['How hot is glimmerstone?'] }],
      models: { expert: 'extractive' },
    })
    expect(forked.status).toBe(202)
    const { body } = await served.ended(forked.body.runId)
    expect(body.result.plan.researchSteps).toEqual(['How hot is glimmerstone?'])
    expect(body.result.models).toMatchObject({ expert: 'extractive', planner: scripted })
    const mine = new TokenFile(app.home.path).add('ada', 'run')
    const asked = await served.call('post', '/api/runs', { workflow: 'ask', question }, mine)
    const own = asked.body.runId
    await served.ended(own)
    const fork = (model: string) =>
      served.call('post', `/api/runs/${own}/fork`, { models: { default: model } }, mine)
    expect((await fork('openai:gpt-5')).status).toBe(403)
    expect((await fork(scripted)).status).toBe(202)
  })
})
