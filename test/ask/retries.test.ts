import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Worker } from '../../src/ask/state.ts'
import type { ScriptedReply, ScriptedRole, TeamScript } from '../../src/testing/index.ts'
import { requestsOf, statesOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const workers: readonly Worker[] = ['planner', 'researcher', 'expert']
const over = 'The question could not be answered.'
const reject: ScriptedReply = { json: { decision: 'reject', feedback: 'Not yet.' } }
const approve: ScriptedReply = { json: { decision: 'approve', feedback: '' } }

/** A critic that rejects so many times, then approves. */
const rejecting =
  (times: number) =>
  (_seen: unknown, call: number): ScriptedReply =>
    call <= times ? reject : approve

const critics = (script: Partial<Record<Worker, number>>): TeamScript =>
  Object.fromEntries(
    Object.entries(script).map(([worker, times]) => [`critic_${worker}`, rejecting(times)]),
  )

describe('rejections', () => {
  it.each(workers)('of the %s are fixed up to the fourth', async (worker) => {
    const asked = await team.ask(question, { team: critics({ [worker]: 4 }) })
    expect(asked.result).toMatchObject({
      status: 'answered',
      answer: 'Glimmerstone melts at 412 degrees Celsius [1].',
    })
    expect(asked.result.retries).toEqual({ planner: 0, researcher: 0, expert: 0, [worker]: 4 })
    expect(asked.state.control.rejectionCount).toBe(4)
    expect(requestsOf(asked, `critic_${worker}`)).toHaveLength(5)
  })

  it.each(workers)('of the %s end the work at the fifth', async (worker) => {
    const asked = await team.ask(question, { team: critics({ [worker]: 99 }) })
    expect(asked.result).toMatchObject({
      status: 'unanswered',
      stopReason: 'retry_limit',
      answer: over,
      reasoning: over,
      citations: [],
      claims: [],
    })
    expect(asked.result.retries[worker]).toBe(5)
    expect(requestsOf(asked, `critic_${worker}`)).toHaveLength(5)
    expect(requestsOf(asked, 'finalizer')).toHaveLength(0)
    expect(asked.state.control.messages.at(-1)?.meta?.sender).toBe('finalizer')
  })

  it('of all roles count together', async () => {
    const mended = { planner: 2, researcher: 1, expert: 1 }
    const four = await team.ask(question, { team: critics(mended) })
    expect(four.result).toMatchObject({ status: 'answered', retries: mended })
    const five = await team.ask(question, { team: critics({ ...mended, expert: 2 }) })
    expect(five.result).toMatchObject({
      stopReason: 'retry_limit',
      retries: { ...mended, expert: 2 },
    })
  })

  it('of different research steps count together, and the approved results before stay', async () => {
    const steps = {
      json: { research_steps: ['glimmerstone', 'varnel'], expert_steps: ['Answer.'] },
    }
    const asked = await team.ask(question, {
      team: {
        planner: steps,
        critic_researcher: (_seen, call) => (call === 3 || call >= 6 ? approve : reject),
      },
    })
    expect(asked.result).toMatchObject({ status: 'answered', retries: { researcher: 4 } })
    expect(asked.state.research.results.map(({ request }) => request)).toEqual([
      'glimmerstone',
      'varnel',
    ])
  })

  it('are never more than the limit in any state, and the work always ends', async () => {
    for (const limit of [0, 1, 2, 7]) {
      const always = critics({ planner: 99, researcher: 99, expert: 99 })
      const { events, result } = await team.ask(question, { team: always, retryLimit: limit })
      const counts = statesOf(events).map(({ state }) => state.control.rejectionCount)
      expect(Math.max(...counts)).toBe(Math.max(1, limit))
      expect(result.stopReason).toBe('retry_limit')
    }
  })

  it('end the work at once with limit 0, while approval never does', async () => {
    const none = await team.ask(question, { retryLimit: 0 })
    expect(none.result.status).toBe('answered')
    const one = await team.ask(question, { retryLimit: 0, team: critics({ expert: 1 }) })
    expect(one.result).toMatchObject({ answer: over, retries: { expert: 1 } })
  })

  it('of one role end the work at that role’s own limit', async () => {
    const script = critics({ planner: 2, expert: 2 })
    const free = await team.ask(question, { team: script, retryLimits: { expert: 3 } })
    expect(free.result.status).toBe('answered')
    const bound = await team.ask(question, { team: script, retryLimits: { expert: 2 } })
    expect(bound.result).toMatchObject({
      answer: over,
      retries: { planner: 2, researcher: 0, expert: 2 },
    })
  })
})

describe('an answer without form', () => {
  const formless: ScriptedReply = { text: 'I would rather talk about the weather.' }
  const formlessFor =
    (times: number, then: ScriptedReply) =>
    (_seen: unknown, call: number): ScriptedReply =>
      call <= times ? formless : then
  const plan = { json: { research_steps: [question], expert_steps: ['Answer.'] } }
  const result = { json: { result: 'Glimmerstone melts at 412 degrees Celsius.' } }
  const answer = { json: { expert_answer: 'The sources do not say.', reasoning_trace: '' } }

  it.each<[Worker, ScriptedReply]>([
    ['planner', plan],
    ['researcher', result],
    ['expert', answer],
  ])('of the %s is asked for once more, and then is fine', async (worker, then) => {
    const asked = await team.ask(question, { team: { [worker]: formlessFor(1, then) } })
    expect(asked.state.control.error).toBeNull()
    expect(asked.state.control.rejectionCount).toBe(0)
    expect(requestsOf(asked, worker)).toHaveLength(2)
    expect(requestsOf(asked, worker)[1]?.lastText).toMatch(/nothing else\.$/)
  })

  it.each<[Worker, ScriptedReply]>([
    ['planner', plan],
    ['researcher', result],
    ['expert', answer],
  ])('of the %s, twice, is a rejection: the same role tries again', async (worker, then) => {
    const asked = await team.ask(question, { team: { [worker]: formlessFor(2, then) } })
    expect(asked.state.control.error).toBeNull()
    expect(asked.result.retries[worker]).toBe(1)
    expect(requestsOf(asked, worker)).toHaveLength(3)
    const notice = asked.events.find(({ type }) => type === 'notice')
    expect(notice?.data).toMatchObject({
      level: 'error',
      text: expect.stringContaining(`${worker}: `),
    })
  })

  it('that never gets one ends the work at the limit', async () => {
    const asked = await team.ask(question, { team: { planner: formless } })
    expect(asked.result).toMatchObject({ answer: over, retries: { planner: 5 } })
    expect(asked.result.gaps).toMatchObject([
      {
        kind: 'error',
        detail: expect.stringMatching(/^The last answer of the planner could not be used: .+/),
      },
    ])
    expect(requestsOf(asked, 'planner')).toHaveLength(10)
  })

  it.each([
    ['steps that are no list', { research_steps: 'look it up', expert_steps: ['x'] }],
    ['a step that is no text', { research_steps: [1], expert_steps: ['x'] }],
    ['a step that is empty', { research_steps: ['  '], expert_steps: ['x'] }],
    ['a part missing', { research_steps: [question] }],
  ])('is a plan with %s', async (_what, json) => {
    const asked = await team.ask(question, {
      team: { planner: (_seen, call) => (call === 1 ? { json } : plan) },
    })
    expect(requestsOf(asked, 'planner')).toHaveLength(2)
    expect(asked.result.status).toBe('answered')
  })

  it('of a critic is asked for once more, then counts as a rejection', async () => {
    const once = await team.ask(question, { team: { critic_expert: formlessFor(1, approve) } })
    expect(once.result).toMatchObject({ status: 'answered', retries: { expert: 0 } })
    const twice = await team.ask(question, { team: { critic_expert: formlessFor(2, approve) } })
    expect(twice.result).toMatchObject({ status: 'answered', retries: { expert: 1 } })
    const roles: ScriptedRole[] = ['critic_expert', 'expert']
    expect(roles.map((role) => requestsOf(twice, role).length)).toEqual([3, 2])
    expect(requestsOf(twice, 'expert')[1]?.lastText).toContain('The critique had no usable form')
  })

  it('of the finalizer, twice, leaves the approved answer, checked', async () => {
    const asked = await team.ask(question, { team: { finalizer: formless } })
    expect(asked.state).toMatchObject({ control: { errorComponent: 'finalizer' } })
    expect(asked.result).toMatchObject({
      status: 'partial',
      stopReason: 'error',
      answer: 'Glimmerstone melts at 412 degrees Celsius [1].',
      citations: [{ n: 1, title: 'Glimmerstone' }],
      claims: [{ verdict: 'verbatim' }],
    })
  })
})
