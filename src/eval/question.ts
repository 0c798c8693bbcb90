/** A text included in a record, in which its answer can be found. */
export interface ContextText {
  readonly title: string
  readonly text: string
}

/** A question as read from a record. */
export interface Draft {
  /** Default: its line number. */
  readonly id?: string
  /** The question as it is asked. */
  readonly question: string
  /** Correct answers; empty if unknown. */
  readonly answers: readonly string[]
  /** The possible labels, if the set has labels. */
  readonly labels?: readonly string[]
  /** Files and folders next to the question set in which the answer can be found. */
  readonly files?: readonly string[]
  readonly context?: readonly ContextText[]
}

/** One question of a set. */
export interface EvalQuestion extends Required<Omit<Draft, 'labels'>> {
  /** The name of the set it was recognized as. */
  readonly set: string
  /** Its line in the file, from 1. */
  readonly line: number
  /** Empty: the set has no labels. */
  readonly labels: readonly string[]
}

/** A line that is not a question, and why. */
export interface RefusedLine {
  readonly line: number
  readonly reason: string
}
