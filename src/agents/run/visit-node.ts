import { ScholiumError } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { findNearest } from '../../kernel/text/nearest.ts'
import type {
  AgentNode,
  AgentStep,
  Common,
  Condition,
  EachWork,
  Output,
  Task,
} from '../document/agent-document.ts'
import {
  type AgentRun,
  applyOutput,
  evaluateAt,
  fillIn,
  getSubgraph,
  isConditionTrue,
  type NodeView,
  openAgentRun,
  type Performed,
  type PerformedNode,
  type WorkOutcome,
} from './agent-run.ts'
import { withErrorRule } from './attempts.ts'
import { applyChange } from './branch-record.ts'
import { type Branch, runBranches } from './branches.ts'
import { noticeUncached, type Performable, runCached } from './cached.ts'
import { performWritten } from './do-action.ts'
import { runCode } from './do-code.ts'
import { interrupt } from './interrupts.ts'
import { readsResult } from './next-node.ts'
import { type AgentState, hiddenKey, isTaintedState, toPatch, visibleState } from './state.ts'

/**
 * Visits a node in the graph: asks a person before and after it if required, runs its work, and keeps what its route
 * needs.
 */
export async function visitNode(
  run: AgentRun,
  node: AgentNode,
  view: NodeView,
): Promise<AgentState> {
  const { interruptBefore, interruptAfter } = run.document
  const { name } = node
  const before = interruptBefore.includes(name) ? await interrupt('before', name, view) : {}
  const state = { ...view.state, ...before }
  const { patch, result } = await runNode(run, node, { ...view, state })
  const changed = applyChange(state, patch)
  const done = { ...before, ...patch }
  const after = interruptAfter.includes(name)
    ? await interrupt('after', name, { ...view, state: changed })
    : {}
  return {
    // The node that a failure led to ends the fallback.
    ...((view.state[hiddenKey.fallback] ?? null) === null ? {} : { [hiddenKey.fallback]: null }),
    ...done,
    ...after,
    ...(readsResult(run, node) ? { [hiddenKey.result]: result } : {}),
    ...(isReturn(node) ? { [hiddenKey.output]: result } : {}),
  }
}

/** Runs a node's work if its condition holds, under its error rule. */
function runNode(run: AgentRun, node: AgentNode, view: NodeView): Promise<WorkOutcome> {
  const { condition, onError, name } = node
  if (condition !== undefined && !isConditionTrue(run, condition, view, 'condition'))
    return Promise.resolve(noOutcome)
  return withErrorRule(onError, name, view, (inside) => runWork(run, node, inside))
}

function runWork(run: AgentRun, node: AgentNode, view: NodeView): Promise<WorkOutcome> {
  switch (node.kind) {
    case 'steps':
      return runSteps(run, node.steps, view)
    case 'while':
      return runLoop(run, node, view)
    case 'each':
      return runEach(run, node, view)
    default:
      return runTask(run, node, view)
  }
}

/** Runs a node for an action instead of the graph. @throws `invalid_input` for an unknown node */
export async function performNode(
  run: AgentRun,
  name: string,
  view: NodeView,
): Promise<PerformedNode> {
  const { nodes } = run.document
  const node = nodes.find((known) => known.name === name)
  if (node === undefined) {
    const meant = findNearest(
      name,
      nodes.map((known) => known.name),
    )
    throw new ScholiumError('invalid_input', `There is no node "${name}".`, {
      ...(meant === undefined ? {} : { hint: `Did you mean "${meant}"?` }),
    })
  }
  const { patch, result } = await runNode(run, node, view)
  const isTainted = isTaintedState(patch) || isTaintedState(view.state)
  return { result, isTainted, changes: visibleState(patch) }
}

function isReturn(node: AgentNode): boolean {
  return node.kind === 'action' && (node.action === 'core.return' || node.action === 'return')
}

/**
 * Runs a branch for each item of a list. A resumed run repeats no finished item: its steps are answered from the log.
 * @throws `invalid_input` if the items are not a list
 */
