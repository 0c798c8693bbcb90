import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import { orderByNeeds } from '../../../reasoning/sub-problems.ts'

/** How a goal becomes a plan. */
export const strategies = ['flat', 'hierarchical', 'iterative'] as const

const statuses = ['pending', 'in_progress', 'completed', 'failed', 'skipped'] as const

const subtaskSchema = z.object({
  id: z.coerce.string(),
  description: z.string().default(''),
  dependencies: z.array(z.coerce.string()).default([]),
  status: z.enum(statuses).default('pending'),
  result: z.json().default(null),
  error: z.string().nullish(),
})

const planSchema = z.object({
  id: z.coerce.string().default('plan'),
  goal: z.string().default(''),
  strategy: z.enum(strategies).default('flat'),
  subtasks: z.array(subtaskSchema),
  metadata: z.record(z.string(), z.json()).default({}),
})

/** A subtask of a plan. */
export type Subtask = z.output<typeof subtaskSchema>

/** A plan: subtasks with dependencies. */
export type Plan = z.output<typeof planSchema>

/** A plan, or why there is none. */
export type PlanReading =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly error: string }

/** Reads a plan from a parameter or the state, also from the result of `plan.decompose`. */
export function readPlan(given: Json | undefined): PlanReading {
  const wrapped = isJsonObject(given) && isJsonObject(given.plan) ? given.plan : given
  if (!isJsonObject(wrapped)) {
    const error = 'No plan provided. Use plan.decompose first or provide plan parameter.'
    return { ok: false, error }
  }
  const parsed = planSchema.safeParse(wrapped)
  if (!parsed.success)
    return { ok: false, error: `Invalid plan structure: ${z.prettifyError(parsed.error)}` }
  const fault = findFault(parsed.data.subtasks)
  return fault === undefined
    ? { ok: true, plan: parsed.data }
    : { ok: false, error: `Invalid plan structure: ${fault}` }
}

/** What keeps subtasks from being ordered: duplicate ids, unknown dependencies, cycles. */
export function findFault(
  subtasks: readonly Pick<Subtask, 'id' | 'dependencies'>[],
): string | undefined {
  const ids = subtasks.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return `Two subtasks have the id "${twice}".`
  for (const { id, dependencies } of subtasks) {
    const unknown = dependencies.find((needed) => !ids.includes(needed))
    if (unknown !== undefined) return `Unknown subtask: "${id}" depends on "${unknown}".`
  }
  const order = orderByNeeds(
    subtasks.map(({ id, dependencies }) => ({ id, description: '', dependsOn: dependencies })),
  )
  return order.ok ? undefined : `Cycle detected: ${order.cycle.join(' -> ')}`
}

/** Number of subtasks by status, and in total. */
export function countByStatus({ subtasks }: Plan): JsonObject {
  const count = (status: Subtask['status']) =>
    subtasks.filter((subtask) => subtask.status === status).length
  return {
    total: subtasks.length,
    ...Object.fromEntries(statuses.map((status) => [status, count(status)])),
  }
}

/** Share of subtasks that are completed or skipped, 0 to 1; 1 if there are none. */
export function computeProgress({ subtasks }: Plan): number {
  const over = subtasks.filter(({ status }) => isOver(status)).length
  return subtasks.length === 0 ? 1 : over / subtasks.length
}

/** Whether dependents of a subtask may start. */
export function isOver(status: Subtask['status']): boolean {
  return status === 'completed' || status === 'skipped'
}

/** A plan as data. */
export function toJson(plan: Plan): JsonObject {
  return plan
}

/** Results of completed subtasks, by id. */
export function collectResults({ subtasks }: Plan): JsonObject {
  return Object.fromEntries(
    subtasks.flatMap(({ id, status, result }) => (status === 'completed' ? [[id, result]] : [])),
  )
}

/** A plan with some subtasks changed. */
export function withSubtasks(plan: Plan, changed: ReadonlyMap<string, Partial<Subtask>>): Plan {
  return {
    ...plan,
    subtasks: plan.subtasks.map((subtask) => ({ ...subtask, ...changed.get(subtask.id) })),
  }
}
