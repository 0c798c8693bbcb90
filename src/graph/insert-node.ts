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

/** A node to insert into an existing graph: its position and the fields it adds to the state. */
export type NodeInsertion<S extends State, Fields extends State = NoFields> = {
  /** Letters, digits, `_` and `-`. Part of the keys of the node's steps. */
  readonly name: string
  readonly node: Node<S & Fields>
  /** Fields added to the state. A field that already exists must have the same channel. */
  readonly fields?: Channels<Fields>
  /** Where to go after it. Default: where `after` led, or to `before`. */
  readonly edge?: Edge<S & Fields>
} & (
  | {
      /** The node after which it runs; it takes over the outgoing edge of that node. */
      readonly after: string
      readonly before?: never
    }
  | {
      /** The node before which it runs; edges to that node lead to it instead. May be the join of a fan-out, but not a branch. */
      readonly before: string
      readonly after?: never
    }
)

/**
 * A copy of a graph with one more node.
 * @throws `invalid_graph` for a name or field that is taken or a position that is not a node, and as `defineGraph`
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

/** An edge with one of its targets replaced. */
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
