import type { ReadPassage } from './claim.ts'

/** A research request and its result, with citations as `[n]`. */
export type ResearchResult = {
  readonly request: string
  readonly result: string
}

/** An earlier question with its answer; without an answer if the turn is too far back. */
export type Turn = {
  readonly question: string
  readonly answer?: string
}

/** The conversation before a question. */
export type EarlierTurns = {
  /** Oldest first; the question may omit what these contain. */
  readonly earlierTurns?: readonly Turn[]
}

/** The planner's input. `feedback` is its critic's, if an earlier plan was rejected. */
export type PlannerInput = EarlierTurns & {
  readonly question: string
  readonly feedback: string | null
}

/** The planner's output. */
export type PlannerOutput = {
  readonly research_steps: readonly string[]
  readonly expert_steps: readonly string[]
  /** For each research step, the numbers (from 1) of the earlier steps it needs. Absent if none needs another. */
  readonly needs?: readonly (readonly number[])[]
}

/** The researcher's input: one research step. */
export type ResearcherInput = EarlierTurns & {
  readonly question: string
  readonly request: string
  readonly feedback: string | null
  /** What the steps that this one needs have found, with numbers that can be cited. */
  readonly earlier?: readonly ResearchResult[]
}

/** The researcher's output: sentences with citations `[n]`, or that the sources do not say. */
export type ResearcherOutput = {
  readonly result: string
}

/** The expert's input. */
export type ExpertInput = EarlierTurns & {
  readonly question: string
  readonly expert_steps: readonly string[]
  readonly research: readonly ResearchResult[]
  readonly feedback: string | null
}

/** The expert's output. */
export type ExpertOutput = {
  readonly expert_answer: string
  readonly reasoning_trace: string
}

/** The critic's input. */
export type CriticInput = EarlierTurns &
  (
    | { readonly work: 'planner'; readonly question: string; readonly plan: PlannerOutput }
    | {
        readonly work: 'researcher'
        readonly question: string
        readonly request: string
        readonly result: string
        /** The passages read for it. */
        readonly evidence: readonly ReadPassage[]
      }
    | {
        readonly work: 'expert'
        readonly question: string
        readonly research: readonly ResearchResult[]
        readonly answer: ExpertOutput
        /** The passages under the numbers that the answer cites. */
        readonly evidence: readonly ReadPassage[]
      }
  )

/** The critic's output. */
export type CriticOutput = {
  readonly decision: 'approve' | 'reject'
  readonly feedback: string
}

/** The finalizer's input. */
export type FinalizerInput = {
  readonly question: string
  readonly research_steps: readonly string[]
  readonly expert_steps: readonly string[]
  readonly research: readonly ResearchResult[]
  readonly expert_answer: string
  readonly expert_reasoning: string
  /** Absent for sentences with their citations. */
  readonly answer_format?: 'short'
}

/** The finalizer's output. */
export type FinalizerOutput = {
  readonly final_answer: string
  readonly final_reasoning_trace: string
}

/** The sentence of a result without evidence: the sources do not answer. It is never a claim. */
export const noEvidenceText = 'The sources do not say.'

/** The answer if nothing could be read of what was named and there is nothing else to search; no model is asked. */
export const noneReadText = 'None of the sources could be read.'

/** The fixed text of an answer after the critics' limit was reached. */
export const notAnsweredText = 'The question could not be answered.'

/** The fixed text of an answer if nothing was found before a limit ended the work. */
export const nothingFoundText = 'The work ended before anything was found.'

/** The length limit for fixed texts, including quotes and marks around them. */
const maxNothing = 200

/** Whether a text is {@link noEvidenceText} or another fixed text without claims, ignoring case, quotes and full stop. */
export function saysNothing(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length <= maxNothing && emptyAnswers.has(bare(trimmed))
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/^[\s"'“”‘’*_`]+|[\s"'“”‘’*_`.!]+$/g, '')
}

const emptyAnswers: ReadonlySet<string> = new Set(
  [noEvidenceText, notAnsweredText, nothingFoundText].map(bare),
)

/** The result of a library search: passages under their citation numbers. */
export type SearchOutput = {
  readonly query: string
  readonly passages: readonly ShownPassage[]
}

/** A passage as tools show it to a model. */
export type ShownPassage = ReadPassage & {
  readonly title: string
}

/** The result of the calculator or the unit converter. */
export type CalculationOutput = {
  readonly expression: string
  readonly result: string
}
