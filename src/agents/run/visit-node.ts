import { ScholiumError } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { nearest } from '../../kernel/text/nearest.ts'
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
  type Done,
  evaluateAt,
  fillIn,
  holdsAt,
  openAgentRun,
  type Performed,
  type PerformedNode,
  patchOf,
  type Site,
  subgraphOf,
} from './agent-run.ts'
import { withErrorRule } from './attempts.ts'
import { changedState } from './branch-record.ts'
import { type Branch, runBranches } from './branches.ts'
import { cached, type Performable, tellOfUncached } from './cached.ts'
import { performWritten } from './do-action.ts'
import { runCode } from './do-code.ts'
import { interrupt } from './interrupts.ts'
import { readsResult } from './next-node.ts'
import { type AgentState, asPatch, hidden, isTaintedState, visibleState } from './state.ts'

/** A node in its place in the graph: its work, a person's word before and after it, and what its route will ask for. */
export async function visitNode(run: AgentRun, node: AgentNode, site: Site): Promise<AgentState> {
  const { interruptBefore, interruptAfter } = run.document
  const { name } = node
  const before = interruptBefore.includes(name) ? await interrupt('before', name, site) : {}
  const state = { ...site.state, ...before }
  const { patch, result } = await doNode(run, node, { ...site, state })
  const changed = changedState(state, patch)
  const done = { ...before, ...patch }
  const after = interruptAfter.includes(name)
    ? await interrupt('after', name, { ...site, state: changed })
    : {}
  return {
    // A node that a failure led to is where it ends.
    ...((site.state[hidden.fallback] ?? null) === null ? {} : { [hidden.fallback]: null }),
    ...done,
    ...after,
    ...(readsResult(run, node) ? { [hidden.result]: result } : {}),
    ...(isReturn(node) ? { [hidden.output]: result } : {}),
  }
}

/** The work of a node, by its condition and under its error rule. */
function doNode(run: AgentRun, node: AgentNode, site: Site): Promise<Done> {
  const { condition, onError, name } = node
  if (condition !== undefined && !holdsAt(run, condition, site, 'condition'))
    return Promise.resolve(nothingDone)
  return withErrorRule(onError, name, site, (inside) => doWork(run, node, inside))
}

function doWork(run: AgentRun, node: AgentNode, site: Site): Promise<Done> {
  switch (node.kind) {
    case 'steps':
      return doSteps(run, node.steps, site)
    case 'while':
      return doWhile(run, node, site)
    case 'each':
      return doEach(run, node, site)
    default:
      return doTask(run, node, site)
  }
}

/** Does a node for somebody else than the graph. @throws `invalid_input` for a name that is none */
export async function performNode(run: AgentRun, name: string, site: Site): Promise<PerformedNode> {
  const { nodes } = run.document
  const node = nodes.find((known) => known.name === name)
  if (node === undefined) {
    const meant = nearest(
      name,
      nodes.map((known) => known.name),
    )
    throw new ScholiumError('invalid_input', `There is no node "${name}".`, {
      ...(meant === undefined ? {} : { hint: `Did you mean "${meant}"?` }),
    })
  }
  const { patch, result } = await doNode(run, node, site)
  const isTainted = isTaintedState(patch) || isTaintedState(site.state)
  return { result, isTainted, changes: visibleState(patch) }
}

function isReturn(node: AgentNode): boolean {
  return node.kind === 'action' && (node.action === 'core.return' || node.action === 'return')
}

/**
 * A branch for each item of a list. A resumed run does no finished item again: its steps answer from the log.
 * @throws `invalid_input` when the items are no list
 */
