import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Limits } from '../../src/kernel/index.ts'
import type { ModelRequestSeen } from '../../src/testing/index.ts'
import { createGate } from '../kernel/runs.ts'
import { type Asking, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const found = 'Glimmerstone melts at 412 degrees Celsius [1].'
const nothing = 'The work ended before anything was found.'

const limited = (limits: Limits, asking: Asking = {}) =>
  team.ask(question, { ...asking, execution: { limits } })

// A plain run: plan 1, its critic 2, research 3, search 4, research 5, its critic 6, answer 7, its critic 8, final answer 9.
describe('a limit of steps', () => {
  it.each([
    [0, 'unanswered', nothing],
    [1, 'unanswered', nothing],
    [3, 'unanswered', nothing],
    [7, 'unanswered', nothing],
    [8, 'partial', found],
    [9, 'partial', found],
  ])(
    'of %i ends the work with the best cited answer so far: %s',
    async (maxSteps, status, answer) => {
      const asked = await limited({ maxSteps })
      expect(asked.result).toMatchObject({ status, stopReason: 'limit', answer })
      expect(asked.result.gaps).toContainEqual({
        kind: 'limit',
        detail: expect.stringContaining('The limit on model and tool calls was reached.'),
      })
      expect(asked.result.citations.map(({ n }) => n)).toEqual(status === 'partial' ? [1] : [])
      expect(asked.result.claims.map(({ verdict }) => verdict)).toEqual(
        status === 'partial' ? ['verbatim'] : [],
      )
      expect(asked.result.reasoning).toContain('The limit on model and tool calls was reached.')
      expect(asked.requests.length).toBeLessThanOrEqual(maxSteps)
      const replay = await team.replay(asked.runId)
      expect(replay.result).toEqual(replay.recorded)
    },
  )

  it.each([10, 11, 50])('of %i is enough, the finalizer’s own included', async (maxSteps) => {
    const { result } = await limited({ maxSteps })
    expect(result).toMatchObject({ status: 'answered', stopReason: 'answered', answer: found })
  })

  it('leaves out what no critic has approved', async () => {
    const steps = {
      json: { research_steps: ['glimmerstone melts', 'the varnel bird'], expert_steps: ['x'] },
    }
    const asked = await limited({ maxSteps: 11 }, { team: { planner: steps } })
    expect(asked.state.research.results).toHaveLength(2)
    expect(asked.result).toMatchObject({ status: 'partial', answer: found })
  })

  it('counts retries like anything else', async () => {
    const rejecting = { json: { decision: 'reject', feedback: 'Again.' } }
    const { result } = await limited({ maxSteps: 9 }, { team: { critic_planner: rejecting } })
    expect(result).toMatchObject({ status: 'unanswered', stopReason: 'limit' })
  })
})

describe('other limits', () => {
  it('of tokens end the work before a call that could pass them', async () => {
    const asked = await limited({ maxTokens: 1_000 })
    expect(asked.result).toMatchObject({ status: 'unanswered', stopReason: 'limit' })
    expect(asked.requests).toHaveLength(0)
  })

  it('of dollars do so where prices are known', async () => {
    const prices = { 'openai-compatible:scripted': { inputUsdPerMTok: 10, outputUsdPerMTok: 10 } }
    const asked = await limited({ maxCostUsd: 0.05 }, { settings: { prices } })
    expect(asked.result.stopReason).toBe('limit')
    expect(asked.requests.length).toBeGreaterThan(0)
    expect(asked.requests.length).toBeLessThan(9)
  })

  it.each(['critic_planner', 'critic_researcher', 'critic_expert', 'finalizer'] as const)(
    'of time, used up at the %s, end the work, and what was found is still checked',
    async (role) => {
      const slow = () => {
        team.clock.advance(60_000)
        return role === 'finalizer'
          ? { json: { final_answer: found, final_reasoning_trace: '' } }
          : { json: { decision: 'approve', feedback: '' } }
      }
      const { result } = await limited({ maxWallMs: 30_000 }, { team: { [role]: slow } })
      const isFound = role !== 'critic_planner'
      expect(result).toMatchObject({
        answer: isFound ? found : nothing,
        status:
          { critic_planner: 'unanswered', finalizer: 'answered' }[role as string] ?? 'partial',
        coverage: { verbatim: isFound ? 1 : 0 },
      })
    },
  )
})

describe('a person who wants the answer so far', () => {
  it.each(['planner', 'critic_planner', 'expert', 'critic_expert', 'finalizer'] as const)(
    'gets what critics have approved while the %s is still at work, and a replay gets the same',
    async (role) => {
      const finish = new AbortController()
      const silent = () => {
        finish.abort()
        return { hang: true } as const
      }
      const asked = await team.ask(question, {
        team: { [role]: silent },
        execution: { finish: finish.signal },
      })
      const isFound = !role.endsWith('planner')
      expect(asked.result).toMatchObject({
        status: isFound ? 'partial' : 'unanswered',
        stopReason: 'ended_early',
        answer: isFound ? found : nothing,
        coverage: { verbatim: isFound ? 1 : 0 },
      })
      expect(asked.result.gaps).toContainEqual({
        kind: 'limit',
        detail: expect.stringContaining('The answer was requested before the work was done.'),
      })
      const replay = await team.replay(asked.runId)
      expect(replay.result).toEqual(replay.recorded)
    },
  )

  it('gets it from parallel branches, one of which waits for what the other has reserved', async () => {
    const finish = new AbortController()
    const steps = {
      json: { research_steps: ['glimmerstone melts', 'the varnel bird'], expert_steps: ['x'] },
    }
    let isFirst = true
    const researcher = () => {
      if (isFirst) setTimeout(() => finish.abort(), 50)
      isFirst = false
      return { hang: true } as const
    }
    const { result, requests } = await team.ask(question, {
      team: { planner: steps, researcher },
      execution: { finish: finish.signal, limits: { maxSteps: 5 } },
    })
    expect(result).toMatchObject({ status: 'unanswered', stopReason: 'ended_early' })
    expect(requests.length).toBeLessThanOrEqual(9)
  })
})

describe('a limit of dollars, with a model whose answers may be long', () => {
  const asPriced = (inputUsdPerMTok: number, outputUsdPerMTok: number): Asking => ({
    settings: { prices: { 'openai-compatible:scripted': { inputUsdPerMTok, outputUsdPerMTok } } },
    schedule: (models) => ({
      forRole: (role) => ({ ...models.forRole(role), sizes: { outputTokens: 128_000 } }),
    }),
  })
  const caps = ({ requests }: { requests: readonly ModelRequestSeen[] }) =>
    requests.map(({ body }) => Number(body.max_tokens))

  it.each([
    ['as GPT-5', 1.25, 10],
    ['as Claude Opus', 5, 25],
  ])('of $0.50 leaves room for the answer, at a price %s', async (_whose, input, output) => {
    const asked = await limited({ maxCostUsd: 0.5 }, asPriced(input, output))
    expect(asked.result).toMatchObject({ status: 'answered', answer: found })
    for (const cap of caps(asked)) {
      expect(cap).toBeGreaterThanOrEqual(4_096)
      expect(cap).toBeLessThan(128_000)
    }
  })

  it('lets four steps work at once, as many as with short answers', async () => {
    const steps = ['one', 'two', 'three', 'four'].map((which) => `glimmerstone melts ${which}`)
    let waiting = 0
    const all = createGate()
    const planner = { json: { research_steps: steps, expert_steps: ['Answer.'] } }
    const researcher = async ({ lastRole }: ModelRequestSeen) => {
      if (lastRole === 'tool') return { json: { result: found } }
      if (++waiting === steps.length) all.open()
      // Nobody goes on before all four have asked.
      await all.opened
      return { toolCalls: [{ name: 'search_library', input: { query: 'glimmerstone' } }] }
    }
    const asking = { ...asPriced(0.25, 1.25), sequential: false, team: { planner, researcher } }
    const asked = await limited({ maxCostUsd: 0.5 }, asking)
    expect(asked.result.status).toBe('answered')
    expect(waiting).toBe(steps.length)
    expect(Math.min(...caps(asked))).toBeGreaterThan(4_096)
  })
})
