import { drive, neverAborted, servicesOf } from './drive-run.ts'
import { ScholiumError } from './errors.ts'
import type { RunStatus } from './event.ts'
import { Journal } from './journal.ts'
import type { JsonObject } from './json.ts'
import type { Limits } from './limits.ts'
import { RunContext } from './run-context.ts'
import { checkWorkflow, readHistory } from './run-history.ts'
import { redactSecrets } from './secrets.ts'
import type { Execution, RunOutcome, Workflow } from './workflow.ts'

/** Starts a run and drives it to its end. Rejects with what stopped it; the log then says how to go on. */
export async function startRun<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  givenInput: Input,
  runId: string,
  execution: Execution,
): Promise<RunOutcome<Result>> {
  const { store, clock, owner, secrets = [] } = execution
  const input = redactSecrets(givenInput, secrets)
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
    const { started, finished, rewindToSeq } = history
    checkWorkflow(workflow, started)
    if (finished !== undefined && rewindToSeq === null) {
      const result = (await journal.output(finished.seq)) as Result
      status = workflow.status(result)
      return { runId, result }
    }
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
  /** How many steps the code asked for. */
  readonly steps: number
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
  return { result, recorded, steps: journal.claimedCount, unclaimed: journal.unclaimed() }
}
