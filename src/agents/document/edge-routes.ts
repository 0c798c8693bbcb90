import { findNearest } from '../../kernel/text/nearest.ts'
import { type Condition, endTarget, type Route } from './agent-document.ts'
import { findPlace, type Located } from './located.ts'
import { normalizeCondition } from './normalize-node.ts'
import type { DocumentProblem, ProblemCode } from './problem.ts'
import type { ShapedEdge } from './shape.ts'

/** The name from which edges start a run. */
export const startName = '__start__'

/** An edge to one target, with shorthands expanded. */
interface PlainEdge {
  readonly from: string
  readonly to: string
  readonly isParallel: boolean
  readonly edge: ShapedEdge
}

/**
 * The routes that edges define, by the node they start from (including `__start__`). Edges to unknown nodes are
 * problems.
 */
export function buildEdgeRoutes(
  edges: readonly ShapedEdge[],
  problems: RouteProblems,
): ReadonlyMap<string, Route> {
  const plain = edges.flatMap((edge) => listPlainEdges(edge, problems))
  const byNode = Map.groupBy(plain, ({ from }) => from)
  return new Map(
    [...byNode].map(([from, own]) => {
      const parallel = own.filter(({ isParallel }) => isParallel)
      const route =
        parallel.length > 0
          ? buildParallelRoute(own, parallel, problems)
          : buildRuleRoute(own, problems)
      return [from, route]
    }),
  )
}

function listPlainEdges(edge: ShapedEdge, problems: RouteProblems): readonly PlainEdge[] {
  const { value, path } = edge
  const from = value.from ?? (value.type === 'entry' ? startName : undefined)
  const written = value.to ?? (value.type === 'finish' ? endTarget : undefined)
  if (from === undefined || written === undefined) {
    const key = from === undefined ? 'from' : 'to'
    problems.add('error', 'MISSING_FIELD', path, `an edge has no "${key}"`)
    return []
  }
  const targets = typeof written === 'string' ? [written] : written
  const isParallel =
    value.type === 'parallel' ||
    value.parallel === true ||
    (targets.length > 1 && value.fan_in !== undefined)
  if (targets.length > 1 && !isParallel) {
    const hint = 'Add type: parallel and fan_in.'
    problems.add(
      'error',
      'PARALLEL_FAN_IN_UNDEFINED',
      path,
      'an edge leads to more than one node',
      hint,
    )
    return []
  }
  return isSound(edge, from, targets, isParallel, problems)
    ? targets.map((to) => ({ from, to, isParallel, edge }))
    : []
}

function isSound(
  { value, path }: ShapedEdge,
  from: string,
  targets: readonly string[],
  isParallel: boolean,
  problems: RouteProblems,
): boolean {
  if (
    value.condition !== undefined &&
    value.when !== undefined &&
    typeof value.when !== 'boolean'
  ) {
    const hint = 'Keep one. Next to a condition, when can only be true or false.'
    problems.add('error', 'CONFLICTING_KEYS', path, 'an edge has condition and when', hint)
  }
  const begins =
    from === startName ||
    problems.checkTarget(from, 'EDGE_FROM_UNDEFINED', [...path, 'from'], 'an edge starts at')
  const leads = targets.map(
    (to) =>
      (to === endTarget && !isParallel) ||
      problems.checkTarget(to, 'EDGE_TO_UNDEFINED', [...path, 'to'], 'an edge leads to'),
  )
  if (!isParallel) return begins && !leads.includes(false)
  if (value.fan_in === undefined) {
    const hint = 'Add fan_in with the node that receives the results of all branches.'
    problems.add('error', 'PARALLEL_FAN_IN_UNDEFINED', path, 'a parallel edge has no fan_in', hint)
    return false
  }
  const at = [...path, 'fan_in']
  const says = 'a parallel edge joins at'
  const joins = problems.checkTarget(value.fan_in, 'PARALLEL_FAN_IN_UNDEFINED', at, says)
  return begins && joins && !leads.includes(false)
}

function buildParallelRoute(
  all: readonly PlainEdge[],
  parallel: readonly PlainEdge[],
  problems: RouteProblems,
): Route {
  const [first] = parallel as readonly [PlainEdge]
  const join = first.edge.value.fan_in as string
  for (const { edge, from, to, isParallel } of all) {
    const at = edge.path
    if (isParallel && edge.value.fan_in !== join) {
      const message = `the branches of "${from}" join at "${join}" and at "${edge.value.fan_in}"`
      problems.add('error', 'PARALLEL_FAN_IN_MIXED', at, message, 'Use the same fan_in for all.')
    }
    if (isParallel || to === join) continue
    const message = `"${from}" has both parallel branches and a plain edge to "${to}"`
    const hint = `Start the edge at "${join}", or make it parallel too.`
    problems.add('error', 'PARALLEL_FAN_IN_MIXED', at, message, hint)
  }
  const branches = parallel.flatMap(({ to, edge }) => {
    const condition = readEdgeCondition(edge)
    return [{ node: to, ...(condition === undefined ? {} : { condition }) }]
  })
  return { kind: 'parallel', branches, join }
}

function buildRuleRoute(edges: readonly PlainEdge[], problems: RouteProblems): Route {
  const rules: { condition: Condition; to: string }[] = []
  let otherwise: string | undefined
  for (const { from, to, edge } of edges) {
    const condition = readEdgeCondition(edge)
    if (condition !== undefined) rules.push({ condition, to })
    else if (otherwise === undefined) otherwise = to
    else {
      const message = `the edge from "${from}" to "${to}" is never taken, because the one to "${otherwise}" always is`
      const hint = 'Give it a condition, or make both parallel.'
      problems.add('warning', 'UNREACHABLE_RULE', edge.path, message, hint)
    }
  }
  if (rules.length === 0 && otherwise !== undefined) return { kind: 'to', target: otherwise }
  return { kind: 'rules', rules, ...(otherwise === undefined ? {} : { otherwise }) }
}

/** A condition next to `when` is the question, and `when` the expected answer. */
function readEdgeCondition({
  value: { condition, when },
  path,
}: ShapedEdge): Condition | undefined {
  if (condition === undefined) return normalizeCondition(when, true, [...path, 'when'])
  return normalizeCondition(condition, when, [...path, 'condition'])
}

/** Collects problems with the routes of a document. */
export class RouteProblems {
  readonly found: DocumentProblem[] = []
  readonly #root: Located
  readonly #names: ReadonlySet<string>

  constructor(root: Located, names: readonly string[]) {
    this.#root = root
    this.#names = new Set(names)
  }

  /** Whether a node has this name, even if something is wrong with it. */
  isNode(name: string): boolean {
    return this.#names.has(name)
  }

  add(
    severity: 'error' | 'warning',
    code: ProblemCode,
    path: readonly string[],
    message: string,
    hint?: string,
  ): void {
    const advice = hint === undefined ? {} : { hint }
    this.found.push({ code, severity, message, ...advice, path, ...findPlace(this.#root, path) })
  }

  /** Checks that a target exists, and reports it if not. */
  checkTarget(name: string, code: ProblemCode, path: readonly string[], says: string): boolean {
    if (this.isNode(name)) return true
    this.add('error', code, path, `${says} "${name}", which is not a node`, this.#otherNames(name))
    return false
  }

  #otherNames(name: string): string {
    const names = [...this.#names]
    const meant = findNearest(name, names)
    if (meant !== undefined) return `Did you mean "${meant}"?`
    const shown = names.slice(0, 10).join(', ')
    return `Nodes: ${shown}${names.length > 10 ? ', …' : ''}.`
  }
}
