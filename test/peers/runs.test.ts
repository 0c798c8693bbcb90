/* What people report of research agents: bills without an end, work that is lost, conversations that no provider takes any more. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createApp } from '../../src/index.ts'
import { callModel, defineTool, type Json } from '../../src/kernel/index.ts'
import {
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedReply,
  scriptTeam,
  startScriptedModel,
  type TeamScript,
} from '../../src/testing/index.ts'
import { completionBody } from '../../src/testing/scripted-completion.ts'
import { type Conversation, conversations } from '../history/conversations.ts'
import { damages } from '../history/damage.ts'
import { type ChatBody, compatibleChatRules } from '../history/openai-chat-rules.ts'
import { violations } from '../history/rule.ts'
import { useHttpModel } from '../kernel/http-model.ts'
import { useRuns } from '../kernel/runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-peers-'))
const sources = [join(folder, 'stones.md')]
const question = 'What is glimmerstone?'
const sentence = 'Glimmerstone melts at 412 degrees Celsius [1].'
let script = scriptTeam()
let server: ScriptedModel
beforeAll(async () => {
  writeFileSync(sources[0] as string, 'Glimmerstone melts at 412 degrees Celsius.')
  server = await startScriptedModel((seen) => script(seen))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})
const say = (said: TeamScript): void => {
  script = scriptTeam(said)
}

/** What an app over a home of this folder is made with; its model is behind HTTP. */
const optionsOf = (home: string, model = 'openai-compatible:scripted') => ({
  home: join(folder, home),
  models: { default: model },
  environment: { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none' },
})

/** The usage of an answer, as the service tells it. */
interface Billed {
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

describe('“it ran all night in a loop and cost me hundreds of dollars” (row 3)', () => {
  const price = { inputUsdPerMTok: 5, outputUsdPerMTok: 40 }
  const priced = { prices: { 'openai-compatible:scripted': price } }
  const steps = ['first', ...Array.from({ length: 7 }, (_, index) => `endless ${index}`)]
  /** Eight steps, four at once; the first is done at once, the others search without an end; no answer is ever good enough. */
  const endless: TeamScript = {
    planner: { json: { research_steps: steps, needs: steps.map(() => []), expert_steps: ['x'] } },
    researcher: (seen): ScriptedReply => {
      const isFirst = JSON.stringify(seen.body.messages).includes('Research this: first')
      return isFirst && seen.lastRole === 'tool'
        ? { json: { result: sentence } }
        : {
            toolCalls: ['glimmerstone', 'melts'].map((query) => {
              return { name: 'search_library', input: { query: `${query} ${seen.number}` } }
            }),
          }
    },
    critic_researcher: ({ lastText }) => ({
      json: lastText.includes(sentence)
        ? { decision: 'approve', feedback: '' }
        : { decision: 'reject', feedback: 'Again, and longer.' },
    }),
    critic_expert: { json: { decision: 'reject', feedback: 'Again.' } },
  }
  /** Lets the team say what it says, and counts what a service would bill for it, by the words that it sends. */
  const bill = (said: TeamScript) => {
    const bills: number[] = []
    say(said)
    const plain = script
    script = async (seen) => {
      const reply = await plain(seen)
      const { usage } = completionBody(seen, reply as ScriptedAnswer) as unknown as Billed
      bills.push((usage.prompt_tokens * 5 + usage.completion_tokens * 40) / 1e6)
      return reply
    }
    return () => bills.reduce((sum, each) => sum + each, 0)
  }

  it.each([0, 0.05, 0.4, 1.5])(
    'stops under a hard ceiling of $%d, agents at once included, with what was found by then',
    async (maxCostUsd) => {
      const billedUsd = bill(endless)
      const app = createApp({ ...optionsOf(`cost-${maxCostUsd}`), ...priced })
      const request = { question, sources, retryLimit: 1_000 }
      const answer = await app.ask(request, { limits: { maxCostUsd } })
      await app.close()
      expect(Math.max(0, billedUsd() - maxCostUsd)).toBe(0)
      expect(answer.costUsd).toBeCloseTo(billedUsd(), 9)
      expect(answer.stopReason).toBe('limit')
      const told = /^The limit on dollars was reached\. Used: /
      expect(answer.gaps.map(({ kind, detail }) => [kind, told.test(detail)])).toEqual([
        ['limit', true],
      ])
      if (maxCostUsd < 0.1) expect(answer).toMatchObject({ status: 'unanswered', citations: [] })
      else
        expect(answer).toMatchObject({
          status: 'partial',
          answer: sentence,
          citations: [{ n: 1 }],
          claims: [{ verdict: 'verbatim' }],
        })
    },
  )

  it('asks nothing under a ceiling in dollars where a price is not known, and never calls such a run free', async () => {
    say({})
    const before = server.requests.length
    const app = createApp(optionsOf('unpriced', 'openai-compatible:tomorrow-cloud'))
    const request = { question, sources }
    await expect(app.ask(request, { limits: { maxCostUsd: 100 } })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('the price of openai-compatible:tomorrow-cloud is unknown'),
    })
    expect(server.requests).toHaveLength(before)
    expect(await app.ask(request)).toMatchObject({ status: 'answered', costUsd: null })
    await app.close()
  })
})

describe('“it crashed after an hour and I had to pay for everything again” (row 4)', () => {
  const child = fileURLToPath(new URL('./asked-child.ts', import.meta.url))

  /** One process: what ended it, what it wrote, and the paid calls that the service answered meanwhile. */
  async function drive(order: object) {
    const before = server.requests.length
    const started = spawn(process.execPath, [child, JSON.stringify(order)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const written = Array.fromAsync(started.stdout, String)
    const [, signal] = await once(started, 'exit')
    const paid = server.requests.slice(before).map(({ bodyHash }) => bodyHash)
    return { signal, paid, answer: (await written).join('') }
  }
  /** All but the run's id and its times. */
  const comparable = (answer: string) => {
    const { runId: _runId, timings: _timings, ...rest } = JSON.parse(answer)
    return rest
  }

  it('continues after each of three kill −9, in another process, and makes no paid call again', async () => {
    const plan = { research_steps: ['one stone', 'two stones'], expert_steps: ['Answer.'] }
    const asked = { question, sources, sequential: true }
    say({ planner: { json: plan } })
    const clean = await drive({ ...optionsOf('clean'), asked })
    expect(comparable(clean.answer)).toMatchObject({ status: 'answered', citations: [{ n: 1 }] })

    const places = [':search_library/call', 'node.done ask/researcher[2]', 'ask/finalizer[1]']
    const paid: string[] = []
    for (const [index, killAt] of places.entries()) {
      const killed = await drive({ ...optionsOf('killed'), asked, killAt, resume: index > 0 })
      expect([killAt, killed.signal, killed.answer]).toEqual([killAt, 'SIGKILL', ''])
      paid.push(...killed.paid)
    }
    const last = await drive({ ...optionsOf('killed'), resume: true })
    expect(last.paid.length).toBeLessThan(clean.paid.length / 2)
    expect(comparable(last.answer)).toEqual(comparable(clean.answer))
    expect([...paid, ...last.paid]).toEqual(clean.paid)
  }, 60_000)
})

describe('“after a crash every message fails: tool_use without tool_result” (row 5)', () => {
  const current = useRuns()
  const model = useHttpModel()
  const search = defineTool({
    name: 'search',
    description: 'Searches.',
    input: z.object({ query: z.string() }),
    effect: 'read',
    execute: async () => null,
  })

  const withCalls = [
    'in text',
    'single',
    'parallel',
    'text after calls',
    'same ids in every turn',
    'interrupted',
  ]

  it.each(conversations.filter(({ name }) => withCalls.includes(name)))(
    'sends “$name”, cut or torn at any point, as a strict provider takes it',
    async ({ messages }: Conversation) => {
      const refused: string[] = []
      model.script = ({ body }) => {
        const broken = violations(compatibleChatRules, body as unknown as ChatBody)
        refused.push(...broken)
        return broken.length === 0 ? { text: 'Here it goes on.' } : { status: 400 }
      }
      const points = [...damages(messages)]
      const answers = await current().start(async (context) => {
        const said: Json[] = []
        for (const [index, point] of points.entries()) {
          const asked = { messages: point.messages, tools: [search] }
          const { finishReason } = await callModel(context, `cut ${index}`, model.binding(), asked)
          said.push(finishReason)
        }
        return said
      })
      expect(refused).toEqual([])
      expect(answers).toEqual(points.map(() => 'stop'))
      expect(points.length).toBeGreaterThan(100)
    },
  )
})
