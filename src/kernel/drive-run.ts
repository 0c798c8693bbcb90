import type { Clock } from './clock.ts'
import { toFailure } from './errors.ts'
import type { RunStatus } from './event.ts'
import { createHooks } from './hooks.ts'
import type { Journal } from './journal.ts'
import type { JsonObject } from './json.ts'
import { Budget, type Limits } from './limits.ts'
import { RunContext, type RunServices } from './run-context.ts'
import type { Spent } from './run-history.ts'
import type { Lease, RunStore } from './run-store.ts'
import type { Execution, RunOutcome, Workflow } from './workflow.ts'

/** What one execution is driven with. */
export interface Drive {
  readonly execution: Execution
  readonly journal: Journal
  readonly lease: Lease
  readonly seed: string
  readonly limits: Limits
  readonly workedMs: number
  readonly spent: readonly Spent[]
}

/** Runs the workflow's code to its end, or leaves the run so that it can be resumed. */
export async function drive<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  input: Input,
  driving: Drive,
): Promise<RunOutcome<Result>> {
  const { execution, journal, lease } = driving
  const { store, clock } = execution
  const services = servicesOf(execution, journal, driving.seed, driving.workedMs, driving.limits)
  for (const { steps, usage } of driving.spent) services.budget.recordSpent(steps, usage)
  const context = new RunContext({
    services,
    path: workflow.name,
    signal: execution.signal ?? neverAborted(),
  })
  try {
    const result = await workflow.run(context, input)
    const status = workflow.status(result)
    await journal.append(
      { key: '', type: 'run.finished', data: { status }, output: result, ts: clock.now() },
      'full',
    )
    await store.release(lease, status)
    return { runId: journal.runId, result }
  } catch (error) {
    await suspend(journal, store, lease, clock, error)
    throw error
  }
}

/** Leaves a run so that it can be resumed. A log that cannot be written any more must not hide what went wrong. */
async function suspend(
  journal: Journal,
  store: RunStore,
  lease: Lease,
  clock: Clock,
  error: unknown,
): Promise<void> {
  const failure = toFailure(error)
  const status: RunStatus = failure.code === 'waiting' ? 'waiting' : 'interrupted'
  const data = { failure: failure as JsonObject }
  await journal
    .append({ key: '', type: 'run.suspended', data, ts: clock.now() })
    .catch(() => undefined)
  await store.release(lease, status).catch(() => undefined)
}

/** What the whole execution shares. */
export function servicesOf(
  execution: Execution,
  journal: Journal,
  seed: string,
  workedMs: number,
  limits: Limits,
): RunServices {
  const { clock, models, hooks = createHooks(), secrets = [], answer } = execution
  const startedAtMs = clock.now() - workedMs
  const budget = new Budget(limits)
  return {
    journal,
    budget,
    clock,
    hooks,
    models,
    seed,
    secrets,
    startedAtMs,
    ...(answer === undefined ? {} : { answer }),
  }
}

/** A signal for executions that nobody can interrupt. */
export function neverAborted(): AbortSignal {
  return new AbortController().signal
}
