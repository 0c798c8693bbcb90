import type { Answer } from '../ask/result.ts'
import { ScholiumError, toFailure } from '../kernel/errors.ts'
import type { EvalFolder } from './folder.ts'
import type { EvalQuestion } from './question.ts'
import { type EvalResult, mayPass, toFailedResult, toResult } from './result.ts'

/** Asks questions as runs in a store. */
export interface Asker {
  newRunId(): string
  /** Whether the run exists. */
  holds(runId: string): Promise<boolean>
  /** Starts a run with this id and runs it to its answer. */
  ask(
    question: EvalQuestion,
    sources: readonly string[],
    runId: string,
    signal: AbortSignal,
  ): Promise<Answer>
  /** Resumes a run; a finished run returns its recorded answer. */
  resume(runId: string, signal: AbortSignal): Promise<Answer>
}

/** How to answer the questions. */
export interface Work {
  readonly folder: EvalFolder
  readonly asker: Asker
  /** How many questions at the same time. */
  readonly concurrency: number
  readonly signal: AbortSignal
  onStart(question: EvalQuestion): void
  onResult(result: EvalResult): void
}

/** The questions without a result, or with one that a retry may improve. */
export function openQuestions(
  questions: readonly EvalQuestion[],
  folder: EvalFolder,
): readonly EvalQuestion[] {
  return questions.filter(({ id }) => {
    const result = folder.resultFor(id)
    return result === undefined || mayPass(result)
  })
}

/**
 * Answers the open questions and stores each result at once. Rejects with the failure that affects all questions, such as
 * a failing store, or with `cancelled`; finished results are kept.
 */
export async function answerAll(questions: readonly EvalQuestion[], work: Work): Promise<void> {
  const open = [...openQuestions(questions, work.folder)]
  const stop = new AbortController()
  const signal = AbortSignal.any([work.signal, stop.signal])
  const workers = Array.from({ length: Math.min(work.concurrency, open.length) }, async () => {
    for (let next = open.shift(); next !== undefined && !signal.aborted; next = open.shift()) {
      try {
        await answerOne(next, { ...work, signal })
      } catch (error) {
        stop.abort()
        throw error
      }
    }
  })
  const outcomes = await Promise.allSettled(workers)
  const errors = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  )
  // The others were cancelled because of the first failure.
  const cause = errors.find((error) => toFailure(error).code !== 'cancelled') ?? errors[0]
  if (cause !== undefined) throw cause
  if (work.signal.aborted) throw new ScholiumError('cancelled', 'Interrupted.')
}

async function answerOne(question: EvalQuestion, work: Work): Promise<void> {
  const { folder, asker } = work
  work.onStart(question)
  const runId = folder.runOf(question.id) ?? asker.newRunId()
  let result: EvalResult
  try {
    result = toResult(question, await answerNext(question, runId, work))
  } catch (error) {
    const failure = toFailure(error)
    if (endsAll.has(failure.code)) throw error
    result = toFailedResult(question, failure, (await asker.holds(runId)) ? runId : null)
  }
  folder.addResult(result)
  work.onResult(result)
}

/** The run is noted before it begins, so that it is known after a crash at any moment. */
async function answerNext(question: EvalQuestion, runId: string, work: Work): Promise<Answer> {
  const { folder, asker, signal } = work
  if (folder.runOf(question.id) === undefined) folder.noteRun(question.id, runId)
  else if (await asker.holds(runId)) return asker.resume(runId, signal)
  const own = question.context.length === 0 ? [] : [folder.writeContext(question)]
  return asker.ask(question, [...question.files, ...own], runId, signal)
}

/** Failures that would end every other question too, or show that another process works on the same. */
const endsAll: ReadonlySet<string> = new Set([
  'cancelled',
  'store_failed',
  'invalid_configuration',
  'run_busy',
  'fenced',
])
