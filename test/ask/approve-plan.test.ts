import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/index.ts'
import { type Asking, requestsOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'What is glimmerstone?'

/** A person who gives these answers, one after the other, and what was asked. */
function person(...answers: readonly Json[]) {
  const asked: Json[] = []
  const answer = async (prompt: Json) => {
    asked.push(prompt)
    return answers[asked.length - 1]
  }
  return { asked, execution: { answer } }
}

const ask = (execution: Asking['execution'], asking: Asking = {}) =>
  team.ask(question, { approvePlan: true, ...asking, ...(execution && { execution }) })

describe('a plan that a person has a say in', () => {
  it('is not worked on before: the run waits, and says what it asks', async () => {
    await expect(ask({})).rejects.toMatchObject({
      code: 'waiting',
      details: {
        prompt: { kind: 'plan', question, research_steps: [question] },
      },
    })
    expect((await team.store.get(team.lastRunId)).status).toBe('waiting')
    const before = team.server.requests.length
    const { result, visits } = await team.resume(team.lastRunId, {
      execution: person('approve').execution,
    })
    expect(result.status).toBe('answered')
    expect(visits.filter((node) => node === 'planner')).toHaveLength(1)
    expect(team.server.requests.slice(before).length).toBeGreaterThan(3)
    const replayed = await team.replay(team.lastRunId)
    expect(replayed.result).toEqual(result)
    expect(replayed.unclaimed).toEqual([])
  })

  it.each([
    'approve',
    'Approved.',
    'Yes',
    'y',
    'OK',
    'okay',
    'sure',
    'Yes, please',
    'Looks good to me!',
    'Go ahead, thanks.',
  ])('is worked on after %j', async (word) => {
    const { asked, execution } = person(word)
    const { result, state } = await ask(execution)
    expect(result.status).toBe('answered')
    expect(asked).toEqual([
      {
        kind: 'plan',
        question,
        research_steps: [question],
        expert_steps: ['Answer from the findings.'],
      },
    ])
    expect(state.control.messages.some(({ meta }) => meta?.sender === 'approval')).toBe(true)
  })

  it.each(['no', 'n', 'No.', 'no thanks', 'No, thank you!', 'refuse', 'Refused', 'Nope'])(
    'ends the run where it is refused: %j',
    async (word) => {
      const { result, requests } = await ask(person(word).execution)
      expect(result).toMatchObject({
        status: 'unanswered',
        stopReason: 'plan_refused',
        answer: 'The plan was not approved.',
        claims: [],
      })
      expect(requests).toHaveLength(2)
    },
  )

  it.each([
    ['an object', (plan: Json) => plan],
    ['JSON in text', (plan: Json) => JSON.stringify(plan)],
  ])('can be replaced by another one, as %s, with what needs what', async (_how, written) => {
    const steps = ['What is the varnel?', 'Where does the bird of step 1 breed?']
    const plan = { research_steps: steps, needs: [[], [1]] }
    const { state } = await ask(person(written(plan)).execution, { sequential: false })
    expect(state.research.results.map(({ request }) => request)).toEqual(steps)
    expect(state.plan.needs).toEqual([[], [0]])
    expect(state.plan.expertSteps).toEqual(['Answer from the findings.'])
  })

  it('goes back to the planner with the words of the person, verbatim, and is asked about again', async () => {
    const { asked, execution } = person('Look up the bird, too.', 'approve')
    const answered = await ask(execution)
    const [, second] = requestsOf(answered, 'planner')
    expect(second?.lastText).toContain(
      'A person has seen your plan and wants another: Look up the bird, too.',
    )
    const [first, judged] = requestsOf(answered, 'critic_planner')
    expect(first?.lastText).not.toContain('A person')
    expect(judged?.lastText).toMatch(/A person .* wants this of it.*\n.*Look up the bird, too\./)
    expect(asked).toHaveLength(2)
    expect(answered.result).toMatchObject({ status: 'answered', retries: { planner: 0 } })
  })

  it('can be changed as often as a person wants, which is no rejection of a critic', async () => {
    const words = Array.from({ length: 20 }, (_, index) => `Look up bird number ${index}, too.`)
    const { asked, execution } = person(...words, 'approve')
    const { result, state } = await ask(execution, { retryLimit: 1 })
    expect(asked).toHaveLength(21)
    expect(result).toMatchObject({ status: 'answered', stopReason: 'answered' })
    expect(state.control.rejectionCount).toBe(0)
  })

  it('is not refused by the finalizer, whatever it writes', async () => {
    const written = { final_answer: 'The plan was not approved.', final_reasoning_trace: 'x' }
    const { result } = await ask(person('yes').execution, {
      team: { finalizer: { json: written } },
    })
    expect(result.stopReason).toBe('no_evidence')
    expect(result.gaps).toMatchObject([{ kind: 'uncited_answer' }])
  })

  it.each([
    'No, use the encyclopedia.',
    'Yes, but look up the bird.',
    'Add a step',
    '先查维基百科',
  ])('goes back with %j', async (words) => {
    const { asked, execution } = person(words, 'approve')
    const answered = await ask(execution)
    expect(asked).toHaveLength(2)
    expect(requestsOf(answered, 'planner')[1]?.lastText).toContain(words)
  })

  it.each<[Json, string]>([
    [{ research_steps: 'glimmerstone' }, 'expected array'],
    [{ steps: ['glimmerstone'] }, 'Unrecognized key'],
    [{ research_steps: ['a', 'b'], needs: [[], [2]] }, 'step 2 cannot need 2'],
    [{ needs: [[]] }, 'without "research_steps"'],
    [{ expert_steps: [] }, 'Too small'],
    ['{"research_steps": [', 'it is not JSON'],
    ['', 'the answer is empty'],
    [7, 'the answer is empty'],
    ['Hmm.', 'unclear answer'],
    ['not sure', 'unclear answer'],
    ['ok?', 'unclear answer'],
    ['yes or no', 'unclear answer'],
    ['No, no, yes, ok', 'unclear answer'],
    ['shorter please', 'unclear answer'],
  ])('is asked about again after %j, with what is wrong', async (answer, problem) => {
    const { asked, execution } = person(answer, 'approve')
    const { result } = await ask(execution)
    expect(result.status).toBe('answered')
    expect(asked).toHaveLength(2)
    expect(asked[0]).not.toHaveProperty('problem')
    expect((asked[1] as { problem: string }).problem).toContain(problem)
  })

  it('is asked about once, also where the expert is sent back later', async () => {
    const { asked, execution } = person('approve')
    let calls = 0
    await ask(execution, {
      team: {
        critic_expert: () => ({
          json: { decision: calls++ === 0 ? 'reject' : 'approve', feedback: 'More.' },
        }),
      },
    })
    expect(asked).toHaveLength(1)
  })
})
