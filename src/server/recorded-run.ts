import type { App } from '../app.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { RunRecord } from '../kernel/run/run-store.ts'
import { pathsIn } from './public-form.ts'

/** The run with exactly this id. @throws `run_not_found` */
export async function findRun(app: App, id: string): Promise<RunRecord> {
  const run = await app.showRun(id)
  if (run.runId === id) return run
  throw new ScholiumError('run_not_found', `There is no run ${id}.`)
}

/** What a waiting run asks. */
export async function lastQuestion(app: App, runId: string): Promise<unknown> {
  let question: unknown
  for await (const { output } of app.events(runId, { types: ['run.waiting'] })) question = output
  return question
}

/** The places of this machine that a run was started with. */
export async function placesOf(app: App, runId: string): Promise<readonly string[]> {
  for await (const { data, output } of app.events(runId, { types: ['run.started'] }))
    return pathsIn([data, output])
  return []
}
