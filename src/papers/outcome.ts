import type { Claim } from '../citations/claim.ts'
import { saysNothing } from '../citations/role-input.ts'
import type { Gap } from '../team/gap.ts'
import type { PapersResult, PapersStop } from './result.ts'
import type { PapersState } from './state.ts'

/**
 * What a run came to: an answer; no paper; papers of which none could be used; papers that say nothing of it; a limit before anything
 * was found; a failure.
 */
export type EndKind = 'answer' | 'no_papers' | 'none_kept' | 'no_evidence' | 'cut_off' | 'failed'

/** What the run came to. */
export function kindOfEnd(state: PapersState): EndKind {
  const { papers, kept, synthesis, limit, error, gaps } = state
  if (gaps.some(({ kind }) => kind === 'no_evidence')) return 'no_evidence'
  const isSaying = synthesis !== null && !saysNothing(synthesis.summary)
  if (isSaying) return 'answer'
  if (synthesis !== null && hasPoints(state)) return 'answer'
  if (limit !== null) return 'cut_off'
  if (error !== null) return 'failed'
  if (papers.length === 0) return 'no_papers'
  return kept.length === 0 ? 'none_kept' : 'no_evidence'
}

function hasPoints({ synthesis }: PapersState): boolean {
  const { consensus = [], contradictions = [] } = synthesis ?? {}
  return consensus.length + contradictions.length > 0
}

/** How the run ended, and why. A passing failure from which nothing came leaves it failed, so that it can be resumed. */
export function outcomeOf(
  { limit, error }: PapersState,
  kind: EndKind,
  gaps: readonly Gap[],
): { readonly status: PapersResult['status']; readonly stopReason: PapersStop } {
  if (kind === 'failed') return { status: 'failed', stopReason: 'error' }
  if (kind === 'cut_off') return { status: 'unanswered', stopReason: 'limit' }
  if (kind !== 'answer') return { status: 'unanswered', stopReason: kind }
  if (error !== null) return { status: 'partial', stopReason: 'error' }
  if (limit !== null) return { status: 'partial', stopReason: 'limit' }
  const isPartial = gaps.some((gap) => partialGaps.has(gap.kind))
  return isPartial
    ? { status: 'partial', stopReason: 'gaps' }
    : { status: 'answered', stopReason: 'answered' }
}

const partialGaps: ReadonlySet<Gap['kind']> = new Set([
  'no_evidence',
  'tool_failed',
  'unsupported_answer',
  'claim_dropped',
  'cut_off',
])

/** What is missing, beside what was noted on the way: sentences of the summary that do not hold. */
export function findGaps({ summaryClaims }: PapersState): readonly Gap[] {
  const lost = summaryClaims.filter(({ verdict }) => verdict === 'not_found')
  const wrong = summaryClaims.filter(isWrong)
  if (wrong.length === 0 && lost.length * 2 <= summaryClaims.length) return []
  const bad = new Set([...lost, ...wrong]).size
  const detail = `Of ${summaryClaims.length} sentences of the summary, ${bad} cannot be found in the papers that they cite, say something else, or cite none.`
  return [{ kind: 'unsupported_answer', detail }]
}

function isWrong({ verdict, judge, citations }: Claim): boolean {
  if (verdict === 'altered' || verdict === 'contradicted') return true
  return verdict === 'not_found' && citations.length > 0 && judge !== 'code'
}
