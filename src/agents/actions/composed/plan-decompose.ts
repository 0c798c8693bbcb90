import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { ModelBinding } from '../../../kernel/model/model.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { askStructured, type Reading } from '../../../reasoning/ask-structured.ts'
import { malformedText, parseStructured } from '../../../reasoning/structured.ts'
import { type ActionCall, type ComposedAction, ignoredParam } from '../action.ts'
import { defineComposedAction, failedResult, orFailedResult, toText } from './composed-action.ts'
import { applyLlmSettings, chooseActionModel, type Providers } from './model-choice.ts'
import { modelParams } from './model-params.ts'
import {
  collectResults,
  findFault,
  type Plan,
  readPlan,
  type Subtask,
  strategies,
  toJson,
} from './plan.ts'

const planning = {
  strategy: z
    .enum(strategies)
    .nullish()
    .describe(
      'flat, hierarchical (subtasks of subtasks) or iterative (only the next step). Default flat.',
    ),
  max_depth: z
    .int()
    .min(1)
    .max(20)
    .nullish()
    .describe('Maximum levels of hierarchical plans. Default 3.'),
  max_subtasks: z
    .int()
    .min(1)
    .max(1_000)
    .nullish()
    .describe('Maximum number of subtasks; more are dropped. Default 15.'),
  prompt_template: z
    .string()
    .nullish()
    .describe('Instructions instead of the built-in ones; {{ goal }} is replaced by the goal.'),
  ...modelParams,
}

const decomposeParams = z.strictObject({
  goal: z.string().describe('The goal.'),
  planner: z.strictObject(planning).nullish().describe('The parameters below, as a map.'),
  ...planning,
})

/** `plan.decompose`. */
export function planDecomposeAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'plan.decompose',
    description: 'Splits a goal into subtasks with dependencies.',
    lateParams: ['planner', 'prompt_template'],
    params: decomposeParams,
    result:
      '{plan: {id, goal, strategy, subtasks: [{id, description, dependencies, status, result}], metadata}, plan_id, subtask_count, planning_trace, success}. If the model gives no usable plan: {error, success: false}.',
    run: (given, call) =>
      orFailedResult(
        call.context,
        async (context) => {
          const own = readOptions(given, call)
          const settings = applyLlmSettings(call, own, providers)
          const model = await chooseActionModel(context, 'plan.decompose', settings, providers)
          const strategy = own.strategy ?? 'flat'
          const { subtask_results: before } = call.state
          const { subtasks, droppedCount } = await makePlan(context, model, {
            goal: given.goal,
            strategy,
            maxDepth: own.max_depth ?? 3,
            maxSubtasks: own.max_subtasks ?? 15,
            done: strategy === 'iterative' && isJsonObject(before) ? before : {},
            ...(own.prompt_template ? { instructions: own.prompt_template } : {}),
          })
          const plan: Plan = {
            id: `plan_${context.id('plan').slice(0, 8)}`,
            goal: given.goal,
            strategy,
            // Completed work is not part of this plan.
            subtasks: subtasks.map((subtask) => ({
              ...subtask,
              dependencies: subtask.dependencies.filter((id) =>
                subtasks.some((other) => other.id === id),
              ),
            })),
            metadata: { created_at: context.now() / 1_000, replan_count: 0 },
          }
          return {
            plan: toJson(plan),
            plan_id: plan.id,
            subtask_count: plan.subtasks.length,
            planning_trace: [readTrace(context.now(), plan, droppedCount)],
            success: true,
          }
        },
        { planning_trace: [] },
      ),
  })
}

type Planning = z.output<z.ZodObject<typeof planning>>

/** The parameters with templates filled in; those of `planner` take precedence. */
function readOptions(given: z.output<typeof decomposeParams>, call: ActionCall): Planning {
  const { planner, goal, ...own } = given
  const names = { goal }
  const defined = (options: object | null | undefined) =>
    Object.fromEntries(
      Object.entries(options ?? {}).filter(([, value]) => value !== null && value !== undefined),
    )
  const written = { ...defined(own), ...defined(planner) } as JsonObject
  return call.withState(names).render(written, names) as Planning
}

