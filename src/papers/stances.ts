import type { Claim, Evidence, Verdict } from '../citations/claim.ts'
import { createOutcome } from '../claims/check/outcome.ts'
import { createPassagePreparer, type SourcePassage } from '../claims/check/source-passage.ts'
import { findQuote } from '../claims/verify/read-verdicts.ts'
import { checkStatements, type Read, type Statement } from './check-statements.ts'
import type { DraftSide } from './draft-points.ts'
import type { PaperStance } from './result.ts'

/** One paper of one side of a point: what it is said to say, and the words that were given for it. */
export interface StanceToCheck extends Statement {
  readonly paperId: string
  readonly quotes: readonly string[]
}

/** The stances of a side that are to be checked, one for each of its papers. */
export function stancesOfSide({ says, papers }: DraftSide): readonly StanceToCheck[] {
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
export function checkStances(stances: readonly StanceToCheck[], read: Read): readonly Claim[] {
  const byCode = checkStatements(stances, read)
  const { passages, prepare = createPassagePreparer() } = read
  const passagesOf = (n: number) => passages.filter((one) => one.n === n).map((one) => prepare(one))
  return stances.map((stance, index) => {
    const claim = byCode[index] as Claim
    return stance.quotes.length === 0 ? claim : withQuotes(claim, stance, passagesOf(stance.n))
  })
}

function withQuotes(claim: Claim, { quotes }: StanceToCheck, own: readonly SourcePassage[]): Claim {
  const places = quotes.flatMap((quote) => findQuote(quote, own, fewestQuoted) ?? [])
  const { evidence } = createOutcome('unchecked', '', places)
  if (settled.has(claim.verdict)) return { ...claim, evidence: joined(claim.evidence, evidence) }
  if (evidence.length > 0)
    return {
      ...claim,
      verdict: claim.verdict === 'partial' ? 'partial' : 'unchecked',
      evidence: joined(evidence, claim.evidence),
      reason: `The quoted words stand there; whether they say this is not decided by code. ${claim.reason}`,
    }
  return {
    ...claim,
    reason: `The words that were quoted do not stand there, or are too few. ${claim.reason}`,
  }
}

/** Nobody may have judged what a quotation shows, and "of the study" stands in any paper. */
const fewestQuoted = 5

/** What code is sure of. */
const settled: ReadonlySet<Claim['verdict']> = new Set(['verbatim', 'supported', 'altered'])

/** The places of both lists but for those that touch one that is there already. */
function joined(first: readonly Evidence[], others: readonly Evidence[]): readonly Evidence[] {
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
  return { paperId, n, stance: stanceOf(verdict), verdict, evidence, judge, reason }
}

function stanceOf(verdict: Claim['verdict']): PaperStance['stance'] {
  if (verdict === 'contradicted') return 'disputes'
  return verdict === 'altered' ? 'differs' : 'supports'
}

/** Whether a page bears a stance out, or may: it is shown, and nobody found that it says otherwise. */
export function standsOnPage({ verdict, evidence }: PaperStance): boolean {
  return evidence.length > 0 && !isRefuted(verdict)
}

/** Whether a check found that its pages do not say it, or could not read them. */
export function isRefuted(verdict: Verdict): boolean {
  return refuting.has(verdict)
}

const refuting: ReadonlySet<Verdict> = new Set([
  'altered',
  'contradicted',
  'not_found',
  'unavailable',
])
