import type { Claim, Evidence, Verdict } from '../citations/claim.ts'
import { outcome } from '../claims/check/outcome.ts'
import { rememberPassages, type SourcePassage } from '../claims/check/source-text.ts'
import { isBorneOut } from '../claims/verify/opinions.ts'
import { findQuote } from '../claims/verify/read-verdicts.ts'
import { type CheckSources, checkStatements, type Statement } from './check-statements.ts'
import type { DraftPoints, DraftSide } from './draft-points.ts'
import type { PaperStance, RefusedPoint, Synthesis } from './result.ts'
import type { PapersClaimPolicy } from './state.ts'

/** The stances of each side of a draft's points, in their order. */
export interface PointStances {
  readonly consensus: readonly (readonly PaperStance[])[]
  readonly contradictions: readonly {
    readonly a: readonly PaperStance[]
    readonly b: readonly PaperStance[]
  }[]
  readonly gaps: readonly (readonly PaperStance[])[]
}

/** The points that stand on pages, and those that do not with the reason. */
export interface GroundedPoints extends Pick<Synthesis, 'consensus' | 'contradictions' | 'gaps'> {
  readonly refused: readonly RefusedPoint[]
}

/**
 * What is left of a draft's points when its stances are checked. A paper of which no page shows a point is taken from it; a
 * consensus needs two papers that are left, each side of a contradiction one. Under `strict` only what is borne out counts.
 */
export function groundPoints(
  points: DraftPoints,
  stances: PointStances,
  policy: PapersClaimPolicy,
): GroundedPoints {
  const refused: RefusedPoint[] = [...points.refused]
  const isSupport = isSupportUnder(policy)
  const refuse = (kind: RefusedPoint['kind'], text: string, lost: readonly PaperStance[]) => {
    const reason = `${describeRefusal(kind, policy)} ${lost.map(describeLoss).join(' ')}`
    refused.push({ kind, text, reason: reason.trim() })
    return []
  }
  const consensus = points.consensus.flatMap(({ says }, index) => {
    const all = stances.consensus[index] ?? []
    const count = all.filter(isSupport).length
    if (count < 2)
      return refuse(
        'consensus',
        says,
        all.filter((one) => !isSupport(one)),
      )
    return [
      { point: says, stances: all.filter((one) => isSupport(one) || isShownAgainst(one, policy)) },
    ]
  })
  const contradictions = points.contradictions.flatMap(({ description, context, a, b }, index) => {
    const all = stances.contradictions[index] ?? { a: [], b: [] }
    const [ofA, ofB] = [all.a.filter(isSupport), all.b.filter(isSupport)]
    if (ofA.length === 0 || ofB.length === 0)
      return refuse(
        'contradiction',
        description,
        [...all.a, ...all.b].filter((one) => !isSupport(one)),
      )
    const sides = { sideA: { says: a.says, stances: ofA }, sideB: { says: b.says, stances: ofB } }
    return [{ description, context, ...sides }]
  })
  const gaps = points.gaps.flatMap(({ says }, index) => {
    const all = stances.gaps[index] ?? []
    const held = all.filter(isSupport)
    if (all.length > 0 && held.length === 0) return refuse('gap', says, all)
    return [{ text: says, stances: held }]
  })
  return { consensus, contradictions, gaps, refused }
}

function isSupportUnder(policy: PapersClaimPolicy): (stance: PaperStance) => boolean {
  if (policy === 'off') return () => true
  return policy === 'strict' ? (stance) => isBorneOut(stance) : isOnPage
}

/** Whether a paper that does not support a point is shown beside it: its page says otherwise. */
function isShownAgainst({ verdict, evidence }: PaperStance, policy: PapersClaimPolicy): boolean {
  const isAgainst = verdict === 'contradicted' || verdict === 'altered'
  return policy === 'mark' && isAgainst && evidence.length > 0
}

function describeRefusal(kind: RefusedPoint['kind'], policy: PapersClaimPolicy): string {
  const shown = policy === 'strict' ? 'is borne out by' : 'can be shown on a page of'
  if (kind === 'consensus') return `It ${shown} fewer than two papers.`
  if (kind === 'contradiction') return `One of its sides ${shown} no paper.`
  return `It ${shown} no paper.`
}

