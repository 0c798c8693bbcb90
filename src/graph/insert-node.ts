import { ScholiumError } from '../kernel/errors.ts'
import {
  type Channel,
  type Channels,
  defineGraph,
  type Edge,
  end,
  type FanOut,
  type Graph,
  type Node,
  type State,
} from './graph.ts'

/** The state of no fields. */
type NoFields = Readonly<Record<never, never>>

/** A node for a graph that is there: between which nodes it stands, and what it adds to the state. */
export type NodeInsertion<S extends State, Fields extends State = NoFields> = {
  /** A word: letters, digits, `_` and `-`. It stands in the keys of the node's steps. */
  readonly name: string
  readonly node: Node<S & Fields>
  /** Fields that the state has beside its own. A field that is there already has to come with the same channel. */
  readonly fields?: Channels<Fields>
  /** Where to go after it. Default: where `after` led, or to `before`. */
  readonly edge?: Edge<S & Fields>
} & (
  | {
      /** The node after which it runs; what led on from there leads on from it. */
      readonly after: string
      readonly before?: never
    }
  | {
      /** The node before which it runs; what led there leads to it. A branch of a fan-out is no such node, its join is. */
      readonly before: string
      readonly after?: never
    }
)

/**
 * A graph with one node more. The given graph stays as it is.
 * @throws `invalid_graph` for a name or a field that is taken, a place that is no node, and as `defineGraph`
 */
export function insertNode<S extends State, Fields extends State = NoFields>(
  graph: Graph<S>,
  insertion: NodeInsertion<S, Fields>,
): Graph<S> {
  const { name, node, fields = {} as Channels<Fields> } = insertion
  checkName(graph, name)
  checkFields(graph, fields)
  return defineGraph<S>({
    ...graph,
    ...placed(graph, insertion as unknown as NodeInsertion<S, State>),
    channels: { ...graph.channels, ...fields },
    nodes: { ...graph.nodes, [name]: node as Node<S> },
  })
}

function placed<S extends State>(
  graph: Graph<S>,
  { name, after, before, edge }: NodeInsertion<S, State>,
): Pick<Graph<S>, 'start' | 'edges'> {
  const { start, edges } = graph
  const given = edge as Edge<S> | undefined
  if (after !== undefined) {
    const onward = findEdge(graph, name, after)
    return { start, edges: { ...edges, [after]: name, [name]: given ?? onward } }
  }
  findEdge(graph, name, before)
  const led = Object.entries(edges).map(([from, one]) => [from, redirected(one, before, name)])
  return {
    start: start === before ? name : start,
    edges: { ...Object.fromEntries(led), [name]: given ?? before },
  }
}

function findEdge<S extends State>(
  { name, edges }: Graph<S>,
  node: string,
  place: string,
): Edge<S> {
  const edge = Object.hasOwn(edges, place) ? edges[place] : undefined
  if (edge !== undefined) return edge
  const nodes = Object.keys(edges).join(', ')
  throw refused(
    `"${node}" cannot be inserted at "${place}", which is not a node of "${name}": ${nodes}.`,
  )
}

/** An edge that leads elsewhere where it led to one node. */
function redirected<S extends State>(edge: Edge<S>, from: string, to: string): Edge<S> {
  const other = (target: string) => (target === from ? to : target)
  if (typeof edge === 'string') return other(edge)
  const route = (state: S): string | FanOut<S> => {
    const next = edge.route(state)
    return typeof next === 'string' ? other(next) : { ...next, join: other(next.join) }
  }
  return { targets: edge.targets.map(other), route }
}

function checkName<S extends State>({ name, nodes }: Graph<S>, node: string): void {
  if (!/^[\p{L}\p{N}_-]+$/u.test(node) || node === end)
    throw refused(`"${node}" is not a valid node name: use letters, digits, _ and -.`)
  if (Object.hasOwn(nodes, node)) throw refused(`The graph "${name}" already has a node "${node}".`)
}

function checkFields<S extends State>(graph: Graph<S>, fields: object): void {
  const known = graph.channels as Readonly<Record<string, Channel<never>>>
  for (const [field, channel] of Object.entries(fields)) {
    if (!Object.hasOwn(known, field) || known[field] === channel) continue
    throw refused(`The state of "${graph.name}" already has a field "${field}".`)
  }
}

function refused(message: string): ScholiumError {
  return new ScholiumError('invalid_graph', message)
}