async function runEach(
  run: AgentRun,
  work: EachWork & { readonly name: string },
  view: NodeView,
): Promise<WorkOutcome> {
  const items = fillIn(run.shown, work.items as Json, view) ?? []
  if (!Array.isArray(items)) {
    throw new ScholiumError('invalid_input', `The items are ${nameWork(items)}, not a list.`, {
      hint: 'Set items to a template whose value is a list, such as {{ state.items }}.',
    })
  }
  const { branch, name } = work
  const inner = branch.kind === 'subgraph' ? await openSubgraph(run, branch.path, view) : undefined
  const branches = items.map((item, index) =>
    createBranch(view, work, `${name}[${index}]`, { item, index }, async (inside) => {
      if (branch.kind === 'subgraph')
        return runSubgraph(run, inner as AgentRun, branch.input, inside)
      const { patch } = await runSteps(run, branch.steps, inside)
      return { ...(inside.state as AgentState), ...patch }
    }),
  )
  const rules = { limit: readLimit(run, work, view), isFailFast: work.isFailFast }
  const patch = await runBranches(view.context, branches, rules)
  const result = patch.parallel_results as Json
  return {
    patch:
      work.output === undefined
        ? patch
        : { ...patch, ...toPatch({ [work.output]: result }, 'The output') },
    result,
  }
}

/** Default maximum of concurrent branches. */
const maxConcurrentItems = 64

/** @throws `invalid_input` if a template does not return a number of branches */
function readLimit(run: AgentRun, { maxConcurrency }: EachWork, view: NodeView): number {
  if (maxConcurrency === undefined) return maxConcurrentItems
  const given = Number(fillIn(run.shown, maxConcurrency, view))
  if (Number.isInteger(given) && given > 0) return Math.min(given, maxConcurrentItems)
  throw new ScholiumError(
    'invalid_input',
    'max_concurrency must be a whole number of at least 1.',
    {
      hint: 'Set it to a number, or to a template whose value is one.',
    },
  )
}

function createBranch(
  view: NodeView,
  { itemVar, indexVar, branch }: EachWork,
  name: string,
  { item, index }: { readonly item: Json; readonly index: number },
  work: (inside: NodeView) => Promise<AgentState>,
): Branch {
  const own = { [itemVar]: item, [indexVar]: index }
  const names = { ...view.names, ...own }
  const state = { ...view.state, ...toPatch(own, 'The branch') } as AgentState
  return {
    name,
    state,
    ...(branch.kind === 'subgraph' ? {} : { around: view.state as AgentState }),
    work: (context) => work({ context, state, names }),
  }
}

/** Maximum nesting of files; stops a file that runs itself. */
const maxDepth = 8

async function openSubgraph(run: AgentRun, path: string, { context }: NodeView): Promise<AgentRun> {
  const depth = run.depth + 1
  if (depth > maxDepth) {
    const text = `Agent files are nested ${maxDepth} deep, and then run ${path}.`
    throw new ScholiumError('invalid_input', text)
  }
  const inner = await openAgentRun(getSubgraph(run, path), { ...run, depth })
  await noticeUncached(inner, context)
  return inner
}

/** Runs a file for one item: it sees its own initial state and its input, nothing else of the surrounding state. */
async function runSubgraph(
  run: AgentRun,
  inner: AgentRun,
  input: JsonObject,
  view: NodeView,
): Promise<AgentState> {
  const isAsWritten = Object.keys(input).length > 0
  const given = isAsWritten ? (fillIn(run.shown, input, view) as JsonObject) : view.names
  const begun = toPatch({ ...inner.document.initialState, ...given }, 'The input')
  const first = isTaintedState(view.state) ? { ...begun, [hiddenKey.tainted]: true } : begun
  return run.runDocument(inner, first, view.context)
}

