import type { Clock } from './clock.ts'
import { ScholiumError, toFailure } from './errors.ts'
import {
  type LiveEvent,
  type RunEvent,
  type RunStatus,
  type StepFacts,
  stepEnds,
  type Usage,
} from './event.ts'
import type { Hooks } from './hooks.ts'
import { createHooks } from './hooks.ts'
import { Journal } from './journal.ts'
import type { Json, JsonObject } from './json.ts'
import { Budget, type Limits } from './limits.ts'
import type { ModelSource } from './model.ts'
import { RunContext } from './run-context.ts'
import type { Lease, Owner, RunStore } from './run-store.ts'

/** Something that can be run: a question team, a pipeline, an agent file. */
export interface Workflow<Input extends JsonObject, Result extends JsonObject> {
  readonly name: string
  /** Changes when recorded runs can no longer be continued by the code. */
  readonly version: string
  /** Hashes of what steers the models, by file. */
  readonly promptHashes: Readonly<Record<string, string>>
  /** One line for lists. */
  title(input: Input): string
  run(context: RunContext, input: Input): Promise<Result>
  /** Under which status the run is listed once it gave this result. */
  status(result: Result): RunStatus
}

/** What an execution needs beside the workflow. */
export interface Execution {
  readonly store: RunStore
  readonly owner: Owner
  readonly clock: Clock
  readonly models: ModelSource
  /** Default: none for a new run, the recorded ones for a resumed one. */
  readonly limits?: Limits
  readonly packageVersion: string
  /** The resolved configuration without secrets, for the record. */
  readonly configuration: JsonObject
  readonly secrets?: readonly string[]
  readonly hooks?: Hooks
  readonly signal?: AbortSignal
  readonly listeners?: readonly ((event: LiveEvent) => void)[]
  readonly answer?: (prompt: Json, key: string) => Promise<Json | undefined>
}

/** How an execution ended. */
export interface RunOutcome<Result> {
  readonly runId: string
  readonly result: Result
}

/** Starts a run and drives it to its end. Rejects with what stopped it; the log then says how to go on. */
export async function startRun<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  input: Input,
  runId: string,
  execution: Execution,
): Promise<RunOutcome<Result>> {
  const { store, clock, owner } = execution
  const run = {
    runId,
    workflow: workflow.name,
    title: workflow.title(input),
    createdAt: clock.now(),
  }
  const lease = await store.create(run, owner)
  const journal = new Journal({ runId, store, lease, listeners: execution.listeners ?? [] })
  const data = {
    workflow: workflow.name,
    versions: { package: execution.packageVersion, workflow: workflow.version },
    promptHashes: { ...workflow.promptHashes },
    configuration: execution.configuration,
    limits: { ...(execution.limits ?? {}) },
    seed: runId,
  }
  await journal.append(
    { key: '', type: 'run.started', data, output: input, ts: clock.now() },
    'full',
  )
  return drive(workflow, input, {
    execution,
    journal,
    lease,
    seed: runId,
    limits: execution.limits ?? {},
    workedMs: 0,
    spent: [],
  })
}

/** What a log holds of a run, read once from its beginning. */
interface History {
  readonly started: RunEvent
  readonly finished: RunEvent | undefined
  readonly failedStep: RunEvent | undefined
  readonly spent: readonly Usage[]
  readonly workedMs: number
}

/**
 * Goes on with a run that was interrupted, waits or failed on something that may work now. Finished steps are not done again.
 * A run that has ended gives its recorded result.
 *
 * @throws `run_busy`, `run_incompatible` when the workflow has changed, `step_changed`
 */
export async function resumeRun<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  runId: string,
  execution: Execution,
): Promise<RunOutcome<Result>> {
  const { store, clock, owner } = execution
  await store.get(runId)
  const lease = await store.acquire(runId, owner)
  const journal = new Journal({ runId, store, lease, listeners: execution.listeners ?? [] })
  let status: RunStatus = 'interrupted'
  try {
    const history = await readHistory(journal, store, runId)
    const { started, finished, failedStep } = history
    checkWorkflow(workflow, started)
    const canRetry = finished?.data.status === 'failed' && failedStep !== undefined
    if (finished !== undefined && !canRetry) {
      const result = (await journal.output(finished.seq)) as Result
      status = workflow.status(result)
      return { runId, result }
    }
    const rewindToSeq = canRetry ? failedStep.seq - 1 : null
    await journal.append(
      { key: '', type: 'run.resumed', data: { rewindToSeq }, ts: clock.now() },
      'full',
    )
    const input = (await journal.output(started.seq)) as Input
    const { spent, workedMs } = history
    const seed = String(started.data.seed)
    const limits = { ...((started.data.limits ?? {}) as Limits), ...execution.limits }
    const outcome = await drive(workflow, input, {
      execution,
      journal,
      lease,
      seed,
      limits,
      workedMs,
      spent,
    })
    status = workflow.status(outcome.result)
    return outcome
  } finally {
    await store.release(lease, status).catch(() => undefined)
  }
}

