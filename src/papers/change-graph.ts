import { pictureOf } from '../graph/draw-graph.ts'
import { end, type Graph, listTargets, type Node, type State } from '../graph/graph.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { withErrorBoundary } from './attempt.ts'
import type { PapersState } from './state.ts'

/** An app's change to the pipeline's graph, such as additional nodes. */
export type PapersGraphChange = (graph: Graph<PapersState>) => Graph<PapersState>

/** A graph as changed by an app. */
export interface ChangedGraph {
  readonly graph: Graph<PapersState>
  /** How it differs from the original, for the record of its runs; empty if it does not. */
  readonly difference: string
}

/**
 * Applies an app's change to the pipeline's graph. Failures of the app's nodes are recorded in the state and the run
 * continues, as with the original nodes.
 * @throws `invalid_graph` if a run could end without its result
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

/** The result is made by the node after which the pipeline ends. */
function checkEnds(own: Graph<PapersState>, { edges }: Graph<PapersState>): void {
  const last = findLastNodes(own.edges)
  const others = findLastNodes(edges).filter((node) => !last.includes(node))
  if (others.length === 0) return
  throw new ScholiumError(
    'invalid_graph',
    `"${own.name}" must end with "${last.join('", "')}", which creates its result, not with "${others.join('", "')}".`,
    { hint: `Put the node before "${last[0]}".` },
  )
}

function findLastNodes(edges: Graph<PapersState>['edges']): readonly string[] {
  return Object.keys(edges).filter((node) => listTargets(edges[node] ?? '').includes(end))
}

/** Added edges, removed edges of nodes that gained none, and replaced nodes. */
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
