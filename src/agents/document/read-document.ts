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
import { checkFlow, findReachable } from './check-flow.ts'
import { checkInputSchema } from './check-input-schema.ts'
import { checkModels, checkNames } from './check-names.ts'
import { checkStateKeys, checkTexts } from './check-state.ts'
import type { DocumentChecks, Report } from './checks.ts'
import { listTexts } from './document-texts.ts'
import { RouteProblems, startName } from './edge-routes.ts'
import { loadMerged, type ReadFile } from './imports.ts'
import { findPart, findPlace, findText, type Located } from './located.ts'
import { normalizeCommon, normalizeNodeWork } from './normalize-node.ts'
import { type DocumentProblem, type ProblemCode, sortProblems } from './problem.ts'
import { buildRoutes, listTargets, type Routes } from './routes.ts'
import { type OuterDocument, type Shape, shapeDocument } from './shape.ts'
import type { ShapedNode } from './shape-node.ts'

/** How an agent file is read. */
export interface ReadDocumentOptions {
  /** The file's name, for positions and imports. */
  readonly path: string
  readonly checks: DocumentChecks
  /** Reads imported files. Absent: a file with imports is refused. */
  readonly readFile?: ReadFile
  /** Files applied over it, the last one on top. */
  readonly overlays?: readonly string[]
  /** Whether warnings count as errors. Default `false`. */
  readonly isStrict?: boolean
}

/** The document, or why the file is not one. */
export type DocumentOutcome =
  | {
      readonly ok: true
      readonly document: AgentDocument
      /** Warnings only. */
      readonly problems: readonly DocumentProblem[]
    }
  | { readonly ok: false; readonly problems: readonly DocumentProblem[] }

/**
 * Reads an agent file and checks everything that can be checked without running it. All problems are reported at once.
 */
export async function readAgentDocument(
  text: string,
  { path, checks, readFile, overlays = [], isStrict = false }: ReadDocumentOptions,
): Promise<DocumentOutcome> {
  const { root, problems } = await loadMerged(text, path, overlays, readFile)
  const read = root === undefined ? { problems: [] } : buildCheckedDocument(root, path, checks)
  const found = sortProblems([...problems, ...read.problems])
  const all = isStrict
    ? found.map((problem) => ({ ...problem, severity: 'error' as const }))
    : found
  const { document } = read
  if (document === undefined || all.some(({ severity }) => severity === 'error')) {
    return { ok: false, problems: all }
  }
  return { ok: true, document, problems: all }
}