async function doEach(
  run: AgentRun,
  work: EachWork & { readonly name: string },
  site: Site,
): Promise<Done> {
  const items = fillIn(run.shown, work.items as Json, site) ?? []
  if (!Array.isArray(items)) {
    throw new ScholiumError('invalid_input', `The items are ${kindOf(items)}, not a list.`, {
      hint: 'Give items a template whose value is a list, as {{ state.items }}.',
    })
  }
  const { branch, name } = work
  const inner = branch.kind === 'subgraph' ? await openInner(run, branch.path, site) : undefined
  const branches = items.map((item, index) =>
    branchOf(site, work, `${name}[${index}]`, { item, index }, async (inside) => {
      if (branch.kind === 'subgraph') return runInner(run, inner as AgentRun, branch.input, inside)
      const { patch } = await doSteps(run, branch.steps, inside)
      return { ...(inside.state as AgentState), ...patch }
    }),
  )
  const rules = { limit: limitOf(run, work, site), isFailFast: work.isFailFast }
  const patch = await runBranches(site.context, branches, rules)
  const result = patch.parallel_results as Json
  return {
    patch:
      work.output === undefined
        ? patch
        : { ...patch, ...asPatch({ [work.output]: result }, 'The output') },
    result,
  }
}

/** Branches that go on at once where a file does not say less. */
const mostAtOnce = 64

/** @throws `invalid_input` when a template gives no number of branches */
function limitOf(run: AgentRun, { maxConcurrency }: EachWork, site: Site): number {
  if (maxConcurrency === undefined) return mostAtOnce
  const given = Number(fillIn(run.shown, maxConcurrency, site))
  if (Number.isInteger(given) && given > 0) return Math.min(given, mostAtOnce)
  throw new ScholiumError('invalid_input', 'max_concurrency is no whole number from 1.', {
    hint: 'Give it a number, or a template whose value is one.',
  })
}

function branchOf(
  site: Site,
  { itemVar, indexVar, branch }: EachWork,
  name: string,
  { item, index }: { readonly item: Json; readonly index: number },
  work: (inside: Site) => Promise<AgentState>,
): Branch {
  const own = { [itemVar]: item, [indexVar]: index }
  const names = { ...site.names, ...own }
  const state = { ...site.state, ...asPatch(own, 'The branch') } as AgentState
  return {
    name,
    state,
    ...(branch.kind === 'subgraph' ? {} : { around: site.state as AgentState }),
    work: (context) => work({ context, state, names }),
  }
}

/** Files inside of files that are run: one that runs itself ends here. */
const maxDepth = 8

async function openInner(run: AgentRun, path: string, { context }: Site): Promise<AgentRun> {
  const depth = run.depth + 1
  if (depth > maxDepth) {
    const text = `Files run one another ${maxDepth} deep, and then ${path}.`
    throw new ScholiumError('invalid_input', text)
  }
  const inner = await openAgentRun(subgraphOf(run, path), { ...run, depth })
  await tellOfUncached(inner, context)
  return inner
}

/** A file run for one item: it sees its own initial state and its input, nothing else of the state around it. */
async function runInner(
  run: AgentRun,
  inner: AgentRun,
  input: JsonObject,
  site: Site,
): Promise<AgentState> {
  const isAsWritten = Object.keys(input).length > 0
  const given = isAsWritten ? (fillIn(run.shown, input, site) as JsonObject) : site.names
  const begun = asPatch({ ...inner.document.initialState, ...given }, 'The input')
  const first = isTaintedState(site.state) ? { ...begun, [hidden.tainted]: true } : begun
  return run.runDocument(inner, first, site.context)
}

function kindOf(value: Json): string {
  if (value === null) return 'nothing'
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`
}

/** Nothing was done. */
const nothingDone: Done = { patch: {}, result: null }

/** A task with its condition and under its error rule. */
async function doStep(run: AgentRun, step: Task & Common, site: Site): Promise<Done> {
  const { condition, onError, name } = step
  await site.context.goOn('begin')
  if (condition !== undefined && !holdsAt(run, condition, site, 'condition')) return nothingDone
  return withErrorRule(onError, name, site, (inside) => doTask(run, step, inside))
}

/** One thing done: what it gave and what that changes in the state. */
async function doTask(run: AgentRun, task: Task & Common, site: Site): Promise<Done> {
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
  const fills = output.kind === 'key' && isJsonObject(result) && Object.hasOwn(result, output.key)
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
async function doSteps(run: AgentRun, steps: readonly AgentStep[], site: Site): Promise<Done> {
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
async function doWhile(
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

/** A name of a file as part of a key in the log, in which `/` and brackets have a meaning. */
export function segment(name: string): string {
  return name.replaceAll(/[/[\]]/g, '_')
}
