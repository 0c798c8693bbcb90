import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import type { ComposedAction } from '../action.ts'
import { composedAction, notDone } from './composed-action.ts'
import type { Providers } from './model-choice.ts'
import { countsOf, progressOf, readPlan } from './plan.ts'
import { planDecomposeAction, planReplanAction } from './plan-decompose.ts'
import { planExecuteAction } from './plan-execute.ts'

/** `plan.*`: goals in subtasks. */
export function planActions(providers: Providers): readonly ComposedAction[] {
  return [
    planDecomposeAction(providers),
    planExecuteAction(providers),
    planReplanAction(providers),
    statusAction(),
  ]
}

function statusAction(): ComposedAction {
  return composedAction({
    name: 'plan.status',
    description: 'Reports the progress of a plan.',
    readsState: true,
    params: z.strictObject({
      plan: z.json().optional().describe('The plan. Default: state.plan.'),
      include_completed: z
        .boolean()
        .nullish()
        .describe('Whether to list completed subtasks. Default true.'),
      include_details: z.boolean().nullish().describe('Whether to list subtasks. Default false.'),
    }),
    result:
      '{status: {total, pending, in_progress, completed, failed, skipped}, the same counts at the top level, progress (0 to 1: share completed or skipped), plan_id, goal, subtasks (with include_details), success}. Without a plan: {error, success: false}.',
    run: async (given, call) => {
      const read = readPlan((given.plan as Json | undefined) ?? call.state.plan)
      if (!read.ok) return notDone(read.error)
      const { plan } = read
      const listed = plan.subtasks.filter(
        ({ status }) => given.include_completed !== false || status !== 'completed',
      )
      const counts = countsOf(plan)
      return {
        ...counts,
        status: counts,
        progress: progressOf(plan),
        plan_id: plan.id,
        goal: plan.goal,
        ...(given.include_details ? { subtasks: listed as unknown as Json } : {}),
        success: true,
      }
    },
  })
}
