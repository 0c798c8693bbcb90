import type { Claim } from '../../citations/claim.ts'
import { isSupported, isUncited } from './opinions.ts'

/** How many claims there are, how many were checked, and how many are supported. */
export interface ClaimScore {
  readonly claims: number
  readonly checked: number
  /** Claims that their source supports, verbatim or not. */
  readonly supported: number
  readonly verbatim: number
  /** Claims that cite nothing; they are not counted as checked. */
  readonly uncited: number
  /** Why the others were not checked, the most frequent reason first. */
  readonly notChecked: readonly { readonly reason: string; readonly count: number }[]
}

/** Scores claims, with the reasons why some were not checked. */
export function scoreClaims(claims: readonly Claim[]): ClaimScore {
  const open = claims.filter(({ verdict }) => verdict === 'unchecked' || verdict === 'unavailable')
  const counts = new Map<string, number>()
  for (const claim of open) {
    const reason = explainUnchecked(claim)
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const uncited = claims.filter(isUncited).length
  return {
    claims: claims.length,
    checked: claims.length - open.length - uncited,
    uncited,
    supported: claims.filter(isSupported).length,
    verbatim: claims.filter(({ verdict }) => verdict === 'verbatim').length,
    notChecked: [...counts]
      .map(([reason, count]) => ({ reason, count }))
      .sort((one, other) => other.count - one.count),
  }
}

/** Why a claim was not checked, without details of the claim, so that equal reasons can be counted. */
function explainUnchecked({ verdict, judge, citations, secondOpinion }: Claim): string {
  if (verdict === 'unavailable') return 'the text is no longer available'
  if (judge === 'none') return 'checking is turned off'
  if (citations.length === 0) return 'calculated'
  if (secondOpinion === undefined) return 'undecided by code, no verifier model'
  const [why = ''] = secondOpinion.reason
    .replace(/^Not judged by a model: /, '')
    .split(/:\s|“|\.\s/)
  return `the verifier gave no verdict: ${why.trim().replace(/\.$/, '')}`
}

/** Whether code left claims undecided that a model could judge. */
export function hasUndecided(claims: readonly Claim[]): boolean {
  return claims.some(
    ({ judge, verdict, citations }) =>
      judge === 'code' && citations.length > 0 && undecided.has(verdict),
  )
}

const undecided: ReadonlySet<Claim['verdict']> = new Set(['unchecked', 'partial', 'not_found'])