/** Problems of edges that name a missing node. */
const lostEdgeCodes: ReadonlySet<ProblemCode> = new Set([
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

/** Replaces a faulty top level, so that its nodes are checked anyway. */
const emptyOuterDocument: OuterDocument = { name: '', nodes: [] }

function buildCheckedDocument(root: Located, file: string, checks: DocumentChecks): Read {
  const shape = shapeDocument(root)
  const ways = new RouteProblems(root, shape.names)
  checkNames(shape, ways)
  const routes = buildRoutes(shape.nodes, shape.edges, ways)
  const hasMistakes = shape.problems.some(({ severity }) => severity === 'error')
  // With a part missing, what seems unreachable or unused may not be.
  const found = hasMistakes ? ways.found.filter(({ severity }) => severity === 'error') : ways.found
  const problems = [...shape.problems, ...found]
  const document = buildDocument(shape, shape.outer ?? emptyOuterDocument, routes, file)
  const report: Report = (problem) => {
    const path =
      problem.code === 'UNKNOWN_ACTION' ? getActionName(root, problem.path) : problem.path
    problems.push({ ...problem, path, ...findPlace(root, path) })
  }
  const texts = listTexts(document)
  checkActions(document, checks, report)
  checkInputSchema(document, report)
  checkModels(document, checks, report)
  checkTexts(document, texts, checks, report)
  if (hasMistakes) return { problems }
  // If an edge leads nowhere, what seems unreachable may be its intended target.
  const hasLostWays = ways.found.some(({ code }) => lostEdgeCodes.has(code))
  if (!hasLostWays) checkFlow(document, listReferencedFiles(shape, document), report)
  checkStateKeys(document, texts, checks, report)
  return { document, problems }
}

/** The position at which a part names its action. */
function getActionName(root: Located, path: readonly string[]): readonly string[] {
  const part = path.reduce<Located | undefined>(findPart, root)
  const key = ['uses', 'action'].find((name) => findText(part, name) !== undefined)
  return key === undefined ? path : [...path, key]
}

/** Nodes that any rule of the file names, even one that is never reached. */
function listReferencedFiles(
  { edges, nodes }: Shape,
  document: AgentDocument,
): ReadonlySet<string> {
  const inEdges = edges.flatMap(({ value }) => [value.from, value.to, value.fan_in].flat())
  const inRules = nodes.flatMap(({ value: { name, goto, next, edges: targets } }) =>
    goto === undefined && next === undefined && targets === undefined
      ? []
      : listTargets(document.nodes.find((node) => node.name === name)?.route ?? document.start),
  )
  const fallbacks = document.nodes.flatMap(({ onError }) => onError.fallback ?? [])
  const all = [...inEdges, ...inRules, ...fallbacks].filter((name) => name !== undefined)
  return new Set(all.filter((name) => name !== startName && name !== endTarget))
}

/** Builds the normal form from a document whose parts are all well formed. */
function buildDocument(
  shape: Shape,
  outer: OuterDocument,
  { start, ofNode }: Routes,
  file: string,
): AgentDocument {
  const placed = shape.nodes.map((node) => buildNode(shape, node, ofNode))
  const reached = findReachable(start, placed)
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
    secrets: readSecrets(outer),
    settings: readSettings(outer),
    features: outer.features ?? {},
    ...(config.max_steps === undefined ? {} : { maxSteps: config.max_steps }),
    interruptBefore: readInterrupts(shape, 'before', config.interrupt_before),
    interruptAfter: readInterrupts(shape, 'after', config.interrupt_after),
    ...(inputSchema === undefined ? {} : { inputSchema: inputSchema as JsonObject }),
    ...(extraction === undefined ? {} : { extractionSchema: extraction as JsonObject }),
    start,
    nodes,
    edges: [...listRouteEdges(startName, start), ...nodes.flatMap(listNodeEdges)],
  }
}

function buildNode(
  { root }: Shape,
  node: ShapedNode,
  ofNode: ReadonlyMap<string, Route>,
): AgentNode {
  const { value, path } = node
  const common = normalizeCommon(node, value.name, findPlace(root, path))
  const isFanIn = value.fan_in === true || ('is_fan_in' in value && value.is_fan_in === true)
  const route = ofNode.get(value.name) ?? { kind: 'to', target: endTarget }
  const work = normalizeNodeWork(node, (inside) => findPlace(root, inside))
  return { ...work, ...common, isFanIn, route, isReachable: true }
}

/** The nodes named in `config`, and those that ask for it themselves. */
function readInterrupts(
  { nodes }: Shape,
  when: 'before' | 'after',
  named: readonly string[] = [],
): readonly string[] {
  const own = nodes.filter(({ value }) => value.interrupt === when).map(({ value }) => value.name)
  return [...new Set([...named, ...own])]
}

function readSecrets({ secrets = {} }: OuterDocument): Readonly<Record<string, string>> {
  if (!Array.isArray(secrets)) return secrets as Readonly<Record<string, string>>
  return Object.fromEntries(secrets.map((name: string) => [name, `\${${name}}`]))
}

function readSettings({ settings = {}, llm }: OuterDocument): AgentSettings {
  const own = { ...llm, ...settings.llm } as JsonObject
  const all = { ...settings, ...(Object.keys(own).length === 0 ? {} : { llm: own }) }
  const agents = (settings.agents ?? {}) as Readonly<Record<string, JsonObject>>
  return { llm: own, agents, all: all as JsonObject }
}

function listNodeEdges({ name, route, onError }: AgentNode): readonly AgentEdge[] {
  const { fallback } = onError
  const edges = listRouteEdges(name, route)
  if (fallback === undefined) return edges
  return [...edges, { from: name, to: fallback, kind: 'fallback', label: 'on error' }]
}

function listRouteEdges(from: string, route: Route): readonly AgentEdge[] {
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
