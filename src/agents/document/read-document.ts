import type { JsonObject } from '../../kernel/json.ts'
import {
  type AgentDocument,
  type AgentEdge,
  type AgentNode,
  type AgentSettings,
  endTarget,
  type Route,
} from './agent-document.ts'
import { checkActions } from './check-actions.ts'
import { checkFlow, reachedFrom } from './check-flow.ts'
import { checkInputSchema } from './check-input-schema.ts'
import { checkModels, checkNames } from './check-names.ts'
import { checkStateKeys, checkTexts } from './check-state.ts'
import type { DocumentChecks, Report } from './checks.ts'
import { textsOf } from './document-texts.ts'
import { RouteProblems, startName } from './edge-routes.ts'
import { loadMerged, type ReadFile } from './imports.ts'
import { type Located, partOf, placeOf, textUnder } from './located.ts'
import { commonOf, nodeWork } from './normalize-node.ts'
import { type DocumentProblem, inOrder, type ProblemCode } from './problem.ts'
import { type Routes, routesOf, targetsOf } from './routes.ts'
import { type OuterDocument, type Shape, shapeOf } from './shape.ts'
import type { ShapedNode } from './shape-node.ts'

/** How an agent file is read. */
export interface ReadDocumentOptions {
  /** The name of the file, for places and for what it imports. */
  readonly path: string
  readonly checks: DocumentChecks
  /** Reads what the file imports. Absent: a file that imports is refused. */
  readonly readFile?: ReadFile
  /** Files that are laid over it, the last one on top. */
  readonly overlays?: readonly string[]
  /** Whether warnings are errors. Default `false`. */
  readonly isStrict?: boolean
}

/** An agent file as a document, or why it is none. */
export type DocumentOutcome =
  | {
      readonly ok: true
      readonly document: AgentDocument
      /** Warnings only. */
      readonly problems: readonly DocumentProblem[]
    }
  | { readonly ok: false; readonly problems: readonly DocumentProblem[] }

/** Reads an agent file and checks it as far as it can be checked without running it. All problems are found at once. */
export async function readAgentDocument(
  text: string,
  { path, checks, readFile, overlays = [], isStrict = false }: ReadDocumentOptions,
): Promise<DocumentOutcome> {
  const { root, problems } = await loadMerged(text, path, overlays, readFile)
  const read = root === undefined ? { problems: [] } : documentOf(root, path, checks)
  const found = inOrder([...problems, ...read.problems])
  const all = isStrict
    ? found.map((problem) => ({ ...problem, severity: 'error' as const }))
    : found
  const { document } = read
  if (document === undefined || all.some(({ severity }) => severity === 'error')) {
    return { ok: false, problems: all }
  }
  return { ok: true, document, problems: all }
}

/** Problems of ways that name a node which is not there. */
const lostWays: ReadonlySet<ProblemCode> = new Set([
  'GOTO_UNDEFINED',
  'EDGE_FROM_UNDEFINED',
  'EDGE_TO_UNDEFINED',
  'FALLBACK_UNDEFINED',
  'PARALLEL_FAN_IN_UNDEFINED',
  'DYN_PARALLEL_FAN_IN_UNDEFINED',
])

interface Read {
  readonly document?: AgentDocument
  readonly problems: readonly DocumentProblem[]
}

/** The top of a file in which something at the top is wrong: its nodes are looked into all the same. */
const nothing: OuterDocument = { name: '', nodes: [] }

function documentOf(root: Located, file: string, checks: DocumentChecks): Read {
  const shape = shapeOf(root)
  const ways = new RouteProblems(root, shape.names)
  checkNames(shape, ways)
  const routes = routesOf(shape.nodes, shape.edges, ways)
  const hasMistakes = shape.problems.some(({ severity }) => severity === 'error')
  // With a part missing, what seems not to be reached or used may well be.
  const found = hasMistakes ? ways.found.filter(({ severity }) => severity === 'error') : ways.found
  const problems = [...shape.problems, ...found]
  const document = buildDocument(shape, shape.outer ?? nothing, routes, file)
  const report: Report = (problem) => {
    const path = problem.code === 'UNKNOWN_ACTION' ? nameOfAction(root, problem.path) : problem.path
    problems.push({ ...problem, path, ...placeOf(root, path) })
  }
  const texts = textsOf(document)
  checkActions(document, checks, report)
  checkInputSchema(document, report)
  checkModels(document, checks, report)
  checkTexts(document, texts, checks, report)
  if (hasMistakes) return { problems }
  // Where a way leads nowhere, what seems not to be reached may be where it was meant to lead.
  const hasLostWays = ways.found.some(({ code }) => lostWays.has(code))
  if (!hasLostWays) checkFlow(document, referencedIn(shape, document), report)
  checkStateKeys(document, texts, checks, report)
  return { document, problems }
}

/** Where the part at a path names its action. */
function nameOfAction(root: Located, path: readonly string[]): readonly string[] {
  const part = path.reduce<Located | undefined>(partOf, root)
  const key = ['uses', 'action'].find((name) => textUnder(part, name) !== undefined)
  return key === undefined ? path : [...path, key]
}

