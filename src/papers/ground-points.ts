import type { Claim, Evidence, Verdict } from '../citations/claim.ts'
import { createOutcome } from '../claims/check/outcome.ts'
import { createPassagePreparer, type SourcePassage } from '../claims/check/source-passage.ts'
import { isSupported } from '../claims/verify/opinions.ts'
import { findQuote } from '../claims/verify/read-verdicts.ts'
import { type CheckSources, checkStatements, type Statement } from './check-statements.ts'
import type { DraftPoints, DraftSide } from './draft-points.ts'
import type { PaperStance, RefusedPoint, Synthesis } from './result.ts'
import type { PapersClaimPolicy } from './state.ts'

/** The stances on each side of a draft's points, in their order. */
export interface PointStances {
  readonly consensus: readonly (readonly PaperStance[])[]
  readonly contradictions: readonly {
    readonly a: readonly PaperStance[]
    readonly b: readonly PaperStance[]
  }[]
  readonly gaps: readonly (readonly PaperStance[])[]
}

/** The points that are grounded in pages, and the refused ones with the reason. */
export interface GroundedPoints extends Pick<Synthesis, 'consensus' | 'contradictions' | 'gaps'> {
  readonly refused: readonly RefusedPoint[]
}

/**
 * Keeps the points of a draft that checked stances support. A paper with no page that shows a point is removed from it.
 * A consensus needs two papers, each side of a contradiction one. Under `strict`, only stances judged supported count.
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
  return policy === 'strict' ? (stance) => isSupported(stance) : isOnPage
}

/** Whether a paper that does not support a point is listed with it, because its page says otherwise. */
function isShownAgainst({ verdict, evidence }: PaperStance, policy: PapersClaimPolicy): boolean {
  const isAgainst = verdict === 'contradicted' || verdict === 'altered'
  return policy === 'mark' && isAgainst && evidence.length > 0
}

function describeRefusal(kind: RefusedPoint['kind'], policy: PapersClaimPolicy): string {
  const shown = policy === 'strict' ? 'is supported by' : 'can be shown on a page of'
  if (kind === 'consensus') return `It ${shown} fewer than two papers.`
  if (kind === 'contradiction') return `One of its sides ${shown} no paper.`
  return `It ${shown} no paper.`
}

function describeLoss({ n, reason }: PaperStance): string {
  return `[${n}] ${reason}`
}

/** One paper on one side of a point: the statement attributed to it and the quotations given. */
export interface StanceToCheck extends Statement {
  readonly paperId: string
  readonly quotes: readonly string[]
}

/** The stances of a side to check, one per paper. */
export function listStancesToCheck({ says, papers }: DraftSide): readonly StanceToCheck[] {
  return papers.map(({ kept: { n, paper }, quotes }) => ({
    text: says,
    n,
    paperId: paper.id,
    quotes,
  }))
}

/**
 * Checks stances by code; verdicts come in their order. Quotations are looked up in the paper. If one is found and code
 * cannot tell whether it supports the point, it becomes the evidence and the verdict stays open.
 */
export function checkStances(
  stances: readonly StanceToCheck[],
  read: CheckSources,
): readonly Claim[] {
  const byCode = checkStatements(stances, read)
  const { passages, prepare = createPassagePreparer() } = read
  const passagesOf = (n: number) => passages.filter((one) => one.n === n).map((one) => prepare(one))
  return stances.map((stance, index) => {
    const claim = byCode[index] as Claim
    return stance.quotes.length === 0 ? claim : withQuotes(claim, stance, passagesOf(stance.n))
  })
}

function withQuotes(claim: Claim, { quotes }: StanceToCheck, own: readonly SourcePassage[]): Claim {
  const places = quotes.flatMap((quote) => findQuote(quote, own, minQuotedWords) ?? [])
  const { evidence } = createOutcome('unchecked', '', places)
  if (certainVerdicts.has(claim.verdict))
    return { ...claim, evidence: mergePlaces(claim.evidence, evidence) }
  if (evidence.length > 0)
    return {
      ...claim,
      verdict: claim.verdict === 'partial' ? 'partial' : 'unchecked',
      evidence: mergePlaces(evidence, claim.evidence),
      reason: `The quotation is there; code could not decide whether it supports this. ${claim.reason}`,
    }
  return {
    ...claim,
    reason: `The quotation is not there or is too short. ${claim.reason}`,
  }
}

/** A quotation may be all the evidence there is, and "of the study" occurs in any paper. */
const minQuotedWords = 5

/** Verdicts that code is sure of. */
const certainVerdicts: ReadonlySet<Claim['verdict']> = new Set(['verbatim', 'supported', 'altered'])

/** The places of both lists, without those that overlap an earlier one. */
function mergePlaces(first: readonly Evidence[], others: readonly Evidence[]): readonly Evidence[] {
  const places: Evidence[] = []
  for (const place of [...first, ...others]) {
    const isKnown = places.some(({ start, end }) => start < place.end && place.start < end)
    if (!isKnown) places.push(place)
  }
  return places
}

/** A checked stance. A contradicted claim counts as `disputes`, an altered one as `differs`. */
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

/** Whether a stance has a page as evidence and was not refuted. */
export function isOnPage({ verdict, evidence }: PaperStance): boolean {
  return evidence.length > 0 && !isRefuted(verdict)
}

/** Whether the check refuted a claim or could not read its pages. */
export function isRefuted(verdict: Verdict): boolean {
  return refutingVerdicts.has(verdict)
}

const refutingVerdicts: ReadonlySet<Verdict> = new Set([
  'altered',
  'contradicted',
  'not_found',
  'unavailable',
])
