import type { StateChange } from '../graph/change-state.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { RunEvent } from '../kernel/event.ts'
import { findPlace, forkRun, type Place } from '../kernel/fork.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { ModelRole, ModelSource } from '../kernel/model.ts'
import type { RunStore } from '../kernel/run-store.ts'
import { stateAt } from '../kernel/state-at.ts'
import { modelNamesOf } from '../models/model-source.ts'
import type { Answer } from '../workflows/ask/answer.ts'
import { cleanQuestion } from '../workflows/ask/input.ts'
import type { AskState } from '../workflows/ask/state.ts'
import type { AppParts } from './app-parts.ts'
import { forkChanges } from './fork-changes.ts'
import { nodeOf, rolesAhead } from './fork-effects.ts'
import type { ExecutionOptions } from './options.ts'
import { type Conditions, recordedConditions } from './recorded-conditions.ts'
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
  const recorded = await recordedConditions(store, parentId)
  const place = await findPlace(store, parentId, request.at)
  const workflow = parts.workflow()
  const state = await stateAt(workflow, store, parentId, place)
  const { fields, remarks } = forkChanges(state, place, changesOf(request))
  if (place.isBeforeEnd === true)
    remarks.unshift(`Nothing follows ${request.at}: the fork begins before the last node.`)
  // A fork from before its parent's own change asks what was asked then.
  const title = workflow.title({ question: String(fields.question ?? state.question), files: [] })
  const models = await parts.modelsOfFork(parentId)
  const execution = parts.execution(options, models)
  requirePrices({ ...recorded.limits, ...execution.limits }, models)
  remarks.push(...idleModels(parts, recorded.models, models, { ...state, ...fields }, place))
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

/** What is to be said of models that are others now, and are not asked after the place. */
function idleModels(
  { options }: AppParts,
  before: Conditions['models'],
  models: ModelSource,
  state: JsonObject,
  place: Place,
): readonly string[] {
  const { default: forAll, ...chosen } = options.models ?? {}
  const now = modelNamesOf(models, rolesInUse)
  const ahead = rolesAhead(state as unknown as AskState, nodeOf(place))
  const isIdle = (role: ModelRole) => !ahead.some((one) => one === role)
  const changed = rolesInUse.filter((role) => now[role] !== before[role])
  const idle = changed.filter(isIdle)
  const named = idle.filter((role) => Object.hasOwn(chosen, role))
  if (named.length > 0)
    return named.map(
      (role) => `The ${role} is not asked after that place: its model has no effect.`,
    )
  const isAll = forAll !== undefined && changed.length > 0 && idle.length === changed.length
  return isAll ? ['No such model is asked after that place: naming it has no effect.'] : []
}

/** @throws `invalid_input` for two questions */
function changesOf({ changes = [], question }: ForkRequest): readonly StateChange[] {
  if (question !== undefined && changes.some(({ path }) => path === 'question')) {
    throw new ScholiumError('invalid_input', 'The question is given twice.', {
      hint: 'Give --question, or --set question=…, not both.',
    })
  }
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