/** The nodes that some rule of the file names, be it one that is never reached. */
function referencedIn({ edges, nodes }: Shape, document: AgentDocument): ReadonlySet<string> {
  const inEdges = edges.flatMap(({ value }) => [value.from, value.to, value.fan_in].flat())
  const inRules = nodes.flatMap(({ value: { name, goto, next, edges: targets } }) =>
    goto === undefined && next === undefined && targets === undefined
      ? []
      : targetsOf(document.nodes.find((node) => node.name === name)?.route ?? document.start),
  )
  const fallbacks = document.nodes.flatMap(({ onError }) => onError.fallback ?? [])
  const all = [...inEdges, ...inRules, ...fallbacks].filter((name) => name !== undefined)
  return new Set(all.filter((name) => name !== startName && name !== endTarget))
}

/** A document of which all parts have the right form, in the one form that a graph is built from. */
function buildDocument(
  shape: Shape,
  outer: OuterDocument,
  { start, ofNode }: Routes,
  file: string,
): AgentDocument {
  const placed = shape.nodes.map((node) => buildNode(shape, node, ofNode))
  const reached = reachedFrom(start, placed)
  const nodes = placed.map((node) => ({ ...node, isReachable: reached.has(node.name) }))
  const { config = {}, input_schema: inputSchema, extraction_schema: extraction } = outer
  return {
    name: String(outer.name),
    description: outer.description ?? '',
    version: String(outer.version ?? ''),
    file,
    stateSchema: (outer.state_schema ?? {}) as JsonObject,
    initialState: (outer.initial_state ?? {}) as JsonObject,
    variables: (outer.variables ?? {}) as JsonObject,
    data: (outer.data ?? {}) as JsonObject,
    secrets: secretsOf(outer),
    settings: settingsOf(outer),
    features: outer.features ?? {},
    ...(config.max_steps === undefined ? {} : { maxSteps: config.max_steps }),
    interruptBefore: interruptsOf(shape, 'before', config.interrupt_before),
    interruptAfter: interruptsOf(shape, 'after', config.interrupt_after),
    ...(inputSchema === undefined ? {} : { inputSchema: inputSchema as JsonObject }),
    ...(extraction === undefined ? {} : { extractionSchema: extraction as JsonObject }),
    start,
    nodes,
    edges: [...edgesOf(startName, start), ...nodes.flatMap(edgesOfNode)],
  }
}

function buildNode(
  { root }: Shape,
  node: ShapedNode,
  ofNode: ReadonlyMap<string, Route>,
): AgentNode {
  const { value, path } = node
  const common = commonOf(node, value.name, placeOf(root, path))
  const isFanIn = value.fan_in === true || ('is_fan_in' in value && value.is_fan_in === true)
  const route = ofNode.get(value.name) ?? { kind: 'to', target: endTarget }
  const work = nodeWork(node, (inside) => placeOf(root, inside))
  return { ...work, ...common, isFanIn, route, isReachable: true }
}

/** The nodes that `config` names, and those that say it themselves. */
function interruptsOf(
  { nodes }: Shape,
  when: 'before' | 'after',
  named: readonly string[] = [],
): readonly string[] {
  const own = nodes.filter(({ value }) => value.interrupt === when).map(({ value }) => value.name)
  return [...new Set([...named, ...own])]
}

function secretsOf({ secrets = {} }: OuterDocument): Readonly<Record<string, string>> {
  if (!Array.isArray(secrets)) return secrets as Readonly<Record<string, string>>
  return Object.fromEntries(secrets.map((name: string) => [name, `\${${name}}`]))
}

function settingsOf({ settings = {}, llm }: OuterDocument): AgentSettings {
  const own = { ...llm, ...settings.llm } as JsonObject
  const all = { ...settings, ...(Object.keys(own).length === 0 ? {} : { llm: own }) }
  const agents = (settings.agents ?? {}) as Readonly<Record<string, JsonObject>>
  return { llm: own, agents, all: all as JsonObject }
}

function edgesOfNode({ name, route, onError }: AgentNode): readonly AgentEdge[] {
  const { fallback } = onError
  const edges = edgesOf(name, route)
  if (fallback === undefined) return edges
  return [...edges, { from: name, to: fallback, kind: 'fallback', label: 'on error' }]
}

function edgesOf(from: string, route: Route): readonly AgentEdge[] {
  switch (route.kind) {
    case 'to':
      return [{ from, to: route.target, kind: 'always' }]
    case 'rules':
      return [
        ...route.rules.map(({ condition: { text, isNegated }, to }) => ({
          from,
          to,
          kind: 'conditional' as const,
          label: isNegated ? `not (${text})` : text,
        })),
        ...otherwiseEdge(from, route.otherwise),
      ]
    case 'switch':
      return [
        ...Object.entries(route.targets).map(([label, to]) => ({
          from,
          to,
          kind: 'conditional' as const,
          label,
        })),
        ...otherwiseEdge(from, route.otherwise),
      ]
    case 'parallel':
      return route.branches.map(({ node, condition }) => ({
        from,
        to: node,
        kind: 'parallel',
        ...(condition === undefined ? {} : { label: condition.text }),
      }))
  }
}

function otherwiseEdge(from: string, to: string | undefined): readonly AgentEdge[] {
  return to === undefined ? [] : [{ from, to, kind: 'conditional', label: 'else' }]
}