function readTrace(timeMs: number, plan: Plan, droppedCount: number): JsonObject {
  return {
    step: 'decompose_complete',
    timestamp: timeMs / 1_000,
    plan_id: plan.id,
    subtask_count: plan.subtasks.length,
    ...(droppedCount === 0 ? {} : { subtasks_left_out: droppedCount }),
  }
}

/** `plan.replan`. */
export function planReplanAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'plan.replan',
    description: 'Replans the remaining work, given what is done and what failed.',
    readsState: true,
    params: z.strictObject({
      plan: z.json().optional().describe('The plan. Default: state.plan.'),
      context: z.string().nullish().describe('What the planner should know.'),
      preserve_completed: ignoredParam('completed work is always kept'),
      max_replans: z
        .int()
        .min(0)
        .nullish()
        .describe('Maximum number of replans; beyond that: {error, success: false}.'),
      ...modelParams,
    }),
    result:
      '{plan, preserved_subtasks, new_subtasks, replan_count, planning_trace, success}, or {error, success: false}.',
    run: async (given, call) => {
      const read = readPlan((given.plan as Json | undefined) ?? call.state.plan)
      if (!read.ok) return failedResult(read.error)
      const most = given.max_replans ?? Infinity
      if (countReplans(read.plan) >= most)
        return failedResult('Max replans exceeded.', { plan: toJson(read.plan) })
      const { failed_subtask: failed, failure_reason: reason } = call.state
      const why = [
        ...(failed === undefined || failed === null
          ? []
          : [`The subtask ${toText(failed)} failed: ${toText(reason ?? 'unknown reason')}.`]),
        ...(given.context ? [given.context] : []),
      ].join('\n')
      const settings = applyLlmSettings(call, given, providers)
      return orFailedResult(call.context, async (context) => {
        const model = await chooseActionModel(context, 'plan.replan', settings, providers)
        const { plan, kept, added } = await replan(context, model, read.plan, why)
        return {
          plan: toJson(plan),
          preserved_subtasks: kept,
          new_subtasks: added,
          replan_count: countReplans(plan),
          planning_trace: [
            { step: 'replan_complete', timestamp: context.now() / 1_000, plan_id: plan.id },
          ],
          success: true,
        }
      })
    },
  })
}

/** How often a plan was replaced. */
export function countReplans({ metadata }: Plan): number {
  return typeof metadata.replan_count === 'number' ? metadata.replan_count : 0
}

