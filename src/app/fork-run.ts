import type { StateChange } from '../graph/change-state.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { RunEvent } from '../kernel/event.ts'
import { findPlace, forkRun } from '../kernel/fork.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { ModelRole } from '../kernel/model.ts'
import type { RunStore } from '../kernel/run-store.ts'
import { stateAt } from '../kernel/state-at.ts'
import { modelNamesOf } from '../models/model-source.ts'
import type { Answer } from '../workflows/ask/answer.ts'
import { cleanQuestion } from '../workflows/ask/input.ts'
import type { AppParts } from './app-parts.ts'
import { forkChanges } from './fork-changes.ts'
import type { ExecutionOptions } from './options.ts'
import { requirePrices } from './require-prices.ts'
import { rolesInUse } from './roles.ts'
import { findRunId, newRunId } from './run-id.ts'

/** How a run shall go on another way. The app's models are those that change; the other roles keep the run's. */
export interface ForkRequest {
  /** A step or node: it and everything after it is done anew. Default: the beginning. */
  readonly at?: string
  /** What shall be other in the state there. */
  readonly changes?: readonly StateChange[]
  readonly question?: string
}

/** Where a fork left its parent. */
export interface ForkPoint {
  readonly runId: string
  readonly parentId: string
  /** The last event that both have. */
  readonly sharedThroughSeq: number
  /** The key of the node that ended there, or the workflow's name for the beginning. */
  readonly boundary: string
  /** The key of what was asked for and is done anew; empty for the beginning. */
  readonly at: string
  /** Of changes that come to nothing: which, and why. */
  readonly remarks: readonly string[]
}

/** What a fork came to. */
export interface ForkReport {
  readonly fork: ForkPoint
  readonly answer: Answer
}

/** @see App.fork */
export async function forkAnswer(
  parts: AppParts,
  run: string,
  request: ForkRequest,
  options: ExecutionOptions,
  onFork: (fork: ForkPoint) => void,
): Promise<ForkReport> {
  const { store, clock } = parts
  const parentId = await findRunId(store, run)
  const place = await findPlace(store, parentId, request.at)
  const workflow = parts.workflow()
  const state = await stateAt(workflow, store, parentId, place)
  const { fields, remarks } = forkChanges(state, place, changesOf(request))
  // A fork from before its parent's own change asks what was asked then.
  const title = workflow.title({ question: String(fields.question ?? state.question), files: [] })
  const models = await parts.modelsOfFork(parentId)
  const execution = parts.execution(options, models)
  requirePrices(execution.limits ?? {}, models)
  const runId = newRunId(clock.now())
  const fork = {
    runId,
    parentId,
    sharedThroughSeq: place.seq,
    boundary: place.boundary,
    at: place.at,
    remarks,
  }
  onFork(fork)
  const given = { parentId, place, fields, title }
  const { result } = await forkRun(workflow, given, runId, execution)
  return { fork, answer: await parts.answerOf(runId, result) }
}

function changesOf({ changes = [], question }: ForkRequest): readonly StateChange[] {
  const all = question === undefined ? changes : [...changes, { path: 'question', value: question }]
  return all.map((change) =>
    change.path === 'question' && typeof change.value === 'string'
      ? { ...change, value: cleanQuestion(change.value) }
      : change,
  )
}

/**
 * The key of the first call of a role whose model would be another now.
 * @throws `invalid_input` when no role has another model, or none of those was ever called
 */
export async function firstChangedCall(parts: AppParts, runId: string): Promise<string> {
  const before = modelNamesOf(await parts.modelsOfRecord(runId), rolesInUse)
  const now = modelNamesOf(await parts.modelsOfFork(runId), rolesInUse)
  const changed = rolesInUse.filter((role) => before[role] !== now[role])
  if (changed.length === 0) {
    throw new ScholiumError('invalid_input', 'The run was recorded with these models.', {
      hint: 'Name another model, or replay it without naming any.',
    })
  }
  const key = await firstCallOf(parts.store, runId, changed)
  if (key !== undefined) return key
  throw new ScholiumError('invalid_input', `The run never called the ${changed.join(', ')}.`, {
    hint: 'Name another role; "scholium runs show" lists what was called.',
  })
}

async function firstCallOf(
  store: RunStore,
  runId: string,
  roles: readonly ModelRole[],
): Promise<string | undefined> {
  for await (const event of store.events(runId, { types: ['step.started', 'step.done'] })) {
    const role = roleOf(event)
    if (role !== undefined && roles.includes(role)) return event.key
  }
  return undefined
}

/** The role that a step called, if it is a model call: paid ones say it where they start, others where they end. */
function roleOf({ type, data, output }: RunEvent): ModelRole | undefined {
  const input = (type === 'step.started' ? output : data.input) as
    | Partial<JsonObject>
    | null
    | undefined
  return input?.model === undefined ? undefined : (input.role as ModelRole)
}
