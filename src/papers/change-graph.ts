import { pictureOf } from '../graph/draw-graph.ts'
import { end, type Graph, type Node, type State, targetsOf } from '../graph/graph.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { withErrorBoundary } from './attempt.ts'
import type { PapersState } from './state.ts'

/** What an app makes of the pipeline's graph: the same with more nodes, for example. */
export type PapersGraphChange = (graph: Graph<PapersState>) => Graph<PapersState>

/** A graph as an app changed it. */
export interface ChangedGraph {
  readonly graph: Graph<PapersState>
  /** In what it is other than the pipeline's own, for the record of its runs; empty where in nothing. */
  readonly difference: string
}

/**
 * The pipeline's graph as an app changes it. What fails in a node of the app's is told and kept in the state, as in the pipeline's
 * own, and the run goes on without it.
 * @throws `invalid_graph` where a run could end without its result
 */
export function changeGraph(
  own: Graph<PapersState>,
  change: PapersGraphChange = (graph) => graph,
): ChangedGraph {
  const graph = change(own)
  checkEnds(own, graph)
  const nodes = Object.entries(graph.nodes).map(([name, node]) => [
    name,
    own.nodes[name] === node ? node : withErrorBoundary(name, node),
  ])
  const guarded = {
    ...graph,
    nodes: Object.fromEntries(nodes) as Record<string, Node<PapersState>>,
  }
  return { graph: guarded, difference: describeDifference(own, graph) }
}

/** The result is made in the node after which the pipeline ends. */
function checkEnds(own: Graph<PapersState>, { edges }: Graph<PapersState>): void {
  const last = findLastNodes(own.edges)
  const others = findLastNodes(edges).filter((node) => !last.includes(node))
  if (others.length === 0) return
  throw new ScholiumError(
    'invalid_graph',
    `"${own.name}" has to end with "${last.join('", "')}", which makes its result, not with "${others.join('", "')}".`,
    { hint: `Put the node before "${last[0]}".` },
  )
}

function findLastNodes(edges: Graph<PapersState>['edges']): readonly string[] {
  return Object.keys(edges).filter((node) => targetsOf(edges[node] ?? '').includes(end))
}

/** Edges that are new, and those that are gone of nodes that have no new one; then the nodes that do something else. */
function describeDifference(own: Graph<PapersState>, graph: Graph<PapersState>): string {
  const [before, after] = [listEdges(own), listEdges(graph)]
  const added = after.filter((way) => !before.some((one) => isSameEdge(one, way)))
  const gone = before.filter(
    (way) =>
      !after.some((one) => isSameEdge(one, way)) && !added.some(({ from }) => from === way.from),
  )
  const replaced = Object.keys(own.nodes).filter(
    (name) => Object.hasOwn(graph.nodes, name) && graph.nodes[name] !== own.nodes[name],
  )
  const parts = [
    ...(added.length === 0 ? [] : [`with ${formatEdges(added)}`]),
    ...(gone.length === 0 ? [] : [`without ${formatEdges(gone)}`]),
    ...(replaced.length === 0 ? [] : [`with another ${replaced.join(', ')}`]),
  ]
  return parts.join(', ')
}

interface GraphEdge {
  readonly from: string
  readonly to: string
}

function listEdges<S extends State>(graph: Graph<S>): readonly GraphEdge[] {
  const { start, edges } = pictureOf(graph)
  return [{ from: 'start', to: start }, ...edges]
}

function isSameEdge(one: GraphEdge, other: GraphEdge): boolean {
  return one.from === other.from && one.to === other.to
}

function formatEdges(ways: readonly GraphEdge[]): string {
  return ways.map(({ from, to }) => `${from} → ${to}`).join(', ')
}
