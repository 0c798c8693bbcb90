import type { Claim } from '../citations/claim.ts'
import { saysNothing } from '../citations/role-input.ts'
import { splitClaims } from '../claims/check/parse-claims.ts'
import type { PreparePassage } from '../claims/check/source-passage.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import { applyOpinions, selectClaimsToJudge } from '../claims/verify/opinions.ts'
import type { Patch } from '../graph/graph.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { askVerifier } from '../team/ask-verifier.ts'
import { readEvidence } from '../team/evidence.ts'
import { type Read, uncheckedClaims } from './check-statements.ts'
import { type ClearedSummary, checkSummary, clearSummary, strictSummary } from './check-summary.ts'
import { composeSummary } from './compose-summary.ts'
import { type DraftPoints, draftPoints } from './draft-points.ts'
import { finalShare } from './final-share.ts'
import { holdPoints, type PointStances } from './hold-points.ts'
import type { PapersParts } from './parts.ts'
import { checkStances, type StanceToCheck, stancesOfSide, toStance } from './stances.ts'
import { type KeptPaper, keptPapers, type PapersState } from './state.ts'

const nothing = { consensus: [], contradictions: [], gaps: [], summary: '' } as const

/**
 * Holds the synthesizer's draft against the pages that were read: every point paper by paper, every sentence of the summary. The
 * verifier is asked about what code leaves open, all at once. Without a draft code composes the summary.
 * @param prepare has made ready what the analyses were held against
 */
export function claimsNode(parts: PapersParts, prepare: PreparePassage) {
  return async (state: PapersState, node: RunContext): Promise<Patch<PapersState>> => {
    // What was found is checked also after the time limit, but no model is asked any more.
    const timeless = node.child('final', { share: finalShare, isTimeless: true })
    const context = node.child('models', { share: finalShare })
    const kept = keptPapers(state)
    const numbers = kept.map(({ n }) => n)
    const references = state.passages.filter(({ n }) => numbers.includes(n))
    const passages = await readEvidence(timeless, parts.library, references)
    const read: Read = { passages, citations: state.citations, prepare }
    const points = draftPoints(state.draft ?? nothing, kept, read)
    const written = summaryOf(state, kept)
    const cleared = clearSummary(written, numbers, read)
    return judge(parts, state, context, { kept, points, read, cleared })
  }
}

/** The draft's summary, or what code composes where there is none. */
function summaryOf({ draft }: PapersState, kept: readonly KeptPaper[]): string {
  const written = toInertMarkdown(draft?.summary ?? '').trim()
  return written === '' || saysNothing(written) ? composeSummary(kept) : written
}

interface Drafted {
  readonly kept: readonly KeptPaper[]
  readonly points: DraftPoints
  readonly read: Read
  readonly cleared: ClearedSummary
}

async function judge(
  parts: PapersParts,
  state: PapersState,
  context: RunContext,
  { kept, points, read, cleared }: Drafted,
): Promise<Patch<PapersState>> {
  const policy = state.claims
  const toCheck = allStances(points)
  const stanceClaims = checkStances(toCheck, read)
  const summaryClaims = checkSummary(cleared.summary, read)
  const isOff = policy === 'off'
  const asked = selectClaimsToJudge(
    [...stanceClaims, ...summaryClaims],
    read.passages,
    read.citations,
  )
  const { answers, gaps } = isOff
    ? { answers: [], gaps: [] }
    : await askVerifier(parts, context, asked, read.prepare)
  const judged = (claims: readonly Claim[]) =>
    isOff ? uncheckedClaims(claims) : applyOpinions(claims, answers)
  const stances = judged(stanceClaims).map((claim, index) =>
    // Words that were looked up are shown, whoever judges.
    toStance(toCheck[index] as StanceToCheck, withPlace(claim, stanceClaims[index] as Claim)),
  )
  const { refused, ...held } = holdPoints(points, inPlaces(points, stances), policy)
  const marked = { summary: cleared.summary, claims: judged(summaryClaims), gaps: [] }
  const {
    summary,
    claims,
    gaps: lost,
  } = policy === 'strict' ? onlyHeld(marked, kept, read) : marked
  return {
    synthesis: { ...held, summary, confidence: confidenceOf(state, kept) },
    refused,
    summaryClaims: claims,
    gaps: [...gaps, ...cleared.gaps, ...lost],
  }
}

/** A summary with its claims as they were judged. */
interface JudgedSummary extends ClearedSummary {
  readonly claims: readonly Claim[]
}

/** A summary with only what its pages bear out; where nothing does, what code composes of findings that hold word for word. */
function onlyHeld(
  { summary, claims }: JudgedSummary,
  kept: readonly KeptPaper[],
  read: Read,
): JudgedSummary {
  const left = strictSummary(summary, claims)
  const remaining = new Set(splitClaims(left.summary).map(({ text }) => text))
  if (remaining.size > 0)
    return { ...left, claims: claims.filter(({ text }) => remaining.has(text)) }
  const composed = composeSummary(kept)
  const checked = checkSummary(composed, read)
  const { summary: held } = strictSummary(composed, checked)
  const heldTexts = new Set(splitClaims(held).map(({ text }) => text))
  return {
    summary: held,
    claims: checked.filter(({ text }) => heldTexts.has(text)),
    gaps: left.gaps,
  }
}

/** A claim with the place that code found for it, where its judge names none. */
function withPlace(claim: Claim, { evidence }: Claim): Claim {
  const isOpen = claim.verdict !== 'not_found' && claim.evidence.length === 0
  return isOpen ? { ...claim, evidence } : claim
}

function allStances({ consensus, contradictions, gaps }: DraftPoints): readonly StanceToCheck[] {
  const sides = [...consensus, ...contradictions.flatMap(({ a, b }) => [a, b]), ...gaps]
  return sides.flatMap(stancesOfSide)
}

/** The stances, which are in the order of {@link allStances}, by the point that they belong to. */
function inPlaces(
  { consensus, contradictions, gaps }: DraftPoints,
  stances: readonly ReturnType<typeof toStance>[],
): PointStances {
  let from = 0
  const take = ({ papers }: { readonly papers: readonly unknown[] }) => {
    from += papers.length
    return stances.slice(from - papers.length, from)
  }
  return {
    consensus: consensus.map(take),
    contradictions: contradictions.map(({ a, b }) => ({ a: take(a), b: take(b) })),
    gaps: gaps.map(take),
  }
}

/** How much of its papers a synthesis rests on, 0 to 1; 0 where it failed. */
function confidenceOf({ draft }: PapersState, kept: readonly KeptPaper[]): number {
  if (draft === null || kept.length === 0) return 0
  const sum = kept.reduce((total, { analysis }) => total + analysis.confidence, 0)
  return Number((sum / kept.length).toFixed(4))
}
