import type { ExecutionOptions, RunResult } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { LiveEvent } from '../../kernel/run/event.ts'
import type { RunRecord } from '../../kernel/run/run-store.ts'
import { checkMayChange } from '../guard.ts'
import type { RunExecution, StartedRun } from '../running-runs.ts'
import { executionFor, startFor } from '../start-run.ts'
import { findNamed, labelsFor, type McpSite } from './mcp-site.ts'

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
  /** Starts a new one. @param isFresh whether an earlier result may not be returned again */
  begin(execution: ExecutionOptions, isFresh: boolean): Promise<RunResult>
}

/** Who hears of a run, ends it and answers its questions. */
export type RunDriver = Pick<ExecutionOptions, 'signal' | 'answer'> & {
  hear(event: LiveEvent): void
  /** Whether it is a task: nobody waits for its end. */
  readonly isTask: boolean
}

/** A run that is executed by the server. */
export interface DrivenRun {
  readonly runId: string
  /** Rejects with what interrupted it. */
  readonly result: Promise<RunResult>
}

/**
 * Has the server execute a run; resolves as soon as it is in the log.
 * @throws `forbidden`, `too_many_requests`, `invalid_input` for a run of something else, and what prevents its start
 */
export async function driveRun(
  site: McpSite,
  wanted: WantedRun,
  driver: RunDriver,
): Promise<DrivenRun> {
  checkMayChange(site.principal)
  return startFor(site, site.principal, (isFresh) => startOnce(site, wanted, driver, isFresh))
}

async function startOnce(
  site: McpSite,
  wanted: WantedRun,
  { signal, answer, hear, isTask }: RunDriver,
  isFresh: boolean,
): Promise<DrivenRun & StartedRun> {
  const { resume } = wanted
  const resumed = resume === undefined ? undefined : (await findDriven(site, resume, wanted)).runId
  const { promise, resolve, reject } = Promise.withResolvers<RunResult>()
  // If it does not start, that is what is thrown.
  promise.catch(() => {})
  const mayWait = isTask && site.isServed
  const execute = (execution: RunExecution) => {
    const given: ExecutionOptions = {
      ...execution,
      ...labelsFor(site, isTask),
      signal: AbortSignal.any([execution.signal, ...(signal === undefined ? [] : [signal])]),
      onEvent: (event) => {
        execution.onEvent(event)
        hear(event)
      },
      ...(answer === undefined ? {} : { answer }),
    }
    const executed =
      resumed === undefined ? wanted.begin(given, isFresh) : resumeRun(site, resumed, wanted, given)
    executed.then(resolve, reject)
    return executed
  }
  const begin = () => site.running.start(execute, resumed, mayWait)
  const started = await site.tokenRuns.start(site.principal, begin, resumed)
  return { ...started, result: promise }
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
  site: McpSite,
  run: string,
  { workflow }: Pick<WantedRun, 'workflow'>,
): Promise<RunRecord> {
  const found = await findNamed(site, run)
  if (found.workflow === workflow) return found
  throw new ScholiumError(
    'invalid_input',
    `Run ${found.runId} is not a run of ${workflow} but of ${found.workflow}.`,
    { hint: 'Call the tool that started it, or get_run to see it.' },
  )
}
