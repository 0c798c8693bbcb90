import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/index.ts'
import {
  findRole,
  type ModelRequestSeen,
  plainReply,
  type ScriptedReply,
  type ScriptedRole,
} from '../../src/testing/index.ts'
import { requestsOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const found = 'Glimmerstone melts at 412 degrees Celsius [1].'

/** A role that gives this instead of its first answer, and does its part of a plain run otherwise. */
function first(answer: ScriptedReply) {
  let isGiven = false
  return (seen: ModelRequestSeen): ScriptedReply => {
    const plain = plainReply(findRole(seen), seen)
    if (isGiven || 'toolCalls' in plain) return afterwards(seen, plain)
    isGiven = true
    return answer
  }
}

/** What a role says afterwards; one that is asked again has no question or result of a tool before it. */
function afterwards(seen: ModelRequestSeen, plain: ScriptedReply): ScriptedReply {
  if (!/nothing else\.$/.test(seen.lastText)) return plain
  if (findRole(seen) === 'researcher') return { json: { result: found } }
  const plan = { research_steps: [question], expert_steps: ['Answer from the findings.'] }
  return findRole(seen) === 'planner' ? { json: plan } : plain
}

describe('an answer with a field that is missing or of another type', () => {
  it.each<[ScriptedRole, string, Json]>([
    ['planner', 'expert_steps', { research_steps: [question] }],
    ['planner', 'research_steps', { expert_steps: ['Answer.'] }],
    ['planner', 'research_steps', { research_steps: question, expert_steps: ['Answer.'] }],
    ['planner', 'expert_steps', { research_steps: [question], expert_steps: [1] }],
    ['researcher', 'result', { answer: found }],
    ['researcher', 'result', { result: 412 }],
    ['researcher', 'result', { result: ' ' }],
    ['critic_planner', 'decision', { feedback: 'Fine.' }],
    ['critic_researcher', 'decision', { decision: 'maybe', feedback: 'Fine.' }],
    ['critic_expert', 'decision', { decision: 'approved', feedback: 'Fine.' }],
    ['critic_expert', 'feedback', { decision: 'approve', feedback: ['Fine.'] }],
    ['expert', 'reasoning_trace', { expert_answer: found }],
    ['expert', 'expert_answer', { reasoning_trace: 'Read it.' }],
    ['expert', 'expert_answer', { expert_answer: '', reasoning_trace: 'Read it.' }],
    ['finalizer', 'final_reasoning_trace', { final_answer: found }],
    ['finalizer', 'final_answer', { final_reasoning_trace: 'Read it.' }],
    ['finalizer', 'final_answer', { final_answer: 412, final_reasoning_trace: 'Read it.' }],
  ])('of the %s is asked for once more, and told about %s: %j', async (role, field, json) => {
    const asked = await team.ask(question, { team: { [role]: first({ json }) } })
    const plain = role === 'researcher' ? 2 : 1
    const requests = requestsOf(asked, role)
    expect(requests).toHaveLength(plain + 1)
    expect(requests.at(-1)?.lastText).toContain(field)
    expect(requests.at(-1)?.lastText).not.toContain('..')
    expect(asked.result).toMatchObject({ status: 'answered', answer: found })
    expect(asked.state.control.rejectionCount).toBe(0)
  })
})

describe('an answer in words', () => {
  const prose = 'Glimmerstone melts at 412 degrees Celsius [1].'
  it.each(['researcher', 'expert', 'finalizer'] as const)(
    'of the %s that cites its sources is taken as it is, without another turn',
    async (role) => {
      const search = { toolCalls: [{ name: 'search_library', input: { query: 'glimmerstone' } }] }
      const inWords = (seen: { lastRole: string }) =>
        role === 'researcher' && seen.lastRole !== 'tool' ? search : { text: prose }
      const asked = await team.ask(question, { team: { [role]: inWords } })
      expect(requestsOf(asked, role)).toHaveLength(role === 'researcher' ? 2 : 1)
      expect(asked.result).toMatchObject({ status: 'answered', answer: prose })
    },
  )

  it.each(['I will search for glimmerstone now.', 'See {"glimmerstone": 412} [1].'])(
    'is none where something else may be meant: %s',
    async (text) => {
      const asked = await team.ask(question, { team: { expert: first({ text }) } })
      expect(requestsOf(asked, 'expert')).toHaveLength(2)
      expect(asked.result.answer).toBe(prose)
    },
  )
})

describe('an answer of the right form', () => {
  const shapes: readonly (readonly [string, (json: string) => ScriptedReply])[] = [
    ['as it is', (json) => ({ text: json })],
    ['in a code block', (json) => ({ text: `\`\`\`json\n${json}\n\`\`\`` })],
    ['between words', (json) => ({ text: `Here it is: ${json} I hope that it helps.` })],
    ['after thoughts', (json) => ({ text: `<think>{"a": 1}? No.</think>\n${json}` })],
  ]
  const roles: readonly ScriptedRole[] = [
    'planner',
    'critic_planner',
    'researcher',
    'critic_researcher',
    'expert',
    'critic_expert',
    'finalizer',
  ]

  it.each(shapes)('is the same to the whole team %s', async (_how, shape) => {
    const plain = await team.ask(question)
    const reshaped = (seen: ModelRequestSeen): ScriptedReply => {
      const reply = plainReply(findRole(seen), seen)
      return 'json' in reply ? shape(JSON.stringify(reply.json)) : reply
    }
    const asked = await team.ask(question, {
      team: Object.fromEntries(roles.map((role) => [role, reshaped])),
    })
    expect(asked.result).toEqual(plain.result)
    expect(asked.requests).toHaveLength(plain.requests.length)
    const {
      research: { results: researchResults },
      answer: { draft: expertAnswer, draftReasoning: expertReasoning },
    } = asked.state
    expect({ researchResults, expertAnswer, expertReasoning }).toEqual({
      researchResults: [{ request: question, result: found }],
      expertAnswer: found,
      expertReasoning: 'Took the findings.',
    })
  })
})
