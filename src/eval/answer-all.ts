import type { Answer } from '../ask/result.ts'
import { ScholiumError, toFailure } from '../kernel/errors.ts'
import type { EvalFolder } from './folder.ts'
import type { EvalQuestion } from './question.ts'
import { type EvalResult, mayPass, toFailedResult, toResult } from './result.ts'

/** What asks questions: runs in a store. */
export interface Asker {
  newRunId(): string
  /** Whether there is such a run. */
  holds(runId: string): Promise<boolean>
  /** Starts a run under the id and drives it to its answer. */
  ask(
    question: EvalQuestion,
    sources: readonly string[],
    runId: string,
    signal: AbortSignal,
  ): Promise<Answer>
  /** Goes on with a run; one that has ended gives its recorded answer. */
  resume(runId: string, signal: AbortSignal): Promise<Answer>
}

/** How questions are worked on. */
export interface Work {
  readonly folder: EvalFolder
  readonly asker: Asker
  /** How many at once. */
  readonly concurrency: number
  readonly signal: AbortSignal
  onStart(question: EvalQuestion): void
  onResult(result: EvalResult): void
}

/** The questions that have no result yet, or one that may be better the next time. */
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
 * Answers what is open, each result kept as soon as it is there. Rejects with what keeps all questions from an answer, such as
 * a store that fails, or with `cancelled`; what was finished is kept.
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
  // The others were cancelled because of the first.
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

/** The run of a question is noted before it begins, so that a crash at any moment leaves it known. */
async function answerNext(question: EvalQuestion, runId: string, work: Work): Promise<Answer> {
  const { folder, asker, signal } = work
  if (folder.runOf(question.id) === undefined) folder.noteRun(question.id, runId)
  else if (await asker.holds(runId)) return asker.resume(runId, signal)
  const own = question.context.length === 0 ? [] : [folder.writeContext(question)]
  return asker.ask(question, [...question.files, ...own], runId, signal)
}

/** What would be the end of every other question too, or says that another process works on the same. */
const endsAll: ReadonlySet<string> = new Set([
  'cancelled',
  'store_failed',
  'invalid_configuration',
  'run_busy',
  'fenced',
])
