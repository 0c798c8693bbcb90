import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findInvalidFields } from '../../src/ask/state.ts'
import { messageText } from '../../src/kernel/index.ts'
import { statesOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const questions = [
  'At what temperature does glimmerstone melt?',
  'How much does the varnel weigh?',
  'Who found glimmerstone?',
  'What does the varnel feed on?',
  'Who won the cup of Atlantis?',
]

describe('runs', () => {
  it('begin anew each time, whatever ran before', async () => {
    const [first, second] = [
      await team.ask(questions[1] as string),
      await team.ask(questions[0] as string),
    ]
    const opening = statesOf(second.events)[0]?.state
    expect(opening?.control?.messages.map(messageText)).toEqual([questions[0]])
    expect(second.result.citations).toMatchObject([{ n: 1, title: 'Glimmerstone' }])
    expect(JSON.stringify(second.state)).not.toContain(questions[1])
    expect(first.result.citations).toMatchObject([{ n: 1, title: 'The varnel' }])
  })

  it('at once do not mix, over one store, one library and one model', async () => {
    const alone = []
    for (const question of questions) alone.push((await team.ask(question)).result)
    const together = await Promise.all(
      questions.map((question) => team.askAs(question, `at-once-${question.length}`)),
    )
    expect(together.map(({ result }) => result)).toEqual(alone)
    for (const [index, { state, events, runId }] of together.entries()) {
      expect(state.question.text).toBe(questions[index])
      expect(new Set(events.map((event) => event.runId))).toEqual(new Set([runId]))
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, place) => place + 1))
    }
  })

  it('have a sound state after every node', async () => {
    const { events } = await team.ask(questions[0] as string)
    for (const { node, state } of statesOf(events))
      expect([node, findInvalidFields(state)]).toEqual([node, []])
  })
})

describe('a state', () => {
  it('says which of its fields are missing or of another type', async () => {
    const { state } = await team.ask(questions[0] as string)
    const { text: _text, ...missing } = state.question
    expect(findInvalidFields({ ...state, question: missing })).toEqual(['question.text is missing'])
    const plan = { ...state.plan, researchSteps: 'x' }
    const control = { ...state.control, rejectionCount: '1', gaps: {} }
    expect(findInvalidFields({ ...state, plan, control })).toEqual([
      'plan.researchSteps is string',
      'control.rejectionCount is string',
      'control.gaps is object',
    ])
    const { verdicts: _verdicts, ...withoutStage } = state
    expect(findInvalidFields(withoutStage)).toContain('verdicts.result is missing')
    const answer = { ...state.answer, conversation: null }
    expect(findInvalidFields({ ...state, answer })).toEqual([])
  })
})
