import type { RefusedLine } from '../../eval/question.ts'
import type { EvalResult } from '../../eval/result.ts'
import type { CostSummary, Rate, SetSummary } from '../../eval/summary.ts'
import type { Limits } from '../../kernel/limits/limits.ts'
import type { AskRequest } from '../options.ts'

/** How to ask each question: as on its own, but without continuing a run or asking a person. */
export type EvalAsk = Omit<AskRequest, 'question' | 'approvePlan' | 'continue'>

/** Questions to ask and score. */
export interface EvalRequest {
  /** JSON Lines; see docs/eval.md for the supported formats. */
  readonly file: string
  /** What answers them. Default, and currently the only one: `ask`. */
  readonly workflow?: 'ask'
  /** The folder of the evaluation. Default: `eval-` and the name of the file. */
  readonly out?: string
  /** Number of questions in parallel, at least 1. Default 2. */
  readonly concurrency?: number
  /** Maximum number of questions, at least 1. Default: all. */
  readonly limit?: number
  /** How to ask each. Default answer format: `short`, since it can be compared. */
  readonly ask?: EvalAsk
}

/** The progress of an evaluation. */
export interface EvalProgress {
  readonly folder: string
  readonly total: number
  /** Completed questions, including those of earlier executions. */
  readonly done: number
  /** Questions completed before this execution. */
  readonly doneBefore: number
  /** The questions in progress. */
  readonly running: readonly string[]
  readonly exactMatch: Rate | null
  readonly cost: CostSummary
  /** The latest result. */
  readonly result?: EvalResult
}

/** Options for one execution of an evaluation. */
export interface EvalOptions {
  readonly signal?: AbortSignal
  readonly limits?: Limits
  /** Called with the progress. */
  readonly onProgress?: (progress: EvalProgress) => void
}

/** The scores of a question set. */
export interface EvalReport {
  readonly schema: 'scholium.eval-report/1'
  readonly folder: string
  /** The report page, with charts and every question. */
  readonly page: string
  readonly workflow: 'ask'
  readonly answerFormat: 'full' | 'short'
  /** The model of each role. */
  readonly models: Readonly<Record<string, string>>
  /** How the records of each public set are processed. */
  readonly treatments: readonly { readonly set: string; readonly treatment: string }[]
  readonly refused: readonly RefusedLine[]
  readonly total: number
  readonly done: number
  /** By set, and for all together if there are several. */
  readonly sets: readonly SetSummary[]
}
