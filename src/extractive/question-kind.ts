import type { Dimension } from './units.ts'

/** What kind of answer a question wants. */
export type AnswerKind =
  | 'definition'
  | 'meaning'
  | 'person'
  | 'time'
  | 'place'
  | 'amount'
  | 'reason'
  | 'yes-no'
  | 'manner'
  | 'general'

/** What an amount must count or measure. */
export interface WantedAmount {
  /** What the figure may measure; empty for any figure. */
  readonly dimensions: readonly Dimension[]
  /** Stems one of which must show that this is what is measured ("long", "length"); empty when the unit alone does. */
  readonly cues: ReadonlySet<string>
  /** Stems of what is counted; empty when nothing is. */
  readonly counted: ReadonlySet<string>
}

/** The form of a question: its kind and what the kind needs. */
export interface QuestionForm {
  readonly kind: AnswerKind
  /** What is asked about, for a definition or a meaning. */
  readonly topic?: string
  readonly amount?: WantedAmount
  /** "Who was the captain of the ship": the office whose holder is wanted. */
  readonly office?: string
  /** "Which country", "which women": what is asked for is named, not only told of. */
  readonly isChoice?: boolean
  /** Stems that the kind of answer already stands for. */
  readonly taken: ReadonlySet<string>
}
