import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Depth } from '../../src/ask/result.ts'
import { findRole, plainReply, type TeamScript } from '../../src/testing/index.ts'
import { supportEveryClaim } from '../../src/testing/scripted-team.ts'
import { type Asking, messagesOf, requestsOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const said = 'Glimmerstone melts at 412 degrees Celsius [1].'
/** True, but in other words than the source, so that the verifier is asked. */
const reworded = 'The melting point of glimmerstone lies at 412 degrees Celsius [1].'
const supported = supportEveryClaim('Glimmerstone melts at 412 degrees Celsius')
const twoSteps: TeamScript = {
  planner: {
    json: {
      research_steps: ['glimmerstone melts', 'varnel weighs'],
      expert_steps: ['Compare.'],
    },
  },
}

async function rolesAt(depth: Depth, asking: Asking = {}) {
  const asked = await team.ask(question, { depth, ...asking })
  return { ...asked, roles: asked.requests.map(findRole) }
}

describe('depth quick', () => {
  it('is one agent and the check of its claims', async () => {
    const found = (seen: Parameters<typeof plainReply>[1]) =>
      seen.lastRole === 'tool' ? { json: { result: reworded } } : plainReply('quick', seen)
    const { roles, result, state } = await rolesAt('quick', {
      team: { quick: found, verifier: supported },
      claims: 'mark',
    })
    expect(roles).toEqual(['quick', 'quick', 'verifier'])
    expect(result).toMatchObject({
      status: 'answered',
      answer: reworded,
      citations: [{ n: 1 }],
      claims: [{ verdict: 'supported', judge: 'openai-compatible:scripted' }],
      gaps: [],
    })
    expect(state.question.depth).toBe('quick')
  })

  it('calculates, and the calculation grounds the answer', async () => {
    const { result, roles } = await rolesAt('quick', {
      team: {
        quick: (_seen, call) =>
          call === 1
            ? { toolCalls: [{ name: 'calculate', input: { expression: '12 * 34' } }] }
            : { json: { result: '12 * 34 = 408.' } },
      },
    })
    expect(roles).toEqual(['quick', 'quick'])
    expect(result).toMatchObject({ status: 'answered', answer: '12 * 34 = 408.' })
  })

  it('asks once more for an answer that cites nothing, then withholds it', async () => {
    const { roles, requests, result } = await rolesAt('quick', {
      team: { quick: { json: { result: 'It melts at 500 degrees.' } } },
    })
    expect(roles).toEqual(['quick', 'quick'])
    expect(requests.at(-1)?.lastText).toContain('No sentence cites a source')
    expect(result).toMatchObject({
      status: 'unanswered',
      gaps: [{ kind: 'uncited_answer' }],
    })
  })

  it('says so when the sources do not', async () => {
    const { roles, result } = await rolesAt('quick', {
      team: { quick: { json: { result: 'The sources do not say.' } } },
    })
    expect(roles).toEqual(['quick'])
    expect(result).toMatchObject({ status: 'unanswered', stopReason: 'no_evidence' })
  })

  it('brings a short answer into form with the finalizer', async () => {
    const { roles, result } = await rolesAt('quick', {
      answerFormat: 'short',
      team: { finalizer: { json: { final_answer: '412', final_reasoning_trace: 'Read.' } } },
    })
    expect(roles).toEqual(['quick', 'quick', 'finalizer'])
    expect(result).toMatchObject({ status: 'answered', answer: '412', basis: said })
  })

  it('warns of criteria, which nobody applies', async () => {
    const { events } = await rolesAt('quick', { criteria: { expert: 'Be brief.' } })
    const notices = events.flatMap((event) => (event.type === 'notice' ? event.data.text : []))
    expect(notices).toEqual(['At depth quick there are no critics: the criteria have no effect.'])
  })

  it('is replayed without a model', async () => {
    const { runId, result } = await rolesAt('quick')
    expect(await team.replay(runId)).toMatchObject({ result, unclaimed: [] })
  })
})

describe('depth standard', () => {
  it('asks no critic and no finalizer about one research step', async () => {
    const { roles, result, requests } = await rolesAt('standard', {
      team: {
        expert: { json: { expert_answer: reworded, reasoning_trace: 'Took the finding.' } },
        verifier: supported,
      },
      claims: 'mark',
    })
    expect(roles).toEqual(['planner', 'researcher', 'researcher', 'expert', 'verifier'])
    expect(result).toMatchObject({
      status: 'answered',
      answer: reworded,
      reasoning: 'Took the finding.',
      gaps: [],
    })
    const [expert] = requestsOf({ requests }, 'expert')
    expect(messagesOf(expert)[0]?.content).toContain(
      'A person reads your `expert_answer` as it is.',
    )
  })

  it('has the plan judged that has several steps', async () => {
    const { roles, result } = await rolesAt('standard', { team: twoSteps, sequential: false })
    expect(roles.toSorted()).toEqual(
      [
        ...['planner', 'critic_planner', 'expert'],
        ...['researcher', 'researcher', 'researcher', 'researcher'],
      ].toSorted(),
    )
    expect(result).toMatchObject({ status: 'answered', citations: [{ n: 1 }, { n: 2 }] })
  })

  it('has research judged where nothing checks the claims', async () => {
    const { roles } = await rolesAt('standard', { claims: 'off' })
    expect(roles).toEqual(['planner', 'researcher', 'researcher', 'critic_researcher', 'expert'])
  })

  it('has a role judged that has criteria', async () => {
    const { roles } = await rolesAt('standard', { criteria: { expert: 'Answer in kelvin.' } })
    expect(roles).toContain('critic_expert')
    expect(roles).not.toContain('critic_researcher')
  })

  it('has the expert mend a number under which nothing was read, once', async () => {
    const { roles, requests, result } = await rolesAt('standard', {
      team: {
        expert: (_seen, call) => ({
          json: {
            expert_answer: call === 1 ? said.replace('[1]', '[7]') : said,
            reasoning_trace: '',
          },
        }),
      },
    })
    expect(roles.filter((role) => role === 'expert')).toHaveLength(2)
    expect(requestsOf({ requests }, 'expert').at(-1)?.lastText).toContain(
      'Nothing was read under [7].',
    )
    expect(result).toMatchObject({ status: 'answered', answer: said, retries: { expert: 1 } })
  })

  it('keeps an answer that no rejection is left for, and says what is wrong with it', async () => {
    const unknown = said.replace('[1]', '[1][7]')
    const { roles, result } = await rolesAt('standard', {
      team: { expert: { json: { expert_answer: unknown, reasoning_trace: '' } } },
      retryLimit: 1,
    })
    expect(roles.filter((role) => role === 'expert')).toHaveLength(1)
    expect(result).toMatchObject({
      status: 'partial',
      answer: unknown,
      gaps: [{ kind: 'unsupported_answer' }],
    })
  })

  it('leaves the finalizer its share after a limit', async () => {
    const { result } = await rolesAt('standard', { execution: { limits: { maxSteps: 2 } } })
    expect(result.stopReason).toBe('limit')
  })
})

describe('depth thorough', () => {
  it('has a critic judge every step', async () => {
    const { roles } = await rolesAt('thorough')
    expect(roles).toEqual([
      ...['planner', 'critic_planner', 'researcher', 'researcher', 'critic_researcher'],
      ...['expert', 'critic_expert', 'finalizer'],
    ])
  })
})