/** What a replay found. */
export interface Replay<Result> {
  readonly result: Result
  readonly recorded: Result
  /** Steps that the log holds and the code did not ask for. */
  readonly unclaimed: readonly string[]
}

/**
 * Executes a finished run's code again from the start with its recorded steps only: no model, no network, nothing written.
 * @throws `step_missing`, `step_changed`, `run_incompatible`; `invalid_input` for a run that has not ended
 */
export async function replayRun<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  runId: string,
  execution: Execution,
): Promise<Replay<Result>> {
  const { store } = execution
  await store.get(runId)
  const journal = new Journal({ runId, store })
  const { started, finished } = await readHistory(journal, store, runId)
  checkWorkflow(workflow, started)
  if (finished === undefined) {
    throw new ScholiumError(
      'invalid_input',
      `Run ${runId} has not ended, so there is nothing to compare a replay with.`,
      {
        hint: `Finish it first: scholium resume ${runId}`,
      },
    )
  }
  const input = (await journal.output(started.seq)) as Input
  const services = servicesOf(
    execution,
    journal,
    String(started.data.seed),
    0,
    (started.data.limits ?? {}) as Limits,
  )
  const context = new RunContext({
    services,
    path: workflow.name,
    signal: execution.signal ?? neverAborted(),
  })
  const result = await workflow.run(context, input)
  const recorded = (await journal.output(finished.seq)) as Result
  return { result, recorded, unclaimed: journal.unclaimed() }
}

interface Drive {
  readonly execution: Execution
  readonly journal: Journal
  readonly lease: Lease
  readonly seed: string
  readonly limits: Limits
  readonly workedMs: number
  readonly spent: readonly Usage[]
}

async function drive<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  input: Input,
  driving: Drive,
): Promise<RunOutcome<Result>> {
  const { execution, journal, lease } = driving
  const { store, clock } = execution
  const services = servicesOf(execution, journal, driving.seed, driving.workedMs, driving.limits)
  for (const usage of driving.spent) services.budget.recordSpent(1, usage)
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

function servicesOf(
  execution: Execution,
  journal: Journal,
  seed: string,
  workedMs: number,
  limits: Limits,
) {
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

async function readHistory(journal: Journal, store: RunStore, runId: string): Promise<History> {
  let started: RunEvent | undefined
  let finished: RunEvent | undefined
  let failedStep: RunEvent | undefined
  let sessionStart = 0
  let last = 0
  let workedMs = 0
  const spent: Usage[] = []
  for await (const event of store.events(runId, { withOutput: false })) {
    journal.record(event)
    if (event.type === 'run.started') started = event
    if (event.type === 'run.started' || event.type === 'run.resumed') {
      workedMs += last - sessionStart
      sessionStart = event.ts
      finished = undefined
      failedStep = undefined
    }
    last = event.ts
    if (event.type === 'run.finished') finished = event
    if (event.type === 'step.failed' && failedStep === undefined && isRetryable(event))
      failedStep = event
    if (stepEnds.includes(event.type)) spent.push((event.data as StepFacts).usage ?? nothingUsed)
  }
  if (started === undefined) {
    throw new ScholiumError('run_incompatible', `The log of run ${runId} has no beginning.`, {
      hint: 'It was damaged; remove it with: scholium runs remove',
    })
  }
  return { started, finished, failedStep, spent, workedMs: workedMs + last - sessionStart }
}

const nothingUsed: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

function isRetryable(event: RunEvent): boolean {
  return (event.data as StepFacts).failure?.retryable === true
}

function checkWorkflow(
  workflow: { readonly name: string; readonly version: string },
  started: RunEvent,
): void {
  const recorded = started.data.versions as { workflow: string }
  if (started.data.workflow === workflow.name && recorded.workflow === workflow.version) return
  throw new ScholiumError(
    'run_incompatible',
    `The run was recorded by ${started.data.workflow} ${recorded.workflow}; this is ${workflow.name} ${workflow.version}.`,
    { hint: 'Use the version that recorded it, or ask again.' },
  )
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}
