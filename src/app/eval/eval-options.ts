import type { RefusedLine } from '../../eval/question.ts'
import type { EvalResult } from '../../eval/result.ts'
import type { CostSummary, Rate, SetSummary } from '../../eval/summary.ts'
import type { Limits } from '../../kernel/limits/limits.ts'
import type { AskRequest } from '../options.ts'

/** How each question is asked: as by itself, but from no other run and with nobody who could be asked. */
export type EvalAsk = Omit<AskRequest, 'question' | 'approvePlan' | 'continue'>

/** Questions to be asked and scored. */
export interface EvalRequest {
  /** JSON Lines; see docs/eval.md for the forms that are known. */
  readonly file: string
  /** What answers them. Default, and so far the only one: `ask`. */
  readonly workflow?: 'ask'
  /** The folder of the evaluation. Default: `eval-` and the name of the file. */
  readonly out?: string
  /** How many questions at once, from 1 on. Default 2. */
  readonly concurrency?: number
  /** Only the first so many, from 1 on. Default: all. */
  readonly limit?: number
  /** How each is asked. Default of the form of the answer: `short`, since that can be compared. */
  readonly ask?: EvalAsk
}

/** How an evaluation stands. */
export interface EvalProgress {
  readonly folder: string
  readonly total: number
  /** Questions that are over, those of earlier executions too. */
  readonly done: number
  /** Questions that were over before this execution. */
  readonly doneBefore: number
  /** The questions that are worked on now. */
  readonly running: readonly string[]
  readonly exactMatch: Rate | null
  readonly cost: CostSummary
  /** What has just ended. */
  readonly result?: EvalResult
}

/** What one execution of an evaluation is given. */
export interface EvalOptions {
  readonly signal?: AbortSignal
  readonly limits?: Limits
  /** Hears how far the questions are. */
  readonly onProgress?: (progress: EvalProgress) => void
}

/** The scores of a question set. */
export interface EvalReport {
  readonly schema: 'scholium.eval-report/1'
  readonly folder: string
  /** The page with the charts and every question. */
  readonly page: string
  readonly workflow: 'ask'
  readonly answerFormat: 'full' | 'short'
  /** The model of each role. */
  readonly models: Readonly<Record<string, string>>
  /** What is done with the records of each public set. */
  readonly treatments: readonly { readonly set: string; readonly treatment: string }[]
  readonly refused: readonly RefusedLine[]
  readonly total: number
  readonly done: number
  /** By set, and of all together where there are several. */
  readonly sets: readonly SetSummary[]
}