function nameWork(value: Json): string {
  if (value === null) return 'nothing'
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`
}

/** No outcome, since nothing was done. */
const noOutcome: WorkOutcome = { patch: {}, result: null }

/** Runs a task if its condition holds, under its error rule. */
async function runStep(run: AgentRun, step: Task & Common, view: NodeView): Promise<WorkOutcome> {
  const { condition, onError, name } = step
  await view.context.throwIfStoppedAt('begin')
  if (condition !== undefined && !isConditionTrue(run, condition, view, 'condition'))
    return noOutcome
  return withErrorRule(onError, name, view, (inside) => runTask(run, step, inside))
}

/** Runs a single task: returns its result and its state change. */
async function runTask(run: AgentRun, task: Task & Common, view: NodeView): Promise<WorkOutcome> {
  if (task.kind === 'expression') {
    const result = evaluateAt(run, task.expression, view)
    return { result, patch: toPatch({ [task.outputKey]: result }, 'The output') }
  }
  const { result, isTainted } = await runCached(run, task, view, () => perform(run, task, view))
  const output = task.kind === 'code' ? codeOutput(task.output, result) : task.output
  const patch =
    task.kind === 'code' && output.kind === 'merge' && result === null
      ? {}
      : applyOutput(run, output, result, view)
  const isNew = isTainted && !isTaintedState(view.state)
  return { result, patch: isNew ? { ...patch, [hiddenKey.tainted]: true } : patch }
}

/** Code that returns an object with the key of its output has set that key itself, and others with it. */
function codeOutput(output: Output, result: Json): Output {
  const fills = output.kind === 'key' && isJsonObject(result) && Object.hasOwn(result, output.key)
  return fills ? { kind: 'merge' } : output
}

async function perform(run: AgentRun, task: Performable, view: NodeView): Promise<Performed> {
  if (task.kind === 'action') {
    const inside = { ...view, context: view.context.child(task.action) }
    return performWritten(run, task.action, task.params, inside)
  }
  const { language, code } = task
  const result = await runCode(run, { language, code, keepsState: true }, view)
  return { result, isTainted: isTaintedState(view.state) }
}

/**
 * Runs steps in sequence, each seeing the changes of earlier ones. A step that hands over to a fallback is the last
 * one.
 */
async function runSteps(
  run: AgentRun,
  steps: readonly AgentStep[],
  view: NodeView,
): Promise<WorkOutcome> {
  let done = noOutcome
  let { state } = view
  for (const [index, step] of steps.entries()) {
    const context = view.context.child(`step[${index + 1}]:${toSegment(step.name)}`)
    const { patch, result } = await runStep(run, step, { ...view, context, state })
    state = applyChange(state, patch)
    done = { patch: { ...done.patch, ...patch }, result }
    if (patch[hiddenKey.fallback] !== undefined) break
  }
  return done
}

/** A loop of steps. */
interface Loop {
  readonly loopCondition: Condition | undefined
  readonly maxIterations: number
  readonly body: readonly AgentStep[]
}

/** Repeats a body of steps while its condition holds, up to the maximum number of iterations. */
async function runLoop(
  run: AgentRun,
  { loopCondition, maxIterations, body }: Loop,
  view: NodeView,
): Promise<WorkOutcome> {
  let done = noOutcome
  const isOn = () => {
    const inside = { ...view, state: { ...view.state, ...done.patch } }
    return loopCondition === undefined || isConditionTrue(run, loopCondition, inside, 'condition')
  }
  for (let iteration = 1; isOn(); iteration++) {
    if (iteration > maxIterations) {
      const text = `The loop was stopped after ${maxIterations} iterations while its condition was still true.`
      if (loopCondition !== undefined) await view.context.notice('max_iterations', 'warning', text)
      break
    }
    const context = view.context.child(`loop[${iteration}]`)
    const state = { ...view.state, ...done.patch }
    const { patch, result } = await runSteps(run, body, { ...view, context, state })
    done = { patch: { ...done.patch, ...patch }, result }
    if (patch[hiddenKey.fallback] !== undefined) break
  }
  return done
}

/** A name as a segment of a log key, where `/` and brackets have a meaning. */
export function toSegment(name: string): string {
  return name.replaceAll(/[/[\]]/g, '_')
}
