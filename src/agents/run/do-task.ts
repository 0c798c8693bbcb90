import { hashJson, type Json } from '../../kernel/json.ts'
import type { CacheRule, Common, Output, Task } from '../document/agent-document.ts'
import {
  type AgentRun,
  evaluateAt,
  fillIn,
  holdsAt,
  type Performed,
  type Site,
} from './agent-run.ts'
import { withErrorRule } from './attempts.ts'
import { fillParams, performWritten } from './do-action.ts'
import { runCode } from './do-code.ts'
import { type Done, isObject, patchOf } from './output.ts'
import { asPatch, hidden, isTaintedState, visibleState } from './state.ts'

/** Nothing was done. */
export const nothingDone: Done = { patch: {}, result: null }

/** A task with its condition and under its error rule. */
export function doStep(run: AgentRun, step: Task & Common, site: Site): Promise<Done> {
  const { condition, onError, name } = step
  if (condition !== undefined && !holdsAt(run, condition, site, 'condition'))
    return Promise.resolve(nothingDone)
  return withErrorRule(onError, name, site, (inside) => doTask(run, step, inside))
}

/** One thing done: what it gave and what that changes in the state. */
export async function doTask(run: AgentRun, task: Task & Common, site: Site): Promise<Done> {
  if (task.kind === 'expression') {
    const result = evaluateAt(run, task.expression, site)
    return { result, patch: asPatch({ [task.outputKey]: result }, 'The output') }
  }
  const { result, isTainted } = await cached(run, task, site, () => perform(run, task, site))
  const output = task.kind === 'code' ? codeOutput(task.output, result) : task.output
  const patch =
    task.kind === 'code' && output.kind === 'merge' && result === null
      ? {}
      : patchOf(run, output, result, site)
  const isNew = isTainted && !isTaintedState(site.state)
  return { result, patch: isNew ? { ...patch, [hidden.tainted]: true } : patch }
}

/** Code that gives a map with the key of its output has filled that key itself, and others beside it. */
function codeOutput(output: Output, result: Json): Output {
  const fills = output.kind === 'key' && isObject(result) && Object.hasOwn(result, output.key)
  return fills ? { kind: 'merge' } : output
}

type Performable = Exclude<Task, { readonly kind: 'expression' }> & Common

async function perform(run: AgentRun, task: Performable, site: Site): Promise<Performed> {
  if (task.kind === 'action') {
    const inside = { ...site, context: site.context.child(task.action) }
    return performWritten(run, task.action, task.params, inside)
  }
  const { language, code } = task
  const result = await runCode(run, { language, code, keepsState: true }, site)
  return { result, isTainted: isTaintedState(site.state) }
}

/** Work whose result is kept for the same key; one that says that it failed is not. */
async function cached(
  run: AgentRun,
  task: Performable,
  site: Site,
  work: () => Promise<Performed>,
): Promise<Performed> {
  const { cache } = run.parts
  if (task.cache === undefined || cache === undefined) return work()
  const { context } = site
  const key = keyOf(run, task, task.cache, site)
  const found = await context.step('cache', 'read', { key }, async () => {
    const value = await cache.get(key)
    return value === undefined ? null : { value }
  })
  if (found !== null) {
    const { result, isTainted } = found.value as unknown as Performed
    return { result, isTainted: isTainted || isTaintedState(site.state) }
  }
  const performed = await work()
  const { ttlSeconds } = task.cache
  if (!hasFailed(performed.result)) {
    // What is kept twice is kept the same, so it may be repeated.
    await context.step('keep', 'read', { key }, async () => {
      await cache.set(key, { ...performed }, ttlSeconds)
      return null
    })
  }
  return performed
}

function keyOf(run: AgentRun, task: Performable, rule: CacheRule, site: Site): string {
  if (rule.key !== undefined)
    return `${run.document.name}/${task.name}/${hashJson(fillIn(run.shown, rule.key, site))}`
  const input: Json =
    task.kind === 'action'
      ? { action: task.action, params: fillParams(run, task.params, site).shown }
      : { code: task.code, state: visibleState(site.state), names: site.names }
  return `${run.document.name}/${task.name}/${hashJson(input)}`
}

function hasFailed(result: Json): boolean {
  return isObject(result) && (result.success === false || result.error !== undefined)
}
