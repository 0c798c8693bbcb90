import type { Claim, Opinion, ReadPassage, SecondOpinion, Verdict } from '../../citations/claim.ts'
import type { MintedNumber } from '../../citations/ledger.ts'
import { splitClaims } from '../check/parse-claims.ts'

/** A claim that a model is asked about, with the passages read under its numbers. */
export interface ClaimToJudge {
  /** The claim with the verdict of code. */
  readonly claim: Claim
  readonly passages: readonly ReadPassage[]
  /** The sentence before it, where that may say what it is about: "It is faster [1]." */
  readonly before?: string
}

/** A model's opinion on the sentence with this text. */
export type ClaimOpinion = Opinion & { readonly text: string }

/**
 * Selects the claims to ask a model about: those that code has not decided, if all their numbers exist and at least one passage
 * is readable.
 */
export function selectClaimsToJudge(
  claims: readonly Claim[],
  passages: readonly ReadPassage[],
  citations: readonly MintedNumber[],
): readonly ClaimToJudge[] {
  return selectShowableClaims(claims.filter(mayBeJudged), passages, citations)
}

/** The claims that can be shown to a model: those of which all numbers exist and at least one passage is readable. */
export function selectShowableClaims(
  claims: readonly Claim[],
  passages: readonly ReadPassage[],
  citations: readonly MintedNumber[],
): readonly ClaimToJudge[] {
  const readable = passages.filter(({ text }) => text !== '')
  const known = new Set(citations.map(({ n }) => n))
  return claims.flatMap((claim) => {
    const cited = readable.filter(({ n }) => claim.citations.includes(n))
    const isShowable = cited.length > 0 && claim.citations.every((n) => known.has(n))
    return isShowable ? [{ claim, passages: cited }] : []
  })
}

/**
 * Adds the sentence {@link ClaimToJudge.before}, or the run-in heading right before, where it is needed. `claims` are all claims of
 * `text`, in order.
 */
export function addSentencesBefore(
  asked: readonly ClaimToJudge[],
  claims: readonly Claim[],
  text: string,
): readonly ClaimToJudge[] {
  const places = new Map(claims.map((claim, index) => [claim, index]))
  const starts = splitClaims(text).map(({ start }) => start)
  return asked.map((one) => {
    const index = places.get(one.claim) ?? -1
    if (!backward.test(one.claim.text)) return one
    const heading = runInHeading.exec(text.slice(0, starts[index] ?? 0))?.[0].trim()
    const before = heading ?? claims[index - 1]?.text
    return before === undefined ? one : { ...one, before }
  })
}

/** "**Citation quality.**" at the end of a text. */
const runInHeading = /(?<![*_])(\*\*|__)(?![\s*_])[^*_\n]{1,120}[.!:]?\1[.:]?\s*$/

/** The beginning of a sentence whose subject may be in the one before. */
const backward =
  /^[^\p{L}]*(?:(?:it|they|he|she|this|that|these|those|its|their|them|both|neither|such|here|there)\b(?!['’])|the (?:former|latter|same|other|two)\b)/iu

/** Verdicts that code gives itself; otherwise the model's verdict counts. */
const decided: ReadonlySet<Verdict> = new Set(['verbatim', 'supported', 'altered', 'unavailable'])

function isDecided(claim: Claim): boolean {
  return decided.has(claim.verdict) || hasMissingNumbers(claim)
}

/** Whether a model's verdict may count: code has not decided, or found other words than its source has. */
function mayBeJudged(claim: Claim): boolean {
  return !isDecided(claim) || claim.alteration === 'words'
}

/** Whether a claim has a number that stands nowhere. */
export function hasMissingNumbers({ verdict, numbers = [] }: Claim): boolean {
  return verdict === 'not_found' && numbers.length > 0
}

/**
 * Whether the source of a citing claim says otherwise, lacks one of its numbers, or has nothing of it according to a model. That
 * code alone found nothing similar proves nothing.
 */
export function isWrong(claim: Claim): boolean {
  const { verdict, citations, judge } = claim
  if (verdict === 'altered' || verdict === 'contradicted') return true
  if (verdict !== 'not_found' || citations.length === 0) return false
  return judge !== 'code' || hasMissingNumbers(claim)
}

/** Whether a claim cites nothing and was not calculated. */
export function isUncited({ verdict, citations }: Claim): boolean {
  return verdict === 'not_found' && citations.length === 0
}

/**
 * Combines the verdict of code with a model's opinion. If code has decided, its verdict stays and a different opinion is
 * attached; but `supported`, for which a model quotes the source, overrules an alteration that is neither of a number, a
 * quotation nor an address, and the claim is then {@link Claim.disputedBy} code. Otherwise the model's verdict counts; an
 * `unchecked` opinion only gives the reason.
 */
export function applyOpinion(claim: Claim, opinion: Opinion | undefined): Claim {
  if (opinion === undefined) return claim
  const { verdict, evidence, judge, reason } = opinion
  const isOverruled = claim.alteration === 'words' && verdict === 'supported'
  if (isDecided(claim) && !isOverruled) {
    const isSame = verdict === claim.verdict || verdict === 'unchecked'
    return isSame ? claim : { ...claim, secondOpinion: toSecondOpinion(opinion) }
  }
  if (verdict === 'unchecked') return { ...claim, secondOpinion: toSecondOpinion(opinion) }
  const { text, citations } = claim
  // A verbatim quotation counts for something, whatever the model says.
  const isContested = isOverruled || (claim.verdict === 'partial' && verdict !== 'partial')
  const own = isContested ? { secondOpinion: toSecondOpinion(claim) } : {}
  const dispute = isOverruled ? { disputedBy: 'code' as const } : {}
  return { text, citations, verdict, evidence, judge, reason, ...own, ...dispute }
}

function toSecondOpinion({ judge, verdict, reason }: Opinion): SecondOpinion {
  return { judge, verdict, reason }
}

/** Applies a model's opinions to the claims with the same text. */
export function applyOpinions(
  claims: readonly Claim[],
  opinions: readonly ClaimOpinion[],
): readonly Claim[] {
  const byText = new Map(opinions.map((opinion) => [opinion.text, opinion]))
  return claims.map((claim) => applyOpinion(claim, byText.get(claim.text)))
}

/** Opinions that say why a model has not judged these claims. */
export function toUnjudged(
  asked: readonly ClaimToJudge[],
  judge: string,
  why: string,
): readonly ClaimOpinion[] {
  const reason = `Not judged by a model: ${why}`
  return asked.map(({ claim: { text } }) => ({
    text,
    verdict: 'unchecked',
    evidence: [],
    judge,
    reason,
  }))
}

/** Whether its source supports the claim. */
export function isSupported({ verdict }: Pick<Claim, 'verdict'>): boolean {
  return verdict === 'verbatim' || verdict === 'supported'
}
