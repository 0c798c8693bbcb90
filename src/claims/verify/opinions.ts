import type { Claim, Opinion, ReadPassage, SecondOpinion, Verdict } from '../../citations/claim.ts'
import type { MintedNumber } from '../../citations/ledger.ts'

/** A claim that a model is asked about, with what was read under its numbers. */
export interface ClaimToJudge {
  /** As code judged it. */
  readonly claim: Claim
  readonly passages: readonly ReadPassage[]
}

/** A model's opinion of the sentence with this text. */
export type ClaimOpinion = Opinion & { readonly text: string }

/**
 * The claims that a model is asked about: those whose numbers all stand for a source of which something can be read, and that are
 * not there word for word.
 */
export function selectClaimsToJudge(
  claims: readonly Claim[],
  passages: readonly ReadPassage[],
  citations: readonly MintedNumber[],
): readonly ClaimToJudge[] {
  const readable = passages.filter(({ text }) => text !== '')
  const known = new Set(citations.map(({ n }) => n))
  return claims.flatMap((claim) => {
    const cited = readable.filter(({ n }) => claim.citations.includes(n))
    const isShowable = cited.length > 0 && claim.citations.every((n) => known.has(n))
    return isShowable && !neverAsked.has(claim.verdict) ? [{ claim, passages: cited }] : []
  })
}

const neverAsked: ReadonlySet<Verdict> = new Set(['verbatim', 'unavailable'])

/** What code decides by itself; of all else it abstains, and a model's verdict counts. */
const decided: ReadonlySet<Verdict> = new Set(['verbatim', 'supported', 'altered', 'unavailable'])

/**
 * A claim as code judged it, with what a model says of it. Where code has decided, its verdict stays, and another one of the
 * model stands beside it. Where it has not, the model's counts; one that is `unchecked` says why there is none.
 */
export function applyOpinion(claim: Claim, opinion: Opinion | undefined): Claim {
  if (opinion === undefined) return claim
  const { verdict, evidence, judge, reason } = opinion
  if (verdict === 'unchecked')
    return decided.has(claim.verdict)
      ? claim
      : { ...claim, secondOpinion: toSecondOpinion(opinion) }
  if (decided.has(claim.verdict))
    return verdict === claim.verdict ? claim : { ...claim, secondOpinion: toSecondOpinion(opinion) }
  const { text, citations } = claim
  // That a quotation stands there word for word is more than nothing, whatever the model says.
  const isContested = claim.verdict === 'partial' && verdict !== 'partial'
  const own = isContested ? { secondOpinion: toSecondOpinion(claim) } : {}
  return { text, citations, verdict, evidence, judge, reason, ...own }
}

function toSecondOpinion({ judge, verdict, reason }: Opinion): SecondOpinion {
  return { judge, verdict, reason }
}

/** The claims with the opinions of a model, which are found by the sentences' texts. */
export function applyOpinions(
  claims: readonly Claim[],
  opinions: readonly ClaimOpinion[],
): readonly Claim[] {
  const byText = new Map(opinions.map((opinion) => [opinion.text, opinion]))
  return claims.map((claim) => applyOpinion(claim, byText.get(claim.text)))
}

/** Opinions that say of claims why a model has not judged them. */
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

/** Whether a claim is borne out by the place that it cites. */
export function isSupported({ verdict }: Pick<Claim, 'verdict'>): boolean {
  return verdict === 'verbatim' || verdict === 'supported'
}
