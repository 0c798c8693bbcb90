import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { ModelRole } from '../../kernel/model/model.ts'
import type { StepEvent } from '../../kernel/run/event.ts'
import { findPlace, forkRun } from '../../kernel/run/fork.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import type { NamedModels } from '../../models/model-settings.ts'
import { listModelNames } from '../../models/model-source.ts'
import type { AppParts } from '../app-parts.ts'
import { requirePrices } from '../models/require-prices.ts'
import type { ExecutionOptions } from '../options.ts'
import { requireGranted } from '../trust/rights.ts'
import type { ForkRequest } from '../workflows/bound-workflow.ts'
import { type Conditions, recordedConditions } from './recorded-conditions.ts'
import { findRunId, newRunId } from './run-id.ts'
import { createModels, modelsOfFork, modelsOfRecord } from './run-models.ts'
import { presentResult, type RunResult } from './run-result.ts'
import { stateAtPlace } from './run-state.ts'

/** Where a fork left its parent. */
export interface ForkPoint {
  readonly runId: string
  readonly parentId: string
  /** The sequence number of the last event that both have. */
  readonly sharedThroughSeq: number
  /** The key of the node that ended there, or the workflow's name for the beginning. */
  readonly boundary: string
  /** The key of the requested step, which is executed again; empty for the beginning. */
  readonly at: string
  /** Which changes have no effect, and why. */
  readonly remarks: readonly string[]
}

/** Options of a fork. */
export interface ForkOptions extends ExecutionOptions {
  /** Called before the fork starts, with the point at which it leaves its parent. */
  readonly onFork?: (fork: ForkPoint) => void
}

/** The outcome of a fork. */
export interface ForkReport {
  readonly fork: ForkPoint
  readonly answer: RunResult
}

/** @see App.fork */
export async function forkAnswer(
  parts: AppParts,
  run: string,
  request: ForkRequest,
  options: ForkOptions,
): Promise<ForkReport> {
  const { store, clock } = parts
  const parentId = await findRunId(store, run)
  const bound = await parts.workflows.bind(parentId, options.grants ?? [], options.tools)
  const recorded = await recordedConditions(store, parentId)
  const workflow = await bound.workflow()
  const place = await findPlace(store, parentId, request.at)
  const state = await stateAtPlace(parts, workflow, parentId, place)
  if (bound.models !== undefined && request.models !== undefined)
    throw new ScholiumError('invalid_input', `The models of run ${parentId} are set in its code.`)
  const changes = await bound.forkChanges(state, place, request)
  const { fields, title } = changes
  await requireGranted(parts, parentId, options, fields)
  const models = bound.models
    ? createModels(parts, bound.models)
    : await modelsOfFork(parts, parentId, request.models)
  await parts.readWindows(options, models, bound)
  const execution = parts.execution(options, models, bound)
  requirePrices({ ...recorded.limits, ...execution.limits }, models, bound.roles)
  const ahead = await bound.rolesAhead?.(state, fields, place)
  const remarks = [
    ...(place.isBeforeEnd === true
      ? [`Nothing follows ${request.at}: the fork starts before the last node.`]
      : []),
    ...changes.remarks,
    ...(ahead === undefined
      ? []
      : idleModels(
          { ...parts.options.models, ...request.models },
          recorded.models,
          listModelNames(models, bound.roles),
          ahead,
        )),
  ]
  const runId = newRunId(clock.now())
  const fork = {
    runId,
    parentId,
    sharedThroughSeq: place.seq,
    boundary: place.boundary,
    at: place.at,
    remarks,
  }
  options.onFork?.(fork)
  const given = { parentId, place, fields, ...(title === undefined ? {} : { title }) }
  const { result } = await forkRun(workflow, given, runId, execution)
  return { fork, answer: await presentResult(parts, runId, result) }
}

/** What is to be said of models that are others now, and are not asked after the place. */
function idleModels(
  { default: forAll, ...chosen }: NamedModels,
  before: Conditions['models'],
  now: Conditions['models'],
  ahead: readonly ModelRole[],
): readonly string[] {
  const isIdle = (role: ModelRole) => !ahead.includes(role)
  const roles = Object.keys(now) as ModelRole[]
  const changed = roles.filter((role) => now[role] !== before[role])
  const idle = changed.filter(isIdle)
  const named = idle.filter((role) => Object.hasOwn(chosen, role))
  if (named.length > 0)
    return named.map(
      (role) => `The ${role} is not called after this step: its model has no effect.`,
    )
  const isAll = forAll !== undefined && changed.length > 0 && idle.length === changed.length
  return isAll ? ['This model is not called after this step: naming it has no effect.'] : []
}

/**
 * The key of the first call of a role whose model would be another now.
 * @throws `invalid_input` when no role has another model, or none of those was ever called
 */
export async function firstChangedCall(parts: AppParts, runId: string): Promise<string> {
  const { roles } = await parts.workflows.bind(runId)
  const before = listModelNames(await modelsOfRecord(parts, runId), roles)
  const now = listModelNames(await modelsOfFork(parts, runId), roles)
  const changed = roles.filter((role) => before[role] !== now[role])
  if (changed.length === 0) {
    throw new ScholiumError('invalid_input', 'The run was recorded with these models.', {
      hint: 'Give another model, or replay the run without --model.',
    })
  }
  const key = await findFirstCall(parts.store, runId, changed)
  if (key !== undefined) return key
  throw new ScholiumError('invalid_input', `The run never called the ${changed.join(', ')}.`, {
    hint: 'Give another role; "scholium runs show" lists the roles that were called.',
  })
}

async function findFirstCall(
  store: RunStore,
  runId: string,
  roles: readonly ModelRole[],
): Promise<string | undefined> {
  for await (const event of store.events(runId, { types: ['step.started', 'step.done'] })) {
    const role = readRole(event)
    if (role !== undefined && roles.includes(role)) return event.key
  }
  return undefined
}

/** The role that a step called, if it is a model call: paid ones say it where they start, others where they end. */
function readRole(event: StepEvent): ModelRole | undefined {
  const input = (event.type === 'step.started' ? event.output : event.data.input) as
    | Partial<JsonObject>
    | null
    | undefined
  return input?.model === undefined ? undefined : (input.role as ModelRole)
}
