import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { ModelBinding } from '../../../kernel/model/model.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { askStructured, type Reading } from '../../../reasoning/ask-structured.ts'
import { malformedText, parseStructured } from '../../../reasoning/structured.ts'
import { faultOf, type Plan, type Subtask } from './plan.ts'
import { isObject, textOf } from './values.ts'

/** What is to be planned, and how. */
export interface PlanOrder {
  readonly goal: string
  readonly strategy: Plan['strategy']
  /** Of hierarchical plans: levels of subtasks; what lies deeper is left out. */
  readonly maxDepth: number
  readonly maxSubtasks: number
  /** Instructions in place of the built-in ones. */
  readonly instructions?: string
  /** What was done before, by id. */
  readonly done: JsonObject
}

/** Subtasks that a model planned, and how many more it gave than are taken. */
export interface Planned {
  readonly subtasks: readonly Subtask[]
  readonly droppedCount: number
}

const form =
  'Answer with one JSON object and nothing else: {"subtasks": [{"id": "a_short_id", "description": "what is to be done", "dependencies": ["ids of the subtasks whose results it needs"]}]}.'

/** The subtasks of a goal by a model, their needs checked. @throws as `askStructured` */
export function makePlan(
  context: RunContext,
  model: ModelBinding,
  order: PlanOrder,
): Promise<Planned> {
  const prompt = {
    system: `${order.instructions ?? instructionsOf(order)}\n\n${form}`,
    user: userText(order),
  }
  return askStructured(context, 'plan', model, prompt, (text) => readSubtasks(text, order))
}

function instructionsOf({ strategy, maxDepth, maxSubtasks }: PlanOrder): string {
  switch (strategy) {
    case 'flat':
      return `You split a goal into subtasks that somebody else does one by one: at most ${maxSubtasks}, each clear by itself. A subtask depends on another only where it needs its result.`
    case 'hierarchical':
      return `You split a goal into subtasks and these again where that helps: at most ${maxDepth} levels and ${maxSubtasks} subtasks in all. Give a subtask that is split its own "subtasks": [ … ]. A subtask depends on another only where it needs its result.`
    case 'iterative':
      return 'You plan a goal one step at a time. Give the next subtask, or the next few that can be done now, in view of what was done; no later ones.'
  }
}

function userText({ goal, done }: PlanOrder): string {
  const results = Object.entries(done).map(
    ([id, result]) => `<done id="${id}">\n${textOf(result ?? null).slice(0, 2_000)}\n</done>`,
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
  const all = flattened(list as readonly Json[], depth, '')
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
  const fault = faultOf([...past, ...subtasks])
  if (fault !== undefined) return refuse(fault)
  const value = { subtasks, droppedCount: all.length - kept.length }
  return { ok: true, value, truncated: read.truncated }
}

/** Subtasks and those inside of them, the inner before the outer, which then needs them. */
function flattened(list: readonly Json[], depthLeft: number, prefix: string): readonly Subtask[] {
  return list.flatMap((item, index) => {
    const own = isObject(item) ? item : { description: item }
    const id = own.id === undefined ? `${prefix}subtask_${index + 1}` : textOf(own.id)
    const inner =
      depthLeft > 1 && Array.isArray(own.subtasks)
        ? flattened(own.subtasks as readonly Json[], depthLeft - 1, `${id}.`)
        : []
    const needed = own.dependencies ?? own.depends_on
    const dependencies = Array.isArray(needed) ? (needed as readonly Json[]).map(textOf) : []
    const outer: Subtask = {
      id,
      description: textOf(own.description ?? ''),
      dependencies: [...new Set([...dependencies, ...inner.map((subtask) => subtask.id)])],
      status: 'pending',
      result: null,
    }
    return [...inner, outer]
  })
}
