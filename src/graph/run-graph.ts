import { endsAt, ScholiumError, toFailure } from '../kernel/errors.ts'
import { findNonJson, type Json, type JsonObject } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import {
  applyPatch,
  type BranchResult,
  end,
  type FanOut,
  type Graph,
  initialState,
  listTargets,
  type Node,
  type Patch,
  type State,
  setFields,
} from './graph.ts'

interface Cursor<S extends State> {
  readonly state: S
  readonly next: string | FanOut<S>
}

/**
 * Runs a graph from its input to its end and returns the last state. Each node's patch is appended to the log when the node
 * ends; a resumed run starts after the last of these. A node's n-th visit has the key `<path>/<node>[n]`.
 *
 * @throws `limit_reached` after `maxVisits` node executions, `invalid_graph` for an undeclared target or a patch that is not
 *   JSON, and what the nodes throw
 */
export async function runGraph<S extends State>(
  graph: Graph<S>,
  context: RunContext,
  input: Patch<S>,
): Promise<S> {
  const visits = new Map<string, number>()
  const begun = initialState(graph.channels, input)
  let cursor: Cursor<S> = {
    state: await withForkedFields(graph, context, '', begun),
    next: graph.start,
  }
  for (let visited = 0; cursor.next !== end; visited++) {
    if (visited >= graph.maxVisits) throw tooManyVisits(graph)
    cursor =
      typeof cursor.next === 'string'
        ? await visit(graph, context, visits, cursor.state, cursor.next)
        : await fanOut(graph, context, visits, cursor.state, cursor.next)
  }
  return cursor.state
}

async function visit<S extends State>(
  graph: Graph<S>,
  context: RunContext,
  visits: Map<string, number>,
  state: S,
  node: string,
): Promise<Cursor<S>> {
  const name = visitName(visits, node)
  const recorded = await context.boundary('node.done', name)
  const patch =
    recorded === undefined
      ? await runNode(graph, context, name, node, state)
      : (recorded.output as Patch<S>)
  const after = await withForkedFields(
    graph,
    context,
    name,
    applyPatch(graph.channels, state, patch, graph.otherFields),
  )
  return { state: after, next: route(graph, node, after) }
}

/** The state at a boundary, with the values that forks set there. */
async function withForkedFields<S extends State>(
  { channels }: Graph<S>,
  context: RunContext,
  name: string,
  state: S,
): Promise<S> {
  const forks = await context.changedFields(name)
  return forks.reduce<S>((known, fields) => setFields(channels, known, fields as Patch<S>), state)
}

async function runNode<S extends State>(
  graph: Graph<S>,
  context: RunContext,
  name: string,
  node: string,
  state: S,
): Promise<Patch<S>> {
  context.emit('progress', { node, state: 'started' }, name)
  const patch = await (graph.nodes[node] as Node<S>)(state, context.child(name))
  checkPatch(graph, node, patch)
  await context.reachBoundary('node.done', name, { node }, patch as JsonObject)
  return patch
}

/** Runs branches in parallel. Their patches are collected in `parallel_results`, in branch order. */
async function fanOut<S extends State>(
  graph: Graph<S>,
  context: RunContext,
  visits: Map<string, number>,
  state: S,
  fan: FanOut<S>,
): Promise<Cursor<S>> {
  const name = visitName(visits, `fan[${fan.join}]`)
  const recorded = await context.boundary('node.done', name)
  const results =
    (recorded?.output as readonly BranchResult[] | undefined) ??
    (await runBranches(graph, context, name, state, fan))
  const withResults = { ...state, parallel_results: results as unknown as Json } as unknown as S
  return { state: await withForkedFields(graph, context, name, withResults), next: fan.join }
}

async function runBranches<S extends State>(
  graph: Graph<S>,
  context: RunContext,
  name: string,
  state: S,
  fan: FanOut<S>,
): Promise<readonly BranchResult[]> {
  const inFan = context.child(name)
  const branches = fan.branches.map((_, index) => inFan.branch(`branch[${index}]`))
  const settled = await Promise.allSettled(
    fan.branches.map(({ node, patch }, index) =>
      runNode(
        graph,
        branches[index] as RunContext,
        node,
        node,
        applyPatch(graph.channels, state, patch, graph.otherFields),
      ),
    ),
  )
  context.join(branches)
  const stopping = settled.find(
    (result) => result.status === 'rejected' && isStopping(result.reason, context),
  )
  if (stopping?.status === 'rejected') throw stopping.reason
  const results = settled.map((result, index): BranchResult => {
    const { node } = fan.branches[index] as { node: string }
    return result.status === 'fulfilled'
      ? { index, node, patch: result.value as JsonObject }
      : { index, node, failure: toFailure(result.reason) as JsonObject }
  })
  await context.reachBoundary(
    'node.done',
    name,
    { node: fan.join, branches: results.length },
    results as unknown as Json,
  )
  return results
}

/** Whether an error ends the run instead of becoming the result of one branch. */
function isStopping(reason: unknown, { path }: RunContext): boolean {
  return !(reason instanceof ScholiumError) || endsAt(reason, path)
}

function route<S extends State>(graph: Graph<S>, node: string, state: S): string | FanOut<S> {
  const edge = graph.edges[node] as NonNullable<Graph<S>['edges'][string]>
  if (typeof edge === 'string') return edge
  const next = edge.route(state)
  const targets =
    typeof next === 'string' ? [next] : [next.join, ...next.branches.map((branch) => branch.node)]
  for (const target of targets) {
    if (!listTargets(edge).includes(target)) {
      throw new ScholiumError(
        'invalid_graph',
        `Node "${node}" of "${graph.name}" led to "${target}", which its edge does not declare.`,
      )
    }
  }
  return next
}

function checkPatch<S extends State>(graph: Graph<S>, node: string, patch: Patch<S>): void {
  const path = findNonJson(patch)
  if (path === undefined) return
  throw new ScholiumError(
    'invalid_graph',
    `Node "${node}" of "${graph.name}" returned a value at ${path} that cannot be represented in JSON.`,
  )
}

function visitName(visits: Map<string, number>, node: string): string {
  const count = (visits.get(node) ?? 0) + 1
  visits.set(node, count)
  return `${node}[${count}]`
}

function tooManyVisits<S extends State>(graph: Graph<S>): ScholiumError {
  return new ScholiumError(
    'limit_reached',
    `The graph "${graph.name}" did not end within ${graph.maxVisits} node executions.`,
    {
      details: { limit: 'graph', maxVisits: graph.maxVisits },
    },
  )
}
