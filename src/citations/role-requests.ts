import type { ReadPassage } from './claim.ts'

/** A research request and what came of it, with citations as `[n]`. */
export type ResearchResult = {
  readonly request: string
  readonly result: string
}

/** A question that was asked before, with its answer; without one where the turn is too far back. */
export type Turn = {
  readonly question: string
  readonly answer?: string
}

/** What a question goes on from. */
export type EarlierTurns = {
  /** The oldest first: what the question leaves out is taken from them. */
  readonly earlierTurns?: readonly Turn[]
}

/** What the planner works on. `feedback` is its critic's, when an earlier plan was rejected. */
export type PlannerInput = EarlierTurns & {
  readonly question: string
  readonly feedback: string | null
}

/** What the planner answers. */
export type PlannerOutput = {
  readonly research_steps: readonly string[]
  readonly expert_steps: readonly string[]
  /** For each research step the numbers, from 1, of the earlier ones that it needs. Absent: none needs another. */
  readonly needs?: readonly (readonly number[])[]
}

/** What a researcher works on: one research step. */
export type ResearcherInput = EarlierTurns & {
  readonly question: string
  readonly request: string
  readonly feedback: string | null
  /** What was found by the steps that this one needs, with numbers that can be cited. */
  readonly earlier?: readonly ResearchResult[]
}

/** What a researcher answers: sentences with citations `[n]`, or that the sources do not say. */
export type ResearcherOutput = {
  readonly result: string
}

/** What the expert works on. */
export type ExpertInput = EarlierTurns & {
  readonly question: string
  readonly expert_steps: readonly string[]
  readonly research: readonly ResearchResult[]
  readonly feedback: string | null
}

/** What the expert answers. */
export type ExpertOutput = {
  readonly expert_answer: string
  readonly reasoning_trace: string
}

/** What a critic judges. */
export type CriticInput = EarlierTurns &
  (
    | { readonly work: 'planner'; readonly question: string; readonly plan: PlannerOutput }
    | {
        readonly work: 'researcher'
        readonly question: string
        readonly request: string
        readonly result: string
        /** The passages that were read for it. */
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

/** What a critic answers. */
export type CriticOutput = {
  readonly decision: 'approve' | 'reject'
  readonly feedback: string
}

/** What the finalizer works on. */
export type FinalizerInput = {
  readonly question: string
  readonly research_steps: readonly string[]
  readonly expert_steps: readonly string[]
  readonly research: readonly ResearchResult[]
  readonly expert_answer: string
  readonly expert_reasoning: string
  /** Absent: sentences with their citations. */
  readonly answer_format?: 'short'
}

/** What the finalizer answers. */
export type FinalizerOutput = {
  readonly final_answer: string
  readonly final_reasoning_trace: string
}

/** The sentence of a result that has no evidence: says that the sources do not answer, and is never a claim. */
export const noEvidenceText = 'The sources do not say.'

/** The answer where nothing could be read of all that was named, and nothing else is there to look in: no model is asked. */
export const noneReadText = 'None of the sources could be read.'

/** The fixed text of an answer that the critics' limit ended. */
export const notAnsweredText = 'The question could not be answered.'

/** The fixed text of an answer for which nothing had been found when a limit ended the work. */
export const nothingFoundText = 'The work ended at a limit before anything was found.'

/** No fixed text is longer, whatever is around it. */
const maxNothing = 200

/** Whether a text is {@link noEvidenceText} or another fixed text that claims nothing, whatever its case, quotes and full stop. */
export function saysNothing(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length <= maxNothing && nothingSaid.has(bare(trimmed))
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/^[\s"'“”‘’*_`]+|[\s"'“”‘’*_`.!]+$/g, '')
}

const nothingSaid: ReadonlySet<string> = new Set(
  [noEvidenceText, notAnsweredText, nothingFoundText].map(bare),
)

/** What a library search gives a researcher: passages under their citation numbers. */
export type SearchOutput = {
  readonly query: string
  readonly passages: readonly ShownPassage[]
}

/** A passage as tools show it to a model. */
export type ShownPassage = ReadPassage & {
  readonly title: string
}

/** What the calculator and the unit converter give back. */
export type CalculationOutput = {
  readonly expression: string
  readonly result: string
}
