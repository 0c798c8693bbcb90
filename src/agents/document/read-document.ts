import { type AgentDocument, endTarget } from './agent-document.ts'
import { buildDocument } from './build-document.ts'
import { checkActions } from './check-actions.ts'
import { checkFlow } from './check-flow.ts'
import { checkInputSchema } from './check-input-schema.ts'
import { checkModels } from './check-models.ts'
import { checkNames } from './check-names.ts'
import { checkStateKeys } from './check-state.ts'
import { checkTexts } from './check-texts.ts'
import type { DocumentChecks, Report } from './checks.ts'
import { textsOf } from './document-texts.ts'
import { startName } from './edge-routes.ts'
import { loadMerged, type ReadFile } from './imports.ts'
import { type Located, partOf, placeOf, textUnder } from './located.ts'
import { type DocumentProblem, inOrder, type ProblemCode } from './problem.ts'
import { RouteProblems } from './route-problems.ts'
import { routesOf, targetsOf } from './routes.ts'
import { type OuterDocument, type Shape, shapeOf } from './shape.ts'

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
