import type { ExecutionOptions, RunResult } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { LiveEvent } from '../../kernel/run/event.ts'
import type { RunRecord } from '../../kernel/run/run-store.ts'
import { executionFor } from '../start-run.ts'
import type { McpSite } from './mcp-site.ts'

/** The workflows that clients drive. */
export const drivenWorkflows = ['ask', 'papers'] as const

/** One of them. */
export type Driven = (typeof drivenWorkflows)[number]

/** A run that a client wants: a new one, or one that goes on. */
export interface WantedRun {
  readonly workflow: Driven
  /** The run to resume; absent for a new one. */
  readonly resume?: string | undefined
  readonly maxSeconds?: number | undefined
  readonly maxCostUsd?: number | undefined
  /** Starts a new one. */
  begin(execution: ExecutionOptions): Promise<RunResult>
}

/** Who hears of a run, ends it and answers its questions. */
export type RunDriver = Pick<ExecutionOptions, 'signal' | 'answer'> & {
  hear(event: LiveEvent): void
}

/** A run that is executed by the server. */
export interface DrivenRun {
  readonly runId: string
  /** Rejects with what interrupted it. */
  readonly result: Promise<RunResult>
}

/**
 * Has the server execute a run; resolves as soon as it is in the log.
 * @throws `too_many_requests`, `invalid_input` for a run of something else, and what prevents its start
 */
export async function driveRun(
  site: McpSite,
  wanted: WantedRun,
  { signal, answer, hear }: RunDriver,
): Promise<DrivenRun> {
  const { resume } = wanted
  const resumed = resume === undefined ? undefined : (await findDriven(site, resume, wanted)).runId
  const { promise, resolve, reject } = Promise.withResolvers<RunResult>()
  // If it does not start, that is what is thrown.
  promise.catch(() => {})
  const { runId } = await site.running.start((execution) => {
    const given: ExecutionOptions = {
      ...execution,
      signal: AbortSignal.any([execution.signal, ...(signal === undefined ? [] : [signal])]),
      onEvent: (event) => {
        execution.onEvent(event)
        hear(event)
      },
      ...(answer === undefined ? {} : { answer }),
    }
    const executed =
      resumed === undefined ? wanted.begin(given) : resumeRun(site, resumed, wanted, given)
    executed.then(resolve, reject)
    return executed
  }, resumed)
  return { runId, result: promise }
}

function resumeRun(
  { app, resuming, policy }: McpSite,
  runId: string,
  { maxSeconds, maxCostUsd }: WantedRun,
  given: ExecutionOptions,
): Promise<RunResult> {
  const limits = { maxSeconds, maxCostUsd }
  return resuming.resume(runId, { ...given, ...executionFor(app, policy, { limits }) })
}

/** @throws `invalid_input` for a run of something else: only what the tool starts is driven by it */
async function findDriven(
  { app }: McpSite,
  run: string,
  { workflow }: Pick<WantedRun, 'workflow'>,
): Promise<RunRecord> {
  const found = await app.showRun(run)
  if (found.workflow === workflow) return found
  throw new ScholiumError(
    'invalid_input',
    `Run ${found.runId} is not a run of ${workflow} but of ${found.workflow}.`,
    { hint: 'Call the tool that started it, or get_run to see it.' },
  )
}
