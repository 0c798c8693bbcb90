import type { Json } from '../../kernel/json.ts'
import type { AgentStep, Common, Condition, Output, Task } from '../document/agent-document.ts'
import { segment } from './agent-graph.ts'
import { type AgentRun, evaluateAt, holdsAt, type Performed, type Site } from './agent-run.ts'
import { withErrorRule } from './attempts.ts'
import { changedState } from './branches.ts'
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

/** Steps one after the other, each with what those before it have changed. One that hands over to a fallback is the last. */
export async function doSteps(
  run: AgentRun,
  steps: readonly AgentStep[],
  site: Site,
): Promise<Done> {
  let done = nothingDone
  let { state } = site
  for (const [index, step] of steps.entries()) {
    const context = site.context.child(`step[${index + 1}]:${segment(step.name)}`)
    const { patch, result } = await doStep(run, step, { ...site, context, state })
    state = changedState(state, patch)
    done = { patch: { ...done.patch, ...patch }, result }
    if (patch[hidden.fallback] !== undefined) break
  }
  return done
}

/** A loop of steps. */
interface Loop {
  readonly loopCondition: Condition | undefined
  readonly maxIterations: number
  readonly body: readonly AgentStep[]
}

/** A body of steps again and again while its condition holds, so many times at most. */
export async function doWhile(
  run: AgentRun,
  { loopCondition, maxIterations, body }: Loop,
  site: Site,
): Promise<Done> {
  let done = nothingDone
  const isOn = () => {
    const inside = { ...site, state: { ...site.state, ...done.patch } }
    return loopCondition === undefined || holdsAt(run, loopCondition, inside, 'condition')
  }
  for (let iteration = 1; isOn(); iteration++) {
    if (iteration > maxIterations) {
      const text = `The loop was ended after ${maxIterations} iterations, its condition still holding.`
      if (loopCondition !== undefined) await site.context.notice('max_iterations', 'warning', text)
      break
    }
    const context = site.context.child(`loop[${iteration}]`)
    const state = { ...site.state, ...done.patch }
    const { patch, result } = await doSteps(run, body, { ...site, context, state })
    done = { patch: { ...done.patch, ...patch }, result }
    if (patch[hidden.fallback] !== undefined) break
  }
  return done
}
