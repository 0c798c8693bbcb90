import type { App } from '../app.ts'
import { type Failure, ScholiumError, toFailure } from '../kernel/errors.ts'
import type { RunRecord } from '../kernel/run/run-store.ts'
import { pathsIn } from './public-form.ts'

/** The run with exactly this id. @throws `run_not_found` */
export async function findRun(app: App, id: string): Promise<RunRecord> {
  const run = await app.showRun(id).catch((error: unknown) => {
    // What fits several ids would name them.
    if (!['run_not_found', 'invalid_input'].includes(toFailure(error).code)) throw error
  })
  if (run?.runId === id) return run
  throw runNotFound(id)
}

/** The error for a run that is not there for whoever asks. */
export function runNotFound(id: string): ScholiumError {
  return new ScholiumError('run_not_found', `There is no run ${id}.`)
}

/** What a waiting run asks a person, and the key of the step that asks. */
export async function lastQuestion(
  app: App,
  runId: string,
): Promise<{ readonly key: string; readonly prompt: unknown } | undefined> {
  let question: { readonly key: string; readonly prompt: unknown } | undefined
  for await (const { key, output } of app.events(runId, { types: ['run.waiting'] }))
    question = { key, prompt: output }
  return question
}

/** What ended a run that has no result; `undefined` if somebody interrupted it, or its process died. */
export async function lastFailure(app: App, runId: string): Promise<Failure | undefined> {
  let failure: Failure | undefined
  for await (const { type, data } of app.events(runId, { types: ['run.suspended', 'run.resumed'] }))
    failure = type === 'run.suspended' ? data.failure : undefined
  return failure?.code === 'cancelled' ? undefined : failure
}

/** A remark of a run on how it works, as the command line shows it. */
export interface RunNotice {
  readonly level: 'info' | 'warning' | 'error'
  readonly message: string
}

const maxNotices = 50

/** What a run remarked, each once: the first 50. */
export async function noticesOf(app: App, runId: string): Promise<readonly RunNotice[]> {
  const found = new Map<string, RunNotice>()
  for await (const { data } of app.events(runId, { types: ['notice'] })) {
    const { level, text: message } = data
    if (!found.has(message)) found.set(message, { level, message })
    if (found.size === maxNotices) break
  }
  return [...found.values()]
}

/** The places of this machine that a run was started with. */
export async function placesOf(app: App, runId: string): Promise<readonly string[]> {
  // It is the first event; to look for its type would read the whole log.
  for await (const { type, data, output } of app.events(runId))
    return type === 'run.started' ? pathsIn([data, output]) : []
  return []
}
