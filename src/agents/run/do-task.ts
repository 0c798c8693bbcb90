import type { Json } from '../../kernel/json.ts'
import type { Common, Output, Task } from '../document/agent-document.ts'
import { type AgentRun, evaluateAt, holdsAt, type Performed, type Site } from './agent-run.ts'
import { withErrorRule } from './attempts.ts'
import { cached, type Performable } from './cached.ts'
import { performWritten } from './do-action.ts'
import { runCode } from './do-code.ts'
import { type Done, isObject, patchOf } from './output.ts'
import { asPatch, hidden, isTaintedState } from './state.ts'

/** Nothing was done. */
export const nothingDone: Done = { patch: {}, result: null }

/** A task with its condition and under its error rule. */
export async function doStep(run: AgentRun, step: Task & Common, site: Site): Promise<Done> {
  const { condition, onError, name } = step
  await site.context.goOn('begin')
  if (condition !== undefined && !holdsAt(run, condition, site, 'condition')) return nothingDone
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

async function perform(run: AgentRun, task: Performable, site: Site): Promise<Performed> {
  if (task.kind === 'action') {
    const inside = { ...site, context: site.context.child(task.action) }
    return performWritten(run, task.action, task.params, inside)
  }
  const { language, code } = task
  const result = await runCode(run, { language, code, keepsState: true }, site)
  return { result, isTainted: isTaintedState(site.state) }
}
