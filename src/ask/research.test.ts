import { describe, expect, it } from 'vitest'
import { notAnsweredText } from '../citations/role-requests.ts'
import type { SourceId } from '../citations/source.ts'
import { initialState } from '../graph/graph.ts'
import type { Message } from '../kernel/agent/message.ts'
import type { Failure } from '../kernel/errors.ts'
import { createResearchStepState, mergeResearchSteps } from './research.ts'
import { type AskPatch, type AskState, channels, withFields } from './state.ts'

const stateOf = (patch: AskPatch): AskState => initialState(channels, patch)
const plan = stateOf({
  plan: { researchSteps: ['one', 'two', 'three'] },
  control: { retryLimit: 5 },
  question: { text: 'q' },
})
const failure = (message: string): Failure => ({ code: 'internal', message, retryable: false })
const message = (id: string): Message => ({
  id,
  role: 'assistant',
  parts: [{ type: 'text', text: id }],
  meta: { sender: 'researcher', receiver: 'orchestrator', kind: 'response', stepId: 0 },
  createdAt: 0,
})
const source = (id: string) => ({ n: 1, sourceId: id as SourceId, title: id })

/** A step of the plan as it ended: approved, unless told otherwise. */
const ended = (name: string, patch: AskPatch = {}): AskState => {
  const approved = stateOf({
    plan: { researchSteps: [name] },
    research: {
      index: 0,
      decision: 'approve',
      results: [{ request: name, result: `Of ${name} [1].` }],
      researchers: { 0: { stepIndex: 0, conversation: [], failedSearch: '' } },
      citations: [source(name)],
    },
    control: { messages: [message(name)] },
  })
  return withFields(approved, patch)
}

describe('createResearchStepState', () => {
  it('begins with what the step needs, and nothing that was said or missing before', () => {
    const before = withFields(plan, {
      control: { gaps: [{ kind: 'limit', detail: 'x' }], messages: [message('plan')] },
      research: { decision: 'approve' },
    })
    expect(createResearchStepState(before, 2, [ended('one'), ended('two')])).toMatchObject({
      plan: { researchSteps: ['three'] },
      research: {
        earlierResults: [
          { request: 'one', result: 'Of one [1].' },
          { request: 'two', result: 'Of two [2].' },
        ],
        citations: [{ n: 1 }, { n: 2 }],
        decision: '',
      },
      control: { gaps: [], messages: [] },
    })
  })
})

describe('mergeResearchSteps', () => {
  it('keeps of each step its own messages and its researcher, with its place in the plan', () => {
    const merged = mergeResearchSteps(plan, [ended('one'), ended('two'), ended('three')])
    expect(merged.research?.researchers).toMatchObject({ 0: { stepIndex: 0 }, 2: { stepIndex: 2 } })
    expect(merged.control?.messages?.map(({ id, meta }) => [id, meta?.stepId])).toEqual([
      ['one', 0],
      ['two', 1],
      ['three', 2],
    ])
    expect(merged.control?.gaps).toEqual([])
  })

  it('gives the first failure, and the other results', () => {
    const research = { decision: 'reject' } as const
    const merged = mergeResearchSteps(plan, [
      ended('one'),
      ended('two', {
        research,
        control: { rejectionCount: 9, error: failure('first'), errorComponent: 'researcher' },
      }),
      ended('three', {
        research,
        control: { rejectionCount: 9, error: failure('last'), errorComponent: 'critic' },
      }),
    ])
    expect(merged).toMatchObject({
      control: { error: { message: 'first' }, errorComponent: 'researcher' },
    })
    expect(merged.research?.results).toEqual([{ request: 'one', result: 'Of one [1].' }])
  })

  it.each<[string, AskPatch]>([
    ['a failure', { control: { error: failure('x'), errorComponent: 'researcher' } }],
    ['a limit', { control: { limit: { ...failure('x'), code: 'limit_reached' } } }],
  ])('leaves the word to %s also where the rejections reach their limit', (_what, patch) => {
    const merged = mergeResearchSteps(plan, [
      ended('one', { control: { rejectionCount: 5 }, research: { decision: 'reject' } }),
      ended('two', { ...patch, research: { decision: '' } }),
    ])
    expect(merged).not.toHaveProperty('answer')
    expect(merged.control?.rejectionCount).toBe(5)
  })

  it('ends the work where the rejections of all reach a limit', () => {
    const merged = mergeResearchSteps(plan, [
      ended('one', { control: { rejectionCount: 3 } }),
      ended('two', { control: { rejectionCount: 2 } }),
      ended('three'),
    ])
    expect(merged).toMatchObject({
      answer: { text: notAnsweredText },
      control: { rejectionCount: 5 },
    })
  })

  it('names a step on which nobody worked, unless something ended the work', () => {
    expect(
      mergeResearchSteps(plan, [ended('one'), undefined, ended('three')]).control?.gaps,
    ).toEqual([{ kind: 'no_evidence', detail: 'two (this step was not carried out)' }])
    const stopped = ended('one', { control: { error: failure('x') }, research: { decision: '' } })
    expect(mergeResearchSteps(plan, [stopped, undefined, ended('three')]).control?.gaps).toEqual([])
  })
})
