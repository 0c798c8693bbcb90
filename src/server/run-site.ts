import type { HttpBindings } from '@hono/node-server'
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import type { App } from '../app.ts'
import type { RunRecord } from '../kernel/run/run-store.ts'
import { endStatuses } from './follow-run.ts'
import type { PublicForm } from './public-form.ts'
import { findRun, lastQuestion, noticesOf, placesOf, runNotFound } from './recorded-run.ts'
import type { RunFigures } from './run-figures.ts'
import type { RunOwners } from './run-owners.ts'
import { errorBody, type runDetails, type runSummary } from './run-schemas.ts'
import type { RunningRuns } from './running-runs.ts'
import type { RunPolicy } from './server-options.ts'
import type { StreamSlots } from './stream-slots.ts'
import type { TokenRuns } from './token-runs.ts'
import type { Principal } from './tokens.ts'
import type { Uploads } from './uploads.ts'

/** What belongs to a request: what Node's server adds, and who makes it. */
export type ApiEnvironment = {
  readonly Bindings: Partial<HttpBindings>
  readonly Variables: { readonly principal: Principal }
}

/** The API, to which routes are added. */
export type Api = OpenAPIHono<ApiEnvironment>

/** What the routes of runs work with. */
export interface RunSite {
  /** Starts runs, and reads what is recorded. */
  readonly app: App
  /** Resumes and forks runs, which keep their models. */
  readonly resuming: App
  readonly owners: RunOwners
  readonly figures: RunFigures
  readonly policy: RunPolicy
  readonly running: RunningRuns
  readonly form: PublicForm
  readonly streams: StreamSlots
  readonly tokenRuns: TokenRuns
  readonly uploads: Uploads
  /** Called with a failure that no answer tells. */
  readonly onFailure: (error: unknown) => void
}

/** How each route reports errors. */
export const errors = {
  default: {
    description: 'An error: what happened, why, and what to do.',
    content: { 'application/json': { schema: errorBody } },
  },
} as const

/** An answer with a JSON body. */
export const json = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  ({ description, content: { 'application/json': { schema } } }) as const

/** A run that somebody may see. @throws `run_not_found` for any other */
export async function findVisible(
  { app, owners }: Pick<RunSite, 'app' | 'owners'>,
  id: string,
  principal: Principal,
): Promise<RunRecord> {
  const run = await findRun(app, id)
  if (await owners.isVisible(run, principal)) return run
  throw runNotFound(id)
}

/** A run as lists have it. */
export function summarize(run: RunRecord): z.infer<typeof runSummary> {
  const { epoch: _, ...summary } = run
  return summary
}

/** A run with its result or its question, without the places of its files. */
export async function describeRun(
  { app, form, running }: RunSite,
  run: RunRecord,
): Promise<z.infer<typeof runDetails>> {
  const { runId, status } = run
  const result = endStatuses.has(status) ? await app.recordedAnswer(runId) : undefined
  const queue = running.placeInQueue(runId)
  const asked = status === 'waiting' ? await lastQuestion(app, runId) : undefined
  const places = await placesOf(app, runId)
  const notices = await noticesOf(app, runId)
  return form.with(places).of({
    ...summarize(run),
    ...(result === undefined ? {} : { result: { ...result } }),
    ...(queue === undefined ? {} : { queue }),
    ...(status === 'running' && !running.has(runId) && { isElsewhere: true as const }),
    ...(notices.length === 0 ? {} : { notices: [...notices] }),
    ...(asked === undefined ? {} : { question: asked }),
  })
}
