import { describe, expect, it } from 'vitest'
import { initialState } from '../graph/graph.ts'
import type { Gap } from '../team/gap.ts'
import { type AskPatch, channels, mergePatches, stateAfter, withFields } from './state.ts'

const gap = (detail: string): Gap => ({ kind: 'error', detail })
const patch = (detail: string): AskPatch => ({
  control: { gaps: [gap(detail)], malformedReason: detail },
})

describe('patches of the team', () => {
  it('are merged without losing a gap; of other fields the last value counts', () => {
    expect(mergePatches(patch('one'), {}, patch('two'), { answer: { draft: 'text' } })).toEqual({
      control: { gaps: [gap('one'), gap('two')], malformedReason: 'two' },
      answer: { draft: 'text' },
    })
  })

  it('add gaps to a state, which a view of it replaces', () => {
    const state = stateAfter(initialState(channels, {}), patch('one'))
    expect(stateAfter(state, patch('two')).control.gaps).toEqual([gap('one'), gap('two')])
    expect(withFields(state, patch('two')).control.gaps).toEqual([gap('two')])
  })
})