/** Plans the remaining subtasks again; completed ones stay. @throws as `makePlan` */
export async function replan(
  context: ActionCall['context'],
  model: Parameters<typeof makePlan>[1],
  plan: Plan,
  why: string,
): Promise<{ readonly plan: Plan; readonly kept: number; readonly added: number }> {
  const kept = plan.subtasks.filter(({ status }) => status === 'completed')
  const open = plan.subtasks.filter(({ status }) => status !== 'completed')
  const goal = [
    plan.goal,
    why,
    `Still open in the last plan:\n${open.map(({ id, description, status }) => `- ${id} (${status}): ${description}`).join('\n')}`,
    'Plan what is left to do, with ids of their own for new subtasks.',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
  const { subtasks } = await makePlan(context, model, {
    goal,
    strategy: 'flat',
    maxDepth: 1,
    maxSubtasks: 15,
    done: collectResults(plan),
  })
  const added = subtasks.filter(({ id }) => !kept.some((subtask) => subtask.id === id))
  const metadata = { ...plan.metadata, replan_count: countReplans(plan) + 1 }
  return {
    plan: { ...plan, subtasks: [...kept, ...added], metadata },
    kept: kept.length,
    added: added.length,
  }
}

/** What is to be planned, and how. */
interface PlanOrder {
  readonly goal: string
  readonly strategy: Plan['strategy']
  /** For hierarchical plans: levels of subtasks; deeper ones are dropped. */
  readonly maxDepth: number
  readonly maxSubtasks: number
  /** Instructions instead of the built-in ones. */
  readonly instructions?: string
  /** Completed work, by id. */
  readonly done: JsonObject
}

/** Subtasks planned by a model, and how many were dropped. */
interface Planned {
  readonly subtasks: readonly Subtask[]
  readonly droppedCount: number
}

const form =
  'Answer with one JSON object and nothing else: {"subtasks": [{"id": "a_short_id", "description": "what is to be done", "dependencies": ["ids of the subtasks whose results it needs"]}]}.'

/** Asks a model for the subtasks of a goal and checks their dependencies. @throws as `askStructured` */
function makePlan(context: RunContext, model: ModelBinding, order: PlanOrder): Promise<Planned> {
  const prompt = {
    system: `${order.instructions ?? renderInstructions(order)}\n\n${form}`,
    user: renderRequest(order),
  }
  return askStructured(context, 'plan', model, prompt, (text) => readSubtasks(text, order))
}

function renderInstructions({ strategy, maxDepth, maxSubtasks }: PlanOrder): string {
  switch (strategy) {
    case 'flat':
      return `You split a goal into subtasks that somebody else does one by one: at most ${maxSubtasks}, each clear by itself. A subtask depends on another only where it needs its result.`
    case 'hierarchical':
      return `You split a goal into subtasks and these again where that helps: at most ${maxDepth} levels and ${maxSubtasks} subtasks in all. Give a subtask that is split its own "subtasks": [ … ]. A subtask depends on another only where it needs its result.`
    case 'iterative':
      return 'You plan a goal one step at a time. Give the next subtask, or the next few that can be done now, in view of what was done; no later ones.'
  }
}

function renderRequest({ goal, done }: PlanOrder): string {
  const results = Object.entries(done).map(
    ([id, result]) => `<done id="${id}">\n${toText(result ?? null).slice(0, 2_000)}\n</done>`,
  )
  return [
    `Goal: ${goal}`,
    ...(results.length === 0 ? [] : [`Done so far:\n${results.join('\n')}`]),
  ].join('\n\n')
}

function readSubtasks(text: string, order: PlanOrder): Reading<Planned> {
  const read = parseStructured(text, ['subtasks'])
  if (!read.ok) return read
  const { subtasks: list } = read.value
  const refuse = (reason: string) => ({ ok: false, error: malformedText(reason, text) }) as const
  if (!Array.isArray(list) || list.length === 0) return refuse('It contains no subtasks.')
  const depth = order.strategy === 'hierarchical' ? order.maxDepth : 1
  const all = flattenSubtasks(list as readonly Json[], depth, '')
  const kept = all.slice(0, order.maxSubtasks)
  const known = new Set([...kept.map(({ id }) => id), ...Object.keys(order.done)])
  const dropped = new Set(all.slice(order.maxSubtasks).map(({ id }) => id))
  const subtasks = kept.map((subtask) => ({
    ...subtask,
    dependencies: subtask.dependencies.filter((id) => known.has(id) || !dropped.has(id)),
  }))
  const past = Object.keys(order.done)
    .filter((id) => !kept.some((subtask) => subtask.id === id))
    .map((id) => ({ id, dependencies: [] }))
  const fault = findFault([...past, ...subtasks])
  if (fault !== undefined) return refuse(fault)
  const value = { subtasks, droppedCount: all.length - kept.length }
  return { ok: true, value, truncated: read.truncated }
}

/** Flattens nested subtasks, inner ones before the outer one, which then depends on them. */
function flattenSubtasks(
  list: readonly Json[],
  depthLeft: number,
  prefix: string,
): readonly Subtask[] {
  return list.flatMap((item, index) => {
    const own = isJsonObject(item) ? item : { description: item }
    const id = own.id === undefined ? `${prefix}subtask_${index + 1}` : toText(own.id)
    const inner =
      depthLeft > 1 && Array.isArray(own.subtasks)
        ? flattenSubtasks(own.subtasks as readonly Json[], depthLeft - 1, `${id}.`)
        : []
    const needed = own.dependencies ?? own.depends_on
    const dependencies = Array.isArray(needed) ? (needed as readonly Json[]).map(toText) : []
    const outer: Subtask = {
      id,
      description: toText(own.description ?? ''),
      dependencies: [...new Set([...dependencies, ...inner.map((subtask) => subtask.id)])],
      status: 'pending',
      result: null,
    }
    return [...inner, outer]
  })
}
