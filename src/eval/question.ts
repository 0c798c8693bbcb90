/** A text that a record brings with it, in which its answer is to be found. */
export interface ContextText {
  readonly title: string
  readonly text: string
}

/** What a record of a question set comes to. */
export interface Draft {
  /** Default: the line that it stands on. */
  readonly id?: string
  /** As the team is asked it. */
  readonly question: string
  /** Answers that count as right; none where the right answer is not known. */
  readonly answers: readonly string[]
  /** The words of which the answer is one, where the set has such. */
  readonly labels?: readonly string[]
  /** Files and folders beside the question set in which the answer is to be found. */
  readonly files?: readonly string[]
  readonly context?: readonly ContextText[]
}

/** One question of a set. */
export interface EvalQuestion extends Required<Omit<Draft, 'labels'>> {
  /** The name of the set that it was recognised as. */
  readonly set: string
  /** Where it stands in the file, from 1. */
  readonly line: number
  /** Empty: the set has no labels. */
  readonly labels: readonly string[]
}

/** A line that is no question, and why. */
export interface RefusedLine {
  readonly line: number
  readonly reason: string
}
