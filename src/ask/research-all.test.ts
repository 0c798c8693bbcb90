import { describe, expect, it } from 'vitest'
import { notAnsweredText } from '../citations/role-requests.ts'
import type { SourceId } from '../citations/source.ts'
import { initialState, type Patch } from '../graph/graph.ts'
import type { Message } from '../kernel/agent/message.ts'
import type { Failure } from '../kernel/errors.ts'
import { createStepState, mergeSteps } from './research-all.ts'
import { type AskState, channels } from './state.ts'

const stateOf = (patch: Patch<AskState>): AskState => initialState(channels, patch)
const plan = stateOf({ researchSteps: ['one', 'two', 'three'], retryLimit: 5, question: 'q' })
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
const ended = (name: string, patch: Patch<AskState> = {}): AskState => ({
  ...stateOf({
    researchSteps: [name],
    currentResearchIndex: 0,
    criticResearcherDecision: 'approve',
    researchResults: [{ request: name, result: `Of ${name} [1].` }],
    researcherStates: { 0: { stepIndex: 0, conversation: [], failedSearch: '' } },
    agentMessages: [message(name)],
    citations: [source(name)],
  }),
  ...(patch as Partial<AskState>),
})

describe('openStep', () => {
  it('begins with what the step needs, and nothing that was said or missing before', () => {
    const before = {
      ...plan,
      gaps: [{ kind: 'limit', detail: 'x' }] as const,
      agentMessages: [message('plan')],
      criticResearcherDecision: 'approve' as const,
    }
    expect(createStepState(before, 2, [ended('one'), ended('two')])).toMatchObject({
      researchSteps: ['three'],
      earlierResults: [
        { request: 'one', result: 'Of one [1].' },
        { request: 'two', result: 'Of two [2].' },
      ],
      citations: [{ n: 1 }, { n: 2 }],
      gaps: [],
      agentMessages: [],
      criticResearcherDecision: '',
    })
  })
})

describe('mergeSteps', () => {
  it('keeps of each step its own messages and its researcher, with its place in the plan', () => {
    const merged = mergeSteps(plan, [ended('one'), ended('two'), ended('three')])
    expect(merged.researcherStates).toMatchObject({ 0: { stepIndex: 0 }, 2: { stepIndex: 2 } })
    expect(merged.agentMessages?.map(({ id, meta }) => [id, meta?.stepId])).toEqual([
      ['one', 0],
      ['two', 1],
      ['three', 2],
    ])
    expect(merged.gaps).toEqual([])
  })

  it('gives the first failure, and the results beside it', () => {
    const rejected = { criticResearcherDecision: 'reject', retryCount: 9 } as const
    const merged = mergeSteps(plan, [
      ended('one'),
      ended('two', { ...rejected, error: failure('first'), errorComponent: 'researcher' }),
      ended('three', { ...rejected, error: failure('last'), errorComponent: 'critic' }),
    ])
    expect(merged).toMatchObject({ error: { message: 'first' }, errorComponent: 'researcher' })
    expect(merged.researchResults).toEqual([{ request: 'one', result: 'Of one [1].' }])
  })

  it.each<[string, Patch<AskState>]>([
    ['a failure', { error: failure('x'), errorComponent: 'researcher' }],
    ['a limit', { limit: { ...failure('x'), code: 'limit_reached' } }],
  ])('leaves the word to %s also where the rejections reach their limit', (_what, patch) => {
    const merged = mergeSteps(plan, [
      ended('one', { retryCount: 5, criticResearcherDecision: 'reject' }),
      ended('two', { ...patch, criticResearcherDecision: '' }),
    ])
    expect(merged).not.toHaveProperty('finalAnswer')
    expect(merged.retryCount).toBe(5)
  })

  it('ends the work where the rejections of all reach a limit', () => {
    const merged = mergeSteps(plan, [
      ended('one', { retryCount: 3 }),
      ended('two', { retryCount: 2 }),
      ended('three'),
    ])
    expect(merged).toMatchObject({ finalAnswer: notAnsweredText, retryCount: 5 })
  })

  it('names a step on which nobody worked, unless something ended the work', () => {
    expect(mergeSteps(plan, [ended('one'), undefined, ended('three')]).gaps).toEqual([
      { kind: 'no_evidence', detail: 'two (this step was not carried out)' },
    ])
    const stopped = ended('one', { error: failure('x'), criticResearcherDecision: '' })
    expect(mergeSteps(plan, [stopped, undefined, ended('three')]).gaps).toEqual([])
  })
})
