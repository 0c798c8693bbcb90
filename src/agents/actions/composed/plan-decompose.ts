import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { ActionCall, ComposedAction } from '../action.ts'
import { unusedParam } from '../known-params.ts'
import { composedAction, notDone, orNotDone } from './composed-action.ts'
import { modelFor, type Providers, withSettings } from './model-choice.ts'
import { modelParams } from './model-params.ts'
import { type Plan, planJson, readPlan, resultsOf, strategies } from './plan.ts'
import { makePlan } from './plan-maker.ts'
import { isObject, textOf } from './values.ts'

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
  return composedAction({
    name: 'plan.decompose',
    description: 'Splits a goal into subtasks with dependencies.',
    lateParams: ['planner', 'prompt_template'],
    params: decomposeParams,
    result:
      '{plan: {id, goal, strategy, subtasks: [{id, description, dependencies, status, result}], metadata}, plan_id, subtask_count, planning_trace, success}. If the model gives no usable plan: {error, success: false}.',
    run: (given, call) =>
      orNotDone(
        call.context,
        async (context) => {
          const own = optionsOf(given, call)
          const settings = withSettings(call, own, providers)
          const model = await modelFor(context, 'plan.decompose', settings, providers)
          const strategy = own.strategy ?? 'flat'
          const { subtask_results: before } = call.state
          const { subtasks, droppedCount } = await makePlan(context, model, {
            goal: given.goal,
            strategy,
            maxDepth: own.max_depth ?? 3,
            maxSubtasks: own.max_subtasks ?? 15,
            done: strategy === 'iterative' && isObject(before) ? before : {},
            ...(own.prompt_template ? { instructions: own.prompt_template } : {}),
          })
          const plan: Plan = {
            id: `plan_${context.id('plan').slice(0, 8)}`,
            goal: given.goal,
            strategy,
            // What was done before is no part of this plan.
            subtasks: subtasks.map((subtask) => ({
              ...subtask,
              dependencies: subtask.dependencies.filter((id) =>
                subtasks.some((other) => other.id === id),
              ),
            })),
            metadata: { created_at: context.now() / 1_000, replan_count: 0 },
          }
          return {
            plan: planJson(plan),
            plan_id: plan.id,
            subtask_count: plan.subtasks.length,
            planning_trace: [traceOf(context.now(), plan, droppedCount)],
            success: true,
          }
        },
        { planning_trace: [] },
      ),
  })
}

type Planning = z.output<z.ZodObject<typeof planning>>

/** The parameters, those of `planner` before those beside it, templates filled in. */
function optionsOf(given: z.output<typeof decomposeParams>, call: ActionCall): Planning {
  const { planner, goal, ...own } = given
  const names = { goal }
  const defined = (options: object | null | undefined) =>
    Object.fromEntries(
      Object.entries(options ?? {}).filter(([, value]) => value !== null && value !== undefined),
    )
  const written = { ...defined(own), ...defined(planner) } as JsonObject
  return call.withState(names).render(written, names) as Planning
}

function traceOf(timeMs: number, plan: Plan, droppedCount: number): JsonObject {
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
  return composedAction({
    name: 'plan.replan',
    description: 'Replans the remaining work, given what is done and what failed.',
    readsState: true,
    params: z.strictObject({
      plan: z.json().optional().describe('The plan. Default: state.plan.'),
      context: z.string().nullish().describe('What the planner should know.'),
      preserve_completed: unusedParam('completed work is always kept'),
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
      if (!read.ok) return notDone(read.error)
      const most = given.max_replans ?? Infinity
      if (replansOf(read.plan) >= most)
        return notDone('Max replans exceeded.', { plan: planJson(read.plan) })
      const { failed_subtask: failed, failure_reason: reason } = call.state
      const why = [
        ...(failed === undefined || failed === null
          ? []
          : [`The subtask ${textOf(failed)} failed: ${textOf(reason ?? 'unknown reason')}.`]),
        ...(given.context ? [given.context] : []),
      ].join('\n')
      const settings = withSettings(call, given, providers)
      return orNotDone(call.context, async (context) => {
        const model = await modelFor(context, 'plan.replan', settings, providers)
        const { plan, kept, added } = await replan(context, model, read.plan, why)
        return {
          plan: planJson(plan),
          preserved_subtasks: kept,
          new_subtasks: added,
          replan_count: replansOf(plan),
          planning_trace: [
            { step: 'replan_complete', timestamp: context.now() / 1_000, plan_id: plan.id },
          ],
          success: true,
        }
      })
    },
  })
}

/** How often a plan was made anew. */
export function replansOf({ metadata }: Plan): number {
  return typeof metadata.replan_count === 'number' ? metadata.replan_count : 0
}

/** A plan whose done subtasks stay and whose others are planned anew. @throws as `makePlan` */
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
    done: resultsOf(plan),
  })
  const added = subtasks.filter(({ id }) => !kept.some((subtask) => subtask.id === id))
  const metadata = { ...plan.metadata, replan_count: replansOf(plan) + 1 }
  return {
    plan: { ...plan, subtasks: [...kept, ...added], metadata },
    kept: kept.length,
    added: added.length,
  }
}
