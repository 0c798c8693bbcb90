import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AskState, channels, findInvalidFields } from '../../src/ask/state.ts'
import { initialState } from '../../src/graph/graph.ts'
import { messageText } from '../../src/kernel/index.ts'
import { statesOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'

describe('the state before the first node', () => {
  it('has every field at its beginning, none undefined, and is sound', () => {
    const state = initialState<AskState>(channels, { question: { text: question } })
    expect(state).toMatchObject({
      question: { text: question },
      control: {
        messages: [],
        atAgent: '',
        rejectionCount: 0,
        retryLimit: 5,
        error: null,
        errorComponent: null,
      },
      plan: { researchSteps: [], expertSteps: [], decision: '', feedback: '' },
      research: { index: -1, researchers: {}, results: [], decision: '', feedback: '' },
      answer: {
        conversation: null,
        draft: '',
        draftReasoning: '',
        decision: '',
        feedback: '',
        text: '',
        reasoning: '',
      },
    })
    expect(Object.values(state)).not.toContain(undefined)
    expect(findInvalidFields(state)).toEqual([])
  })

  it('is another object for each run', () => {
    const [one, other] = [
      initialState<AskState>(channels, {}),
      initialState<AskState>(channels, {}),
    ]
    expect(one).toEqual(other)
    expect(one).not.toBe(other)
  })
})

describe('the state after the input', () => {
  it('has one message: the question, word for word', async () => {
    const { events } = await team.ask(`  ${question}\n`)
    const state = statesOf(events)[0]?.state
    expect(state?.control?.messages.map(messageText)).toEqual([question])
    expect(state?.control?.messages[0]?.meta).toEqual({
      sender: 'input',
      receiver: 'orchestrator',
      kind: 'response',
      stepId: null,
    })
  })

  it('is never undone: a later state has every field, of the type that it began with', async () => {
    const { events } = await team.ask(question)
    const states = statesOf(events)
    expect(states.length).toBeGreaterThan(12)
    const fields = Object.keys(states[0]?.state ?? {}).sort()
    for (const { node, state } of states) {
      expect([node, Object.keys(state).sort()]).toEqual([node, fields])
      expect([node, findInvalidFields(state)]).toEqual([node, []])
      expect([node, state.question.text]).toEqual([node, question])
    }
    const counts = states.map(({ state }) => state.control.messages.length)
    expect(counts).toEqual([...counts].sort((left, right) => left - right))
  })
})
