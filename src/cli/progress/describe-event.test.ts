import { describe, expect, it } from 'vitest'
import type { LiveEvent, RunEvent } from '../../kernel/run/event.ts'
import { emptyView } from '../render/run-view.ts'
import { describeEvent } from './describe-event.ts'

const notice = (costUsd: number | null): RunEvent => ({
  ...{ v: 1, runId: 'r1', seq: 1, ts: 0, epoch: 1, key: 'k', type: 'notice' },
  data: {
    level: 'info',
    component: 'k',
    text: 'May have been paid.',
    usage: { inputTokens: 1, outputTokens: 0, costUsd },
  },
})
const said = (text: string): LiveEvent => ({
  transient: true,
  key: 'k',
  type: 'progress',
  data: { text },
})
const claimsStarted: LiveEvent = {
  transient: true,
  key: 'ask/verify[1]',
  type: 'progress',
  data: { node: 'verify', state: 'started' },
}

describe('describeEvent', () => {
  it('reports what may have been paid only where something costs', () => {
    expect(describeEvent(notice(0), emptyView)).toBeUndefined()
    expect(describeEvent(notice(null), emptyView)).toContain('paid')
    expect(describeEvent(notice(0.1), emptyView)).toContain('paid')
  })

  it('ends a sentence before the next one', () => {
    expect(describeEvent(said('nothing at http://h/v1 Trying again in 1 s.'), emptyView)).toBe(
      'nothing at http://h/v1. Trying again in 1 s.',
    )
    expect(describeEvent(said('It broke. Trying again in 1 s.'), emptyView)).toBe(
      'It broke. Trying again in 1 s.',
    )
  })

  it('reports a check of claims only where there can be some', () => {
    expect(describeEvent(claimsStarted, emptyView)).toBeUndefined()
    const answer = { ...emptyView.answer, isApproved: true }
    expect(describeEvent(claimsStarted, { ...emptyView, answer })).toBe('Checking the claims.')
  })
})
