import { ScholiumError } from '../errors.ts'
import { canonicalJson, type Json, type JsonObject } from '../json.ts'
import { checkLimits, type Limits } from '../limits/limits.ts'
import {
  createServices,
  executeRun,
  neverAborted,
  recordConditions,
  runWithHooks,
} from './execute-run.ts'
import { Journal } from './journal.ts'
import { RunContext } from './run-context.ts'
import { checkWorkflow, findRewind, type History, readHistory } from './run-history.ts'
import type { RunRecord, RunStore } from './run-store.ts'
import { redactSecrets } from './secrets.ts'
import { resultSoFar } from './state-at.ts'
import type { Execution, RunOutcome, Workflow } from './workflow.ts'

/** Starts a run and executes it to its end. Rejects with the error that stopped it; the log then contains how to resume. */
export async function startRun<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  givenInput: Input,
  runId: string,
  execution: Execution,
): Promise<RunOutcome<Result>> {
  const { store, clock, owner, secrets = [], title } = execution
  checkLimits(execution.limits ?? {})
  const input = redactSecrets(givenInput, secrets)
  const run = {
    runId,
    workflow: workflow.name,
    title: title === undefined ? workflow.title(input) : toTitle(redactSecrets(title, secrets)),
    createdAt: clock.now(),
  }
  const lease = await store.create(run, owner)
  const journal = new Journal({ runId, store, lease, listeners: execution.listeners ?? [] })
  const data = {
    workflow: workflow.name,
    ...recordConditions(workflow, execution, execution.limits ?? {}),
    seed: runId,
  }
  await journal.append(
    { key: '', type: 'run.started', data, output: input, ts: clock.now() },
    'full',
  )
  return executeRun(workflow, input, {
    execution,
    journal,
    lease,
    seed: runId,
    limits: execution.limits ?? {},
    workedMs: 0,
    spent: [],
  })
}

/** A given title on one line of at most 200 characters. */
function toTitle(given: string): string {
  return given.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
}

/**
 * Resumes a run that was interrupted, is waiting, failed temporarily, or was stopped by a limit that has been raised. Finished
 * steps are not repeated. A run that has ended returns its recorded result,
 * whichever version recorded it.
 *
 * @throws `run_busy`, `run_incompatible` when the workflow has changed, `step_changed`
 */
export async function resumeRun<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  runId: string,
  execution: Execution,
): Promise<RunOutcome<Result>> {
  const { store, clock, owner } = execution
  checkLimits(execution.limits ?? {})
  const before = await store.get(runId)
  const lease = await store.acquire(runId, owner)
  const journal = new Journal({ runId, store, lease, listeners: execution.listeners ?? [] })
  let isDriven = false
  try {
    const history = await readHistory(journal, store, runId)
    const { started, configured, finished, spent, workedMs } = history
    const limits = { ...history.limits, ...execution.limits }
    const rewindToSeq = findRewind(history, limits)
    checkFork(before, configured)
    if (finished !== undefined && rewindToSeq === null) {
      return { runId, result: (await journal.output(finished.seq)) as Result }
    }
    checkWorkflow(workflow, started)
    checkConfiguration(execution, configured)
    const data = { rewindToSeq, ...recordConditions(workflow, execution, limits) }
    await journal.append({ key: '', type: 'run.resumed', data, ts: clock.now() }, 'full')
    isDriven = true
    const input = (await journal.output(started.seq)) as Input
    const { seed } = started.data
    return await executeRun(workflow, input, {
      execution,
      journal,
      lease,
      seed,
      limits,
      workedMs,
      spent,
    })
  } finally {
    // A run that was not executed keeps its status; a run whose owner died is interrupted.
    const status = before.status === 'running' ? 'interrupted' : before.status
    if (!isDriven) await store.release(lease, status)
  }
}

/**
 * Whether resuming a run under these limits would do more than return its recorded result.
 * @throws `run_incompatible`
 */
export async function canContinue(
  store: RunStore,
  runId: string,
  limits: Limits,
): Promise<boolean> {
  const history = await readHistory(new Journal({ runId, store }), store, runId)
  const { finished, limits: recorded } = history
  return finished === undefined || findRewind(history, { ...recorded, ...limits }) !== null
}

/**
 * Rejects a fork whose first own event was lost: it would continue as its parent did.
 * @throws `run_incompatible`
 */
function checkFork({ runId, parent }: RunRecord, { seq }: History['configured']): void {
  if (parent === undefined || seq === parent.seq + 1) return
  throw new ScholiumError('run_incompatible', `Run ${runId} is a fork that never started.`, {
    hint: `Remove it, and fork ${parent.runId} again.`,
  })
}

/**
 * Rejects resuming a run with another configuration: its answer would mix both.
 * @throws `run_incompatible`
 */
function checkConfiguration(execution: Execution, { data, runId }: History['configured']): void {
  const recorded = flattenConfiguration(data.configuration ?? {})
  const now = flattenConfiguration(execution.configuration)
  const others = [...new Set([...recorded.keys(), ...now.keys()])]
    .filter((path) => recorded.get(path) !== now.get(path))
    .map((path) => `${path} was ${recorded.get(path) ?? 'none'}, now ${now.get(path) ?? 'none'}`)
  if (others.length === 0) return
  const more =
    others.length > maxNamedDifferences ? ` (and ${others.length - maxNamedDifferences} more)` : ''
  throw new ScholiumError(
    'run_incompatible',
    `Run ${runId} was started with another configuration: ${others.slice(0, maxNamedDifferences).join('; ')}${more}.`,
    {
      hint: 'Resume it without changing models or addresses, or ask the question again.',
    },
  )
}

const maxNamedDifferences = 3

/** The values of a configuration by path, such as `models.planner`. */
function flattenConfiguration(value: Json, path = ''): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[path, typeof value === 'string' ? value : canonicalJson(value)]])
  const members = Object.entries(value as Readonly<Record<string, Json>>)
  return new Map(
    members.flatMap(([name, member]) => [
      ...flattenConfiguration(member, path === '' ? name : `${path}.${name}`),
    ]),
  )
}

/** The outcome of a replay. */
export interface Replay<Result> {
  readonly result: Result
  readonly recorded: Result
  /** Number of steps that the code requested. */
  readonly steps: number
  /** Keys of recorded steps that the code did not request. */
  readonly unclaimed: readonly string[]
}

/**
 * Executes a finished run, or a waiting session, again from the start using its recorded steps only: no model is called, the
 * network is not used, nothing is written.
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
  const waiting = finished === undefined ? await resultSoFar(workflow, store, runId) : undefined
  if (finished === undefined && waiting === undefined) {
    throw new ScholiumError(
      'invalid_input',
      `Run ${runId} has not ended, so a replay has nothing to compare with.`,
      {
        hint: `Finish it first: scholium resume ${runId}`,
      },
    )
  }
  const input = (await journal.output(started.seq)) as Input
  const services = createServices(
    execution,
    journal,
    started.data.seed,
    0,
    // The log says where a limit stopped something, so nothing is reserved.
    {},
  )
  const context = new RunContext({
    services,
    path: workflow.name,
    signal: execution.signal ?? neverAborted(),
  })
  const result = await runWithHooks(workflow, context, input)
  const recorded = waiting ?? ((await journal.output(finished?.seq ?? 0)) as Result)
  return { result, recorded, steps: journal.claimedCount, unclaimed: journal.unclaimed() }
}
