import { describe, expect, it } from 'vitest'
import type { Claim, Verdict } from '../citations/claim.ts'
import { findClaimGaps } from './finalize.ts'
import type { PapersState } from './state.ts'

/** A run whose summary has sentences with these verdicts; those of no number cite nothing. */
function stateWith(...sentences: readonly (readonly [Verdict, ...number[]])[]): PapersState {
  const summaryClaims = sentences.map(([verdict, ...citations], at): Claim => {
    return { text: `${at}.`, citations, verdict, evidence: [], judge: 'code', reason: '' }
  })
  return { summaryClaims } as unknown as PapersState
}

describe('sentences of a summary that do not hold', () => {
  it('are counted, all of them', () => {
    const [gap] = findClaimGaps(
      stateWith(['altered', 1], ['not_found'], ['verbatim', 1], ['verbatim', 2]),
    )
    expect(gap?.detail).toContain(
      'Of 4 sentences of the summary, 2 are not supported by the papers they cite',
    )
  })

  it('are no gap where some few cite nothing', () => {
    expect(findClaimGaps(stateWith(['not_found'], ['verbatim', 1], ['verbatim', 2]))).toEqual([])
  })
})