function describeLoss({ n, reason }: PaperStance): string {
  return `[${n}] ${reason}`
}

/** One paper of one side of a point: what it is said to say, and the words that were given for it. */
export interface StanceToCheck extends Statement {
  readonly paperId: string
  readonly quotes: readonly string[]
}

/** The stances of a side that are to be checked, one for each of its papers. */
export function listStancesToCheck({ says, papers }: DraftSide): readonly StanceToCheck[] {
  return papers.map(({ kept: { n, paper }, quotes }) => ({
    text: says,
    n,
    paperId: paper.id,
    quotes,
  }))
}

/**
 * What code says of stances, in their order. The words that were given for a paper are looked up in what was read of it: where
 * they stand there and code cannot tell whether they say the point, they are the place that is shown, and the verdict stays open.
 */
export function checkStances(
  stances: readonly StanceToCheck[],
  read: CheckSources,
): readonly Claim[] {
  const byCode = checkStatements(stances, read)
  const { passages, prepare = rememberPassages() } = read
  const passagesOf = (n: number) => passages.filter((one) => one.n === n).map((one) => prepare(one))
  return stances.map((stance, index) => {
    const claim = byCode[index] as Claim
    return stance.quotes.length === 0 ? claim : withQuotes(claim, stance, passagesOf(stance.n))
  })
}

function withQuotes(claim: Claim, { quotes }: StanceToCheck, own: readonly SourcePassage[]): Claim {
  const places = quotes.flatMap((quote) => findQuote(quote, own, minQuotedWords) ?? [])
  const { evidence } = outcome('unchecked', '', places)
  if (certainVerdicts.has(claim.verdict))
    return { ...claim, evidence: mergePlaces(claim.evidence, evidence) }
  if (evidence.length > 0)
    return {
      ...claim,
      verdict: claim.verdict === 'partial' ? 'partial' : 'unchecked',
      evidence: mergePlaces(evidence, claim.evidence),
      reason: `The quoted words stand there; whether they say this is not decided by code. ${claim.reason}`,
    }
  return {
    ...claim,
    reason: `The words that were quoted do not stand there, or are too few. ${claim.reason}`,
  }
}

/** Nobody may have judged what a quotation shows, and "of the study" stands in any paper. */
const minQuotedWords = 5

/** What code is sure of. */
const certainVerdicts: ReadonlySet<Claim['verdict']> = new Set(['verbatim', 'supported', 'altered'])

/** The places of both lists but for those that touch one that is there already. */
function mergePlaces(first: readonly Evidence[], others: readonly Evidence[]): readonly Evidence[] {
  const places: Evidence[] = []
  for (const place of [...first, ...others]) {
    const isKnown = places.some(({ start, end }) => start < place.end && place.start < end)
    if (!isKnown) places.push(place)
  }
  return places
}

/** A stance as it is shown. What its paper contradicts is disputed by it, and what is altered is not what it says. */
export function toStance(
  { paperId, n }: StanceToCheck,
  { verdict, evidence, judge, reason }: Claim,
): PaperStance {
  return { paperId, n, stance: toStanceKind(verdict), verdict, evidence, judge, reason }
}

function toStanceKind(verdict: Claim['verdict']): PaperStance['stance'] {
  if (verdict === 'contradicted') return 'disputes'
  return verdict === 'altered' ? 'differs' : 'supports'
}

/** Whether a page bears a stance out, or may: it is shown, and nobody found that it says otherwise. */
export function isOnPage({ verdict, evidence }: PaperStance): boolean {
  return evidence.length > 0 && !isRefuted(verdict)
}

/** Whether a check found that its pages do not say it, or could not read them. */
export function isRefuted(verdict: Verdict): boolean {
  return refutingVerdicts.has(verdict)
}

const refutingVerdicts: ReadonlySet<Verdict> = new Set([
  'altered',
  'contradicted',
  'not_found',
  'unavailable',
])
