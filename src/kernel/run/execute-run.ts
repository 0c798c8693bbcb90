import { createHooks } from '../agent/hooks.ts'
import { type Failure, ScholiumError, toFailure } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { Budget, type Limits, type Spent } from '../limits/limits.ts'
import type { Conditions, RunStatus } from './event.ts'
import type { Journal } from './journal.ts'
import { RunContext, type RunServices } from './run-context.ts'
import type { Lease } from './run-store.ts'
import { redactSecrets } from './secrets.ts'
import type { Execution, RunOutcome, Workflow } from './workflow.ts'

/** What one execution needs. */
export interface RunExecution {
  readonly execution: Execution
  readonly journal: Journal
  readonly lease: Lease
  readonly seed: string
  readonly limits: Limits
  readonly workedMs: number
  readonly spent: readonly Spent[]
}

/** Runs the workflow's code to its end, or suspends the run so that it can be resumed. */
export async function executeRun<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  input: Input,
  driving: RunExecution,
): Promise<RunOutcome<Result>> {
  const { execution, journal, lease } = driving
  const { store, clock } = execution
  const services = createServices(
    execution,
    journal,
    driving.seed,
    driving.workedMs,
    driving.limits,
  )
  for (const spent of driving.spent) services.budget.recordSpent(spent)
  const context = new RunContext({
    services,
    path: workflow.name,
    signal: execution.signal ?? neverAborted(),
  })
  let result: Result
  let status: RunStatus
  try {
    result = await runWithHooks(workflow, context, input)
    status = workflow.status(result)
    const finished = {
      key: '',
      type: 'run.finished',
      data: { status, ...(workflow.mayRetry?.(result) ? { mayRetry: true as const } : {}) },
      output: result,
      ts: clock.now(),
    } as const
    await journal.append(finished, 'full')
  } catch (error) {
    await suspend(execution, journal, lease, error)
    throw error
  }
  // The log says that the run is over; an unreleased lease expires by itself.
  await store.release(lease, status).catch(() => undefined)
  return { runId: journal.runId, result }
}

/** Runs the workflow's code with the run's hooks around it. */
export async function runWithHooks<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  context: RunContext,
  input: Input,
): Promise<Result> {
  const { hooks } = context.services
  const report = (text: string) => context.warn('hook', text)
  const given = await hooks.run('run:before', input, report)
  return hooks.run('run:after', await workflow.run(context, given), report)
}

/** The settings of an execution, for the record. */
export function recordConditions<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  execution: Execution,
  limits: Limits,
): Conditions {
  return {
    versions: { package: execution.packageVersion, workflow: workflow.version },
    promptHashes: { ...workflow.promptHashes },
    configuration: execution.configuration,
    limits: { ...limits },
    ...(execution.prices === undefined ? {} : { prices: execution.prices }),
    ...(execution.labels === undefined ? {} : { labels: { ...execution.labels } }),
  }
}

/** Suspends a run so that it can be resumed. A log that can no longer be written must not hide the original error. */
async function suspend(
  { store, clock, signal, secrets = [] }: Execution,
  journal: Journal,
  lease: Lease,
  error: unknown,
): Promise<void> {
  const failure = withReason(toFailure(error), signal?.reason)
  const status = statusAfter(failure)
  const data = { failure: redactSecrets(failure, secrets) }
  await journal
    .append({ key: '', type: 'run.suspended', data, ts: clock.now() })
    .catch(() => undefined)
  await store.release(lease, status).catch(() => undefined)
}

/** The failure of an interruption, as whoever wanted it explains it. */
function withReason(failure: Failure, reason: unknown): Failure {
  const given = reason instanceof ScholiumError ? toFailure(reason) : failure
  return given.code === failure.code && failure.code === 'cancelled' ? given : failure
}

/**
 * The status of a run that ended with an error. An unexpected error would happen again, so it is a failure, not an interruption.
 */
function statusAfter({ code }: Failure): RunStatus {
  if (code === 'waiting') return 'waiting'
  return code === 'internal' ? 'failed' : 'interrupted'
}

/** Creates what the whole execution shares. */
export function createServices(
  execution: Execution,
  journal: Journal,
  seed: string,
  workedMs: number,
  limits: Limits,
): RunServices {
  const { clock, models, hooks = createHooks(), secrets = [], finish, answer } = execution
  const budget = new Budget(limits, clock.now() - workedMs)
  return {
    journal,
    budget,
    clock,
    hooks,
    models,
    seed,
    secrets,
    noticed: new Set(),
    ...(finish === undefined ? {} : { finish }),
    ...(answer === undefined ? {} : { answer }),
  }
}

/** A signal for executions that cannot be interrupted. */
export function neverAborted(): AbortSignal {
  return new AbortController().signal
}
