import type { JsonObject } from '../json.ts'
import { checkLimits, type Limits } from '../limits/limits.ts'
import { executeRun, recordConditions } from './execute-run.ts'
import { Journal } from './journal.ts'
import type { Place } from './place.ts'
import { checkWorkflow, readHistory } from './run-history.ts'
import { redactSecrets } from './secrets.ts'
import type { Execution, RunOutcome, Workflow } from './workflow.ts'

export { findPlace, isTopBoundary, type Place } from './place.ts'

/** How a fork differs from its parent. */
export interface Fork {
  readonly parentId: string
  readonly place: Place
  /** State fields to change at that place. */
  readonly fields: JsonObject
  /** Default: the parent's. */
  readonly title?: string
}

/**
 * Continues from a place of a run as a new run. Events up to that place are shared, neither copied nor repeated; the parent is
 * unchanged. The parent's last limits apply unless others are given, and only the fork's own usage counts against them.
 *
 * @throws `run_incompatible` when another version of the workflow recorded the parent, and what the run throws
 */
export async function forkRun<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  fork: Fork,
  runId: string,
  execution: Execution,
): Promise<RunOutcome<Result>> {
  const { store, clock, owner, secrets = [], listeners = [] } = execution
  checkLimits(execution.limits ?? {})
  const { parentId, place } = fork
  const parent = await store.get(parentId)
  const title = fork.title ?? parent.title
  const shared = { runId: parentId, seq: place.seq }
  const run = { runId, workflow: workflow.name, title, createdAt: clock.now(), parent: shared }
  // Checked before the run exists: it would have to be removed again.
  let limits: Limits = {}
  for await (const event of store.events(parentId, { types: conditionTypes, withOutput: false })) {
    if (event.type === 'run.started') checkWorkflow(workflow, event)
    limits = event.data.limits ?? limits
  }
  limits = { ...limits, ...execution.limits }
  const lease = await store.create(run, owner)
  const journal = new Journal({ runId, store, lease, listeners })
  const { started } = await readHistory(journal, store, runId)
  const data = {
    parent: shared,
    boundary: place.boundary,
    ...recordConditions(workflow, execution, limits),
  }
  const output = redactSecrets(fork.fields, secrets)
  await journal.append({ key: '', type: 'run.forked', data, output, ts: clock.now() }, 'full')
  const input = (await journal.output(started.seq)) as Input
  const { seed } = started.data
  return executeRun(workflow, input, {
    execution,
    journal,
    lease,
    seed,
    limits,
    workedMs: 0,
    spent: [],
  })
}

const conditionTypes = ['run.started', 'run.resumed', 'run.forked'] as const
