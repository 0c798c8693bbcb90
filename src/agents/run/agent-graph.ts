import {
  type Channel,
  defineGraph,
  type Edge,
  end,
  type Graph,
  replace,
} from '../../graph/graph.ts'
import { runGraph } from '../../graph/run-graph.ts'
import { endsAt, toFailure } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import {
  type AgentDocument,
  type AgentNode,
  endTarget,
  listSteps,
  type Route,
} from '../document/agent-document.ts'
import { listTargets } from '../document/routes.ts'
import type { AgentRun } from './agent-run.ts'
import { runBranches } from './branches.ts'
import { isRouteTaken, nextNode, type SingleRoute } from './next-node.ts'
import { type AgentState, hiddenKey } from './state.ts'
import { toSegment, visitNode } from './visit-node.ts'

/** State fields are not declared: each accepts any value. */
export const anyField: Channel<Json> = replace<Json>(null)

type ParallelRoute = Extract<Route, { readonly kind: 'parallel' }>

/** The part of a document that a graph is built from. */
interface Section {
  readonly run: AgentRun
  /** The node before which the section ends, or `__end__`. */
  readonly stop: string
  readonly segments: ReadonlyMap<string, string>
  readonly nodes: ReadonlyMap<string, AgentNode>
  /** The graph's context, for events between two nodes. */
  readonly context: RunContext
  /** Called with each state between two nodes. */
  readonly seen: (state: AgentState) => void
}

/** Runs the nodes of `run.document` from start to end and returns the last state. */
export function runDocument(
  run: AgentRun,
  state: AgentState,
  context: RunContext,
  seen: (state: AgentState) => void = () => undefined,
): Promise<AgentState> {
  const { document } = run
  const section: Section = {
    run,
    stop: endTarget,
    segments: createSegments(document),
    nodes: new Map(document.nodes.map((node) => [node.name, node])),
    context,
    seen,
  }
  return runGraph(buildGraph(section, document.start), context, state)
}

const startNode = '__start__'

/** No node of a file can have this name. */
function parallelName(name: string): string {
  return `${name}/parallel`
}

function createSegments({ nodes, start }: AgentDocument): ReadonlyMap<string, string> {
  const names = nodes.map(({ name }) => name)
  const isParallel = (name: string) =>
    nodes.find((node) => node.name === name)?.route.kind === 'parallel'
  const own =
    start.kind === 'to' && start.target !== endTarget ? [] : [startNode, parallelName(startNode)]
  return toUniqueSegments([...names, ...own, ...names.filter(isParallel).map(parallelName)])
}

/** Builds the graph of the part that a route leads to, up to the section's end. Parallel routes become nodes. */
function buildGraph(section: Section, start: Route): Graph<AgentState> {
  const { run, segments } = section
  const nodes: Record<string, Graph<AgentState>['nodes'][string]> = {}
  const edges: Record<string, Edge<AgentState>> = {}
  const idOf = (name: string) => (isStop(section, name) ? end : (segments.get(name) as string))
  const add = (name: string, node: AgentNode | undefined, route: Route) => {
    const id = idOf(name)
    nodes[id] = node === undefined ? async () => ({}) : createNodeFunction(section, node)
    if (route.kind !== 'parallel') {
      edges[id] = toGraphEdge(section, name, node, route, idOf)
      return listTargets(route)
    }
    const parallel = parallelName(name)
    edges[id] = toGraphEdge(section, name, node, { kind: 'to', target: parallel }, idOf)
    nodes[idOf(parallel)] = createParallelFunction(section, name, route)
    edges[idOf(parallel)] = idOf(route.join)
    return [route.join]
  }
  const isPlain = start.kind === 'to' && !isStop(section, start.target)
  const open = isPlain ? [start.target] : [...add(startNode, undefined, start)]
  const reached = new Set<string>()
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name) || isStop(section, name)) continue
    reached.add(name)
    const node = section.nodes.get(name) as AgentNode
    open.push(...add(name, node, node.route), ...listFallbacks(node))
  }
  return defineGraph<AgentState>({
    name: run.document.name,
    channels: {},
    otherFields: anyField,
    start: idOf(isPlain ? start.target : startNode),
    nodes,
    edges,
    ...(run.document.maxSteps === undefined ? {} : { maxVisits: run.document.maxSteps }),
  })
}

function isStop({ stop }: Section, name: string): boolean {
  return name === stop || name === endTarget
}

function createNodeFunction({ run, seen }: Section, node: AgentNode) {
  return async (state: AgentState, context: RunContext): Promise<AgentState> => {
    seen(state)
    try {
      await context.throwIfStoppedAt('begin')
      return await visitNode(run, node, { context, state, names: {} })
    } catch (thrown) {
      const isNew = nameNodeInError(run, node.name, thrown, true)
      if (isNew && !endsAt(thrown, context.path))
        await context.notice('failed', 'error', `${node.name}: ${toFailure(thrown).message}`)
      throw thrown
    }
  }
}

/** Records the innermost node in which an error was thrown; returns whether it is this one. */
function nameNodeInError(
  { failedNodes }: AgentRun,
  node: string,
  thrown: unknown,
  isTold: boolean,
): boolean {
  if (typeof thrown !== 'object' || thrown === null || failedNodes.has(thrown)) return false
  failedNodes.set(thrown, { node, isTold })
  return true
}

function toGraphEdge(
  section: Section,
  name: string,
  node: AgentNode | undefined,
  route: SingleRoute,
  idOf: (name: string) => string,
): Edge<AgentState> {
  const { run, seen, context } = section
  const fallbacks = node === undefined ? [] : listFallbacks(node)
  return {
    targets: [...listTargets(route), ...fallbacks].map(idOf),
    route(state) {
      seen(state)
      const fallback = state[hiddenKey.fallback]
      if (typeof fallback === 'string') return idOf(fallback)
      try {
        return idOf(nextNode(run, name, route, { context, state, names: {} }))
      } catch (thrown) {
        nameNodeInError(run, name, thrown, false)
        throw thrown
      }
    },
  }
}

/** Nodes that a failure in a node can lead to. */
function listFallbacks(node: AgentNode): readonly string[] {
  return [node, ...listSteps(node)].flatMap(({ onError }) => onError.fallback ?? [])
}

/** The branches of a parallel route: each is a section from its node to the join. */
function createParallelFunction(section: Section, name: string, { branches, join }: ParallelRoute) {
  const { run, seen } = section
  return async (state: AgentState, context: RunContext): Promise<AgentState> => {
    seen(state)
    const view = { context, state, names: {} }
    const chosen = branches.filter(
      ({ condition }) => condition === undefined || isRouteTaken(run, name, condition, view),
    )
    const started = chosen.map(({ node }) => ({
      name: node,
      state,
      around: state,
      async work(inside: RunContext) {
        const part = { ...section, stop: join, context: inside, seen: () => undefined }
        const graph = buildGraph(part, { kind: 'to', target: node })
        return runGraph(graph, inside, state)
      },
    }))
    const limit = Math.max(1, started.length)
    return runBranches(context, started, { limit, isFailFast: false })
  }
}

/** Maps each name to a unique key segment. */
function toUniqueSegments(names: readonly string[]): ReadonlyMap<string, string> {
  const segments = new Map<string, string>()
  const used = new Set<string>()
  for (const name of names) {
    let unique = toSegment(name)
    while (used.has(unique)) unique += '_'
    used.add(unique)
    segments.set(name, unique)
  }
  return segments
}
