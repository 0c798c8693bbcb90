import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScriptedReply, TeamScript } from '../../src/testing/index.ts'
import { messagesOf, requestsOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const found = 'Glimmerstone melts at 412 degrees Celsius [1].'
const reject: ScriptedReply = { json: { decision: 'reject', feedback: 'Name the stone.' } }
const approve: ScriptedReply = { json: { decision: 'approve' } }
const formless: ScriptedReply = { text: 'I would rather not.' }

describe('work without a usable form', () => {
  it('is tried again in the same conversation, with what was read, and told why', async () => {
    const script: TeamScript = {
      researcher: (_seen, call) => {
        if (call === 1)
          return { toolCalls: [{ name: 'search_library', input: { query: 'glimmerstone' } }] }
        return call <= 3 ? formless : { json: { result: found } }
      },
    }
    const asked = await team.ask(question, { team: script })
    const last = requestsOf(asked, 'researcher').at(-1)
    expect(messagesOf(last).map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(last?.lastText).toMatch(/^Research this: .*\nYour last answer had no usable form: .+/)
    expect(asked.result).toMatchObject({ status: 'answered', answer: found, citations: [{ n: 1 }] })
    expect(asked.result.retries.researcher).toBe(1)
  })

  it('is not told what the critic had said of the attempt before', async () => {
    const result = { json: { expert_answer: found, reasoning_trace: '' } }
    const asked = await team.ask(question, {
      team: {
        expert: (_seen, call) => (call === 2 || call === 3 ? formless : result),
        critic_expert: (_seen, call) => (call === 1 ? reject : approve),
      },
    })
    const texts = requestsOf(asked, 'expert').map(({ lastText }) => lastText)
    expect(texts[1]).toContain('Name the stone.')
    expect(texts[3]).toContain('had no usable form')
    expect(texts[3]).not.toContain('Name the stone.')
    expect(asked.result.status).toBe('answered')
  })
})

describe('the retry limit', () => {
  it('may be as large as one likes', async () => {
    const { result } = await team.ask(question, {
      retryLimit: 120,
      team: { critic_planner: reject },
    })
    expect(result).toMatchObject({ stopReason: 'retry_limit', retries: { planner: 120 } })
  })

  it('leaves room for the largest plan with all its retries', async () => {
    const research_steps = Array.from({ length: 20 }, (_, index) => `glimmerstone ${index}`)
    const { result } = await team.ask(question, {
      retryLimit: 40,
      team: {
        planner: { json: { research_steps, expert_steps: ['Answer.'] } },
        critic_researcher: (_seen, call) => (call % 2 === 1 && call < 40 ? reject : approve),
        critic_expert: (_seen, call) => (call < 20 ? reject : approve),
      },
    })
    expect(result).toMatchObject({ status: 'answered', retries: { researcher: 20, expert: 19 } })
  })
})
