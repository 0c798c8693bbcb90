import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScriptedReply, ScriptedRole } from '../../src/testing/index.ts'
import { supportEveryClaim } from '../../src/testing/scripted-team.ts'
import { messagesOf, requestsOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const search = (query: string): ScriptedReply => ({
  toolCalls: [{ name: 'search_library', input: { query, limit: 2 } }],
})
const found = { json: { result: 'Glimmerstone melts at 412 degrees Celsius [1].' } }
const calculate: ScriptedReply = {
  toolCalls: [{ name: 'calculate', input: { expression: '412 + 1' } }],
}
const answer = {
  json: { expert_answer: 'It melts at 412 degrees Celsius [1].', reasoning_trace: 'Read.' },
}

describe('a conversation', () => {
  it.each<ScriptedRole>(['researcher', 'expert'])(
    'of the %s is sent again as it was sent before, byte for byte, through tools and a rejection',
    async (role) => {
      const asked = await team.ask('At what temperature does glimmerstone melt?', {
        team: {
          researcher: (_seen, call) =>
            [search('glimmerstone'), search('varnel'), found, search('melts')][call - 1] ?? found,
          expert: (_seen, call) => [calculate, answer, calculate][call - 1] ?? answer,
          verifier: supportEveryClaim('melts at 412 degrees Celsius'),
          [`critic_${role}`]: (_seen: unknown, call: number) => ({
            json: { decision: call === 1 ? 'reject' : 'approve', feedback: 'Look again.' },
          }),
        },
      })
      expect(asked.result.status).toBe('answered')
      const sent = requestsOf(asked, role).map((seen) =>
        messagesOf(seen).map((message) => JSON.stringify(message)),
      )
      expect(sent.length).toBeGreaterThanOrEqual(4)
      for (const [index, messages] of sent.slice(1).entries())
        expect(messages.slice(0, sent[index]?.length)).toEqual(sent[index])
    },
  )
})
