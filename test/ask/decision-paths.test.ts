import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Worker } from '../../src/ask/state.ts'
import type { ScriptedReply, TeamScript } from '../../src/testing/index.ts'
import { type Asked, messagesOf, requestsOf, statesOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const over = 'The question could not be answered.'
const workers: readonly Worker[] = ['planner', 'researcher', 'expert']
const reject = (feedback: string): ScriptedReply => ({ json: { decision: 'reject', feedback } })
const approve: ScriptedReply = { json: { decision: 'approve', feedback: '' } }

/** The agents in the order of their turns, as the messages tell it. */
const turnsOf = ({ state }: Asked): readonly string[] =>
  state.control.messages.flatMap(({ meta }) =>
    meta?.sender === 'orchestrator' ? [String(meta.receiver)] : [],
  )

/** The turns that these decisions of critics, in order, have to lead to. */
function expectedTurns(decisions: readonly boolean[], steps: number, limit: number) {
  const stages: Worker[] = ['planner', ...Array<Worker>(steps).fill('researcher'), 'expert']
  const turns: string[] = []
  let [rejections, stage] = [0, 0]
  for (let call = 0; stage < stages.length; call++) {
    const worker = stages[stage] as Worker
    turns.push(worker, `critic_${worker}`)
    if (decisions[call] ?? true) stage++
    else if (++rejections >= limit) break
  }
  return { turns: [...turns, 'finalizer'], rejections, isOver: stage < stages.length }
}

describe('whatever the critics decide', () => {
  it('the turns, the count of rejections and the end follow from it', async () => {
    const given = fc.record({
      decisions: fc.array(fc.boolean(), { maxLength: 12 }),
      steps: fc.integer({ min: 0, max: 3 }),
      limit: fc.integer({ min: 1, max: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(given, async ({ decisions, steps, limit }) => {
        let call = 0
        const critic = () => ((decisions[call++] ?? true) ? approve : reject(`No ${call}.`))
        const research_steps = Array.from({ length: steps }, (_, at) => `glimmerstone ${at}`)
        const asked = await team.ask(question, {
          retryLimit: limit,
          team: {
            planner: { json: { research_steps, expert_steps: ['Answer.'] } },
            critic_planner: critic,
            critic_researcher: critic,
            critic_expert: critic,
          },
        })
        const { turns, rejections, isOver } = expectedTurns(decisions, steps, limit)
        expect(turnsOf(asked)).toEqual(turns)
        expect(asked.state.control.rejectionCount).toBe(rejections)
        expect(asked.result.stopReason === 'retry_limit').toBe(isOver)
        if (isOver) expect(asked.result).toMatchObject({ answer: over, reasoning: over })
        for (const { state } of statesOf(asked.events))
          expect(state.control.rejectionCount).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 40, seed: 4 },
    )
  })

  it('the same decisions lead to the same answer and the same log', async () => {
    const script = (): TeamScript => ({
      critic_planner: (_seen, call) => (call === 1 ? reject('Again.') : approve),
      critic_expert: (_seen, call) => (call < 3 ? reject(`Again ${call}.`) : approve),
    })
    const [one, other] = [
      await team.ask(question, { team: script() }),
      await team.ask(question, { team: script() }),
    ]
    expect(other.result).toEqual(one.result)
    const stepsOf = ({ events }: Asked) => events.map(({ type, key }) => `${type} ${key}`)
    expect(stepsOf(other)).toEqual(stepsOf(one))
  })
})

describe('the feedback of a rejection', () => {
  it.each([
    ['one sentence', 'Name the town.'],
    ['several lines', 'First: the town.\n\n- the year\n- the finder\n'],
    ['JSON', '{"decision": "approve", "feedback": ["a", 1]}'],
    ['braces and marks', 'Use {question} and $& and %s, "exactly".'],
    ['another script', '請說出城市 — 🧪'],
    ['20,000 characters', 'More of it. '.repeat(1_667).slice(0, 20_000).trim()],
  ])('of %s reaches each worker word for word', async (_what, feedback) => {
    for (const worker of workers) {
      const critic = (_seen: unknown, call: number) => (call === 1 ? reject(feedback) : approve)
      const asked = await team.ask(question, { team: { [`critic_${worker}`]: critic } })
      const again = requestsOf(asked, worker).at(-1)
      const told = messagesOf(again).filter(({ role }) => role === 'user')
      const ending = `\nYour critic rejected the last attempt: ${feedback}`
      expect(told.filter(({ content }) => content?.endsWith(ending))).toHaveLength(1)
      expect(asked.result.retries[worker]).toBe(1)
    }
  })

  it('may be empty: the worker is told of the rejection all the same', async () => {
    const critic = (_seen: unknown, call: number) => (call === 1 ? reject('') : approve)
    const asked = await team.ask(question, { team: { critic_expert: critic } })
    const [, again] = requestsOf(asked, 'expert')
    expect(again?.lastText).toContain('Your critic rejected the last attempt')
  })
})

describe('a critic that is asked again', () => {
  it('is shown the last attempt alone', async () => {
    const asked = await team.ask(question, {
      team: {
        expert: (_seen, call) => ({
          json: { expert_answer: `Attempt ${call} [1].`, reasoning_trace: `Thought ${call}.` },
        }),
        critic_expert: (_seen, call) => (call === 1 ? reject('Mend it.') : approve),
      },
    })
    const [first, second] = requestsOf(asked, 'critic_expert')
    expect(first?.lastText).toContain('Attempt 1')
    expect(second?.lastText).toContain('Attempt 2')
    expect(JSON.stringify(second?.body)).not.toContain('Attempt 1')
    expect(JSON.stringify(second?.body)).not.toContain('Mend it.')
  })
})

describe('the count of rejections', () => {
  it('outlives a failure: the run that goes on has it still', async () => {
    const critic = (_seen: unknown, call: number) => (call <= 2 ? reject('No.') : approve)
    const failed = await team.ask(question, {
      team: { critic_planner: critic, expert: { status: 503 } },
    })
    expect(failed.state).toMatchObject({ control: { rejectionCount: 2, errorComponent: 'expert' } })
    const resumed = await team.resume(failed.runId)
    expect(resumed.result).toMatchObject({ status: 'answered', retries: { planner: 2 } })
    const last = (await team.replay(failed.runId)).result
    expect(last).toMatchObject({ retries: { planner: 2, researcher: 0, expert: 0 } })
  })
})
