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
  type Route,
  stepsIn,
} from '../document/agent-document.ts'
import { targetsOf } from '../document/routes.ts'
import type { AgentRun } from './agent-run.ts'
import { runBranches } from './branches.ts'
import { nextNode, routeHolds, type SingleRoute } from './next-node.ts'
import { type AgentState, hidden } from './state.ts'
import { segment, visitNode } from './visit-node.ts'

/** A state's fields are not declared: each takes what it is given. */
export const anyField: Channel<Json> = replace<Json>(null)

type ParallelRoute = Extract<Route, { readonly kind: 'parallel' }>

/** What of a document a graph is made of. */
interface Section {
  readonly run: AgentRun
  /** The node before which the section ends, or `__end__`. */
  readonly stop: string
  readonly segments: ReadonlyMap<string, string>
  readonly nodes: ReadonlyMap<string, AgentNode>
  /** That of the graph: for what is said between two nodes. */
  readonly context: RunContext
  /** Told of each state between two nodes. */
  readonly seen: (state: AgentState) => void
}

/** Runs the nodes of `run.document` from its start to its end: the last state. */
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
    segments: segmentsOf(document),
    nodes: new Map(document.nodes.map((node) => [node.name, node])),
    context,
    seen,
  }
  return runGraph(graphOf(section, document.start), context, state)
}

const startNode = '__start__'

/** No node of a file can have this name. */
function parallelName(name: string): string {
  return `${name}/parallel`
}

function segmentsOf({ nodes, start }: AgentDocument): ReadonlyMap<string, string> {
  const names = nodes.map(({ name }) => name)
  const isParallel = (name: string) =>
    nodes.find((node) => node.name === name)?.route.kind === 'parallel'
  const own =
    start.kind === 'to' && start.target !== endTarget ? [] : [startNode, parallelName(startNode)]
  return uniqueSegments([...names, ...own, ...names.filter(isParallel).map(parallelName)])
}

/** The part of a document that a route leads to, up to where the section ends. Parallel routes become nodes of their own. */
function graphOf(section: Section, start: Route): Graph<AgentState> {
  const { run, segments } = section
  const nodes: Record<string, Graph<AgentState>['nodes'][string]> = {}
  const edges: Record<string, Edge<AgentState>> = {}
  const idOf = (name: string) => (isStop(section, name) ? end : (segments.get(name) as string))
  const add = (name: string, node: AgentNode | undefined, route: Route) => {
    const id = idOf(name)
    nodes[id] = node === undefined ? async () => ({}) : nodeFunction(section, node)
    if (route.kind !== 'parallel') {
      edges[id] = edgeOf(section, name, node, route, idOf)
      return targetsOf(route)
    }
    const parallel = parallelName(name)
    edges[id] = edgeOf(section, name, node, { kind: 'to', target: parallel }, idOf)
    nodes[idOf(parallel)] = parallelFunction(section, name, route)
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
    open.push(...add(name, node, node.route), ...fallbacksOf(node))
  }
  return defineGraph<AgentState>({
    name: run.document.name,
    channels: {},
    otherFields: anyField,
    start: idOf(isPlain ? start.target : startNode),
    nodes,
    edges,
    ...(run.document.maxSteps === undefined ? {} : { maxSteps: run.document.maxSteps }),
  })
}

function isStop({ stop }: Section, name: string): boolean {
  return name === stop || name === endTarget
}

function nodeFunction({ run, seen }: Section, node: AgentNode) {
  return async (state: AgentState, context: RunContext): Promise<AgentState> => {
    seen(state)
    try {
      await context.goOn('begin')
      return await visitNode(run, node, { context, state, names: {} })
    } catch (thrown) {
      const isNew = blame(run, node.name, thrown, true)
      if (isNew && !endsAt(thrown, context.path))
        await context.notice('failed', 'error', `${node.name}: ${toFailure(thrown).message}`)
      throw thrown
    }
  }
}

/** Keeps the innermost node in which an error was thrown. Whether that is this one. */
function blame({ nodeOf }: AgentRun, node: string, thrown: unknown, isTold: boolean): boolean {
  if (typeof thrown !== 'object' || thrown === null || nodeOf.has(thrown)) return false
  nodeOf.set(thrown, { node, isTold })
  return true
}

function edgeOf(
  section: Section,
  name: string,
  node: AgentNode | undefined,
  route: SingleRoute,
  idOf: (name: string) => string,
): Edge<AgentState> {
  const { run, seen, context } = section
  const fallbacks = node === undefined ? [] : fallbacksOf(node)
  return {
    targets: [...targetsOf(route), ...fallbacks].map(idOf),
    route(state) {
      seen(state)
      const fallback = state[hidden.fallback]
      if (typeof fallback === 'string') return idOf(fallback)
      try {
        return idOf(nextNode(run, name, route, { context, state, names: {} }))
      } catch (thrown) {
        blame(run, name, thrown, false)
        throw thrown
      }
    },
  }
}

/** The nodes to which a failure in a node can lead. */
function fallbacksOf(node: AgentNode): readonly string[] {
  return [node, ...stepsIn(node)].flatMap(({ onError }) => onError.fallback ?? [])
}

/** The branches of a parallel route: each a section of its own, from its node to where all come together. */
function parallelFunction(section: Section, name: string, { branches, join }: ParallelRoute) {
  const { run, seen } = section
  return async (state: AgentState, context: RunContext): Promise<AgentState> => {
    seen(state)
    const site = { context, state, names: {} }
    const chosen = branches.filter(
      ({ condition }) => condition === undefined || routeHolds(run, name, condition, site),
    )
    const started = chosen.map(({ node }) => ({
      name: node,
      state,
      around: state,
      async work(inside: RunContext) {
        const part = { ...section, stop: join, context: inside, seen: () => undefined }
        const graph = graphOf(part, { kind: 'to', target: node })
        return runGraph(graph, inside, state)
      },
    }))
    const limit = Math.max(1, started.length)
    return runBranches(context, started, { limit, isFailFast: false })
  }
}

/** For each name a part of a key that no other one has. */
function uniqueSegments(names: readonly string[]): ReadonlyMap<string, string> {
  const segments = new Map<string, string>()
  const used = new Set<string>()
  for (const name of names) {
    let unique = segment(name)
    while (used.has(unique)) unique += '_'
    used.add(unique)
    segments.set(name, unique)
  }
  return segments
}
