import { nearest } from '../../kernel/text/nearest.ts'
import { type Condition, endTarget, type Route } from './agent-document.ts'
import { type Located, placeOf } from './located.ts'
import { conditionOf } from './normalize-node.ts'
import type { DocumentProblem, ProblemCode } from './problem.ts'
import type { ShapedEdge } from './shape.ts'

/** The name under which edges begin a run. */
export const startName = '__start__'

/** One edge to one target, with its shorthands written out. */
interface PlainEdge {
  readonly from: string
  readonly to: string
  readonly isParallel: boolean
  readonly edge: ShapedEdge
}

/** The routes that edges make, by the node they begin at (`__start__` too). Edges that lead nowhere are problems. */
export function edgeRoutes(
  edges: readonly ShapedEdge[],
  problems: RouteProblems,
): ReadonlyMap<string, Route> {
  const plain = edges.flatMap((edge) => plainEdges(edge, problems))
  const byNode = Map.groupBy(plain, ({ from }) => from)
  return new Map(
    [...byNode].map(([from, own]) => {
      const parallel = own.filter(({ isParallel }) => isParallel)
      const route =
        parallel.length > 0 ? parallelRoute(own, parallel, problems) : ruleRoute(own, problems)
      return [from, route]
    }),
  )
}

function plainEdges(edge: ShapedEdge, problems: RouteProblems): readonly PlainEdge[] {
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
    problems.add('error', 'PARALLEL_FAN_IN_UNDEFINED', path, 'an edge leads to several nodes', hint)
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
    const hint = 'Keep one; when may stand beside a condition as true or false.'
    problems.add('error', 'CONFLICTING_KEYS', path, 'an edge has condition and when', hint)
  }
  const begins =
    from === startName ||
    problems.checkTarget(from, 'EDGE_FROM_UNDEFINED', [...path, 'from'], 'an edge begins at')
  const leads = targets.map(
    (to) =>
      (to === endTarget && !isParallel) ||
      problems.checkTarget(to, 'EDGE_TO_UNDEFINED', [...path, 'to'], 'an edge leads to'),
  )
  if (!isParallel) return begins && !leads.includes(false)
  if (value.fan_in === undefined) {
    const hint = 'Add fan_in with the node that takes the results of all branches.'
    problems.add('error', 'PARALLEL_FAN_IN_UNDEFINED', path, 'a parallel edge has no fan_in', hint)
    return false
  }
  const at = [...path, 'fan_in']
  const says = 'a parallel edge comes together at'
  const joins = problems.checkTarget(value.fan_in, 'PARALLEL_FAN_IN_UNDEFINED', at, says)
  return begins && joins && !leads.includes(false)
}

function parallelRoute(
  all: readonly PlainEdge[],
  parallel: readonly PlainEdge[],
  problems: RouteProblems,
): Route {
  const [first] = parallel as readonly [PlainEdge]
  const join = first.edge.value.fan_in as string
  for (const { edge, from, to, isParallel } of all) {
    const at = edge.path
    if (isParallel && edge.value.fan_in !== join) {
      const message = `the branches of "${from}" come together at "${join}" and at "${edge.value.fan_in}"`
      problems.add('error', 'PARALLEL_FAN_IN_MIXED', at, message, 'Give all the same fan_in.')
    }
    if (isParallel || to === join) continue
    const message = `"${from}" has branches, and a plain edge to "${to}" beside them`
    const hint = `Let the edge begin at "${join}", or make it parallel too.`
    problems.add('error', 'PARALLEL_FAN_IN_MIXED', at, message, hint)
  }
  const branches = parallel.flatMap(({ to, edge }) => {
    const condition = edgeCondition(edge)
    return [{ node: to, ...(condition === undefined ? {} : { condition }) }]
  })
  return { kind: 'parallel', branches, join }
}

function ruleRoute(edges: readonly PlainEdge[], problems: RouteProblems): Route {
  const rules: { condition: Condition; to: string }[] = []
  let otherwise: string | undefined
  for (const { from, to, edge } of edges) {
    const condition = edgeCondition(edge)
    if (condition !== undefined) rules.push({ condition, to })
    else if (otherwise === undefined) otherwise = to
    else {
      const message = `the edge from "${from}" to "${to}" is never taken: one to "${otherwise}" always is`
      const hint = 'Give it a condition, or make both parallel.'
      problems.add('warning', 'UNREACHABLE_RULE', edge.path, message, hint)
    }
  }
  if (rules.length === 0 && otherwise !== undefined) return { kind: 'to', target: otherwise }
  return { kind: 'rules', rules, ...(otherwise === undefined ? {} : { otherwise }) }
}

/** A condition beside `when` says what is asked, and `when` which answer is wanted. */
function edgeCondition({ value: { condition, when }, path }: ShapedEdge): Condition | undefined {
  if (condition === undefined) return conditionOf(when, true, [...path, 'when'])
  return conditionOf(condition, when, [...path, 'condition'])
}

/** Collects what is wrong with the ways of one document. */
export class RouteProblems {
  readonly found: DocumentProblem[] = []
  readonly #root: Located
  readonly #names: ReadonlySet<string>

  constructor(root: Located, names: readonly string[]) {
    this.#root = root
    this.#names = new Set(names)
  }

  /** Whether a name is a node's, whatever is wrong with that node. */
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
    this.found.push({ code, severity, message, ...advice, path, ...placeOf(this.#root, path) })
  }

  /** Whether a target is there; says so where it is not. */
  checkTarget(name: string, code: ProblemCode, path: readonly string[], says: string): boolean {
    if (this.isNode(name)) return true
    this.add('error', code, path, `${says} "${name}", which is no node`, this.#otherNames(name))
    return false
  }

  #otherNames(name: string): string {
    const names = [...this.#names]
    const meant = nearest(name, names)
    if (meant !== undefined) return `Did you mean "${meant}"?`
    const shown = names.slice(0, 10).join(', ')
    return `Nodes: ${shown}${names.length > 10 ? ', …' : ''}.`
  }
}
