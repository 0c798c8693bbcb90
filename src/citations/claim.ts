import type { CslItem, PassageId, SourceId } from './source.ts'

/** A number of the run's index and its source. Numbers count from 1 in the order in which sources were read. */
export type CitedSource = {
  readonly n: number
  readonly sourceId: SourceId
  readonly title: string
  readonly url?: string
  readonly path?: string
  readonly csl: CslItem
}

/** A passage read in a run, under its source's number. It has no text, since it is part of the run's state. */
export type PassageReference = {
  readonly n: number
  readonly passageId: PassageId
  readonly sourceId: SourceId
  readonly start: number
  readonly end: number
  readonly page?: number
  readonly section?: string
}

/** A passage with its text, and the title of its source where a model is shown it. */
export type ReadPassage = PassageReference & { readonly text: string; readonly title?: string }

/** Every verdict. */
export const verdictNames = [
  'verbatim',
  'supported',
  'altered',
  'partial',
  'contradicted',
  'not_found',
  'unavailable',
  'unchecked',
] as const

/**
 * Whether a cited place says what a sentence says.
 *
 * - `verbatim`: word for word; `supported`: the same in other words
 * - `altered`: the sentence differs from its source in a number, a unit, a name, a thing of the same class, a negation, a
 *   direction, a degree or a role
 * - `partial`: only a part of the sentence stands there
 * - `contradicted`: the place says the opposite; code never gives this verdict, only a verifier model
 * - `not_found`: no place that was read under the sentence's numbers has it, or not all of its {@link Claim.numbers}; a citation
 *   refers to nothing; or it cites nothing
 * - `unavailable`: the cited text can no longer be read
 * - `unchecked`: nothing decided it, such as the result of a calculation, or a check that was turned off
 */
export type Verdict = (typeof verdictNames)[number]

/** The words of a source that support a verdict; `start` and `end` count UTF-16 code units in the source's snapshot. */
export type Evidence = {
  readonly n: number
  readonly passageId: PassageId
  readonly quote: string
  readonly start: number
  readonly end: number
  readonly page?: number
  /** The nearest heading above: a chapter, a workbook's sheet, a slide's title. */
  readonly section?: string
}

/** A sentence of an answer with the result of its check. */
export type Claim = {
  readonly text: string
  /** The numbers that the sentence cites, in order, each once. */
  readonly citations: readonly number[]
  readonly verdict: Verdict
  readonly evidence: readonly Evidence[]
  /** Who judged: `code`, the name of a model, or `none` if the check was turned off. */
  readonly judge: string
  /** Why, in one sentence; for `altered` with the words that differ. */
  readonly reason: string
  /** A different verdict of another judge, or `unchecked` with the reason why it gave none. */
  readonly secondOpinion?: SecondOpinion
  /** What code found `altered`. A verifier may overrule it for `words` only. */
  readonly alteration?: Alteration
  /** The numbers of the sentence, as printed, that neither its passages nor a calculation that it shows give. */
  readonly numbers?: readonly string[]
  /** Code found the sentence `altered`, and a verifier that quoted its source overruled it. */
  readonly disputedBy?: 'code'
}

/** What is altered: a number or unit, the words of a quotation, an address, or other words. */
export type Alteration = 'number' | 'quotation' | 'address' | 'words'

/** One judge's verdict on a sentence. */
export type Opinion = Pick<Claim, 'verdict' | 'evidence' | 'judge' | 'reason'>

/** An opinion that did not count. */
export type SecondOpinion = Omit<Opinion, 'evidence'>

/**
 * How many claims there are, by verdict. `claims` is the sum of `checked`, `unchecked`, `unavailable` and `uncited`: what cites
 * nothing is counted apart and not as `notFound`.
 */
export type Coverage = {
  readonly claims: number
  readonly checked: number
  readonly uncited: number
  readonly verbatim: number
  readonly supported: number
  readonly altered: number
  readonly partial: number
  readonly contradicted: number
  readonly notFound: number
  /** Of those not found, how many have {@link Claim.numbers} that stand nowhere. */
  readonly numbersNotFound: number
  readonly unavailable: number
  readonly unchecked: number
}
