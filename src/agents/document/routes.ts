import { type Condition, endTarget, type Route } from './agent-document.ts'
import { buildEdgeRoutes, type RouteProblems, startName } from './edge-routes.ts'
import { normalizeCondition } from './normalize-node.ts'
import type { ShapedEdge } from './shape.ts'
import type { ShapedNode } from './shape-node.ts'

/** Where a run begins, and where it continues after each node. */
export interface Routes {
  readonly start: Route
  readonly ofNode: ReadonlyMap<string, Route>
}

/** Actions that end a run. */
const endActions = ['core.return', 'return']

/**
 * Determines one route per node by the format's precedence: `fan_in` of a dynamic_parallel, then `goto`, `next`,
 * edges, and finally the next node of the list. A node in a branch without a route of its own goes to where the
 * branches join.
 */
export function buildRoutes(
  nodes: readonly ShapedNode[],
  edges: readonly ShapedEdge[],
  problems: RouteProblems,
): Routes {
  const fromEdges = buildEdgeRoutes(edges, problems)
  const own = new Map<string, Route>()
  for (const node of nodes) {
    const route = buildOwnRoute(node, fromEdges.get(node.value.name), problems)
    if (route !== undefined) own.set(node.value.name, route)
  }
  for (const [name, route] of findBranchEnds(own, fromEdges.get(startName))) own.set(name, route)
  const first = nodes[0]?.value.name ?? endTarget
  const ofNode = new Map(own)
  const hasPlainEdges = [...fromEdges].some(
    ([from, { kind }]) => from !== startName && kind !== 'parallel',
  )
  for (const [index, node] of nodes.entries()) {
    const { name } = node.value
    if (own.has(name)) continue
    const target = findNextInList(nodes, index)
    ofNode.set(name, { kind: 'to', target })
    if (hasPlainEdges && target !== endTarget) reportChained(node, target, problems)
  }
  return { start: fromEdges.get(startName) ?? { kind: 'to', target: first }, ofNode }
}

/** The next node of the same file; a list does not continue into nodes imported under a name. */
function findNextInList(nodes: readonly ShapedNode[], index: number): string {
  const [node, next] = [nodes[index], nodes[index + 1]]
  return next === undefined || next.part !== node?.part ? endTarget : next.value.name
}

function reportChained({ value, path }: ShapedNode, target: string, problems: RouteProblems): void {
  const message = `node "${value.name}" has no outgoing edge: it continues with "${target}", the next in the list`
  const hint = `Add {from: ${value.name}, to: ${target}} or {from: ${value.name}, to: ${endTarget}}.`
  problems.add('warning', 'IMPLICIT_CHAIN', path, message, hint)
}

function buildOwnRoute(
  node: ShapedNode,
  fromEdges: Route | undefined,
  problems: RouteProblems,
): Route | undefined {
  const { name, goto, next } = node.value
  const chosen =
    buildFanInRoute(node, problems) ??
    buildGotoRoute(node, problems) ??
    buildSwitchRoute(node, problems)
  if (chosen === undefined)
    return fromEdges ?? (endsRun(node) ? { kind: 'to', target: endTarget } : undefined)
  if (goto !== undefined && next !== undefined) {
    problems.add(
      'warning',
      'IGNORED_KEY',
      [...node.path, 'next'],
      `next of "${name}" is ignored: it has goto`,
    )
  }
  if (fromEdges !== undefined && !haveSameTargets(fromEdges, chosen)) {
    const says = node.kind.startsWith('each') ? 'fan_in' : goto === undefined ? 'a next' : 'a goto'
    const message = `the edges from "${name}" are ignored: it has its own ${says}`
    problems.add('warning', 'IGNORED_KEY', node.path, message, 'Remove one of them.')
  }
  return chosen
}

function buildFanInRoute(node: ShapedNode, problems: RouteProblems): Route | undefined {
  const { value, path } = node
  if (!('items' in value)) return undefined
  const { fan_in: fanIn, output, name } = value
  if (fanIn === undefined) {
    if (output !== undefined) return undefined
    const message = `fan_in of node "${name}" is missing`
    const hint = 'Give the node that receives the results, or a state key for them in output.'
    problems.add('error', 'DYN_PARALLEL_MISSING_FAN_IN', path, message, hint)
    return undefined
  }
  const says = `the branches of "${name}" join at`
  const isThere = problems.checkTarget(
    fanIn,
    'DYN_PARALLEL_FAN_IN_UNDEFINED',
    [...path, 'fan_in'],
    says,
  )
  return { kind: 'to', target: isThere ? fanIn : endTarget }
}

function buildGotoRoute({ value, path }: ShapedNode, problems: RouteProblems): Route | undefined {
  const key = value.goto === undefined ? 'next' : 'goto'
  const written = value[key]
  if (written === undefined) return undefined
  const says = `${key} of "${value.name}" leads to`
  const at = [...path, key]
  const check = (target: string, place: readonly string[]) =>
    target === endTarget || problems.checkTarget(target, 'GOTO_UNDEFINED', place, says)
  if (typeof written === 'string') {
    check(written, at)
    return { kind: 'to', target: written }
  }
  const rules: { condition: Condition; to: string }[] = []
  for (const [index, rule] of written.entries()) {
    const {
      to,
      if: when,
      condition: other,
    } = rule as { to: string; if?: unknown; condition?: unknown }
    check(to, [...at, String(index), 'to'])
    const place = [...at, String(index), when === undefined ? 'condition' : 'if']
    const condition = normalizeCondition(when ?? other, true, place)
    if (condition !== undefined) {
      rules.push({ condition, to })
      continue
    }
    if (index < written.length - 1) {
      const message = `the rules of "${value.name}" after this one are never reached, because it always applies`
      const hint = 'Move it to the end, or give it a condition.'
      problems.add('error', 'UNREACHABLE_RULE', [...at, String(index)], message, hint)
    }
    return rules.length === 0 ? { kind: 'to', target: to } : { kind: 'rules', rules, otherwise: to }
  }
  return { kind: 'rules', rules }
}

function buildSwitchRoute(node: ShapedNode, problems: RouteProblems): Route | undefined {
  const { value, path } = node
  if (value.edges === undefined) return undefined
  const action =
    node.kind === 'uses' ? node.value.uses : node.kind === 'action' && node.value.action
  if (action !== 'core.switch') {
    const hint = 'Use goto with rules.'
    problems.add(
      'error',
      'NOT_SUPPORTED',
      [...path, 'edges'],
      `"${value.name}" has its own edges, but is not a core.switch`,
      hint,
    )
  }
  for (const [answer, to] of Object.entries(value.edges)) {
    const says = `edges of "${value.name}" lead to`
    if (to !== endTarget)
      problems.checkTarget(to, 'GOTO_UNDEFINED', [...path, 'edges', answer], says)
  }
  const { default: otherwise, ...targets } = value.edges
  return { kind: 'switch', targets, ...(otherwise === undefined ? {} : { otherwise }) }
}

function endsRun(node: ShapedNode): boolean {
  if (node.kind === 'uses') return endActions.includes(node.value.uses)
  return node.kind === 'action' && endActions.includes(node.value.action)
}

/**
 * Nodes inside branches without their own route, with the route to where their branches join. Nested branches are
 * skipped up to their own join, since they end elsewhere.
 */
function findBranchEnds(
  own: ReadonlyMap<string, Route>,
  start: Route | undefined,
): ReadonlyMap<string, Route> {
  const ends = new Map<string, Route>()
  for (const route of [...own.values(), ...(start === undefined ? [] : [start])]) {
    if (route.kind !== 'parallel') continue
    const seen = new Set<string>([route.join, endTarget])
    const open = route.branches.map(({ node }) => node)
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (seen.has(name)) continue
      seen.add(name)
      const inside = own.get(name)
      if (inside === undefined) ends.set(name, { kind: 'to', target: route.join })
      else open.push(...(inside.kind === 'parallel' ? [inside.join] : listTargets(inside)))
    }
  }
  return ends
}

function haveSameTargets(a: Route, b: Route): boolean {
  return a.kind === 'to' && b.kind === 'to' && a.target === b.target
}

/** Every target of a route. */
export function listTargets(route: Route): readonly string[] {
  switch (route.kind) {
    case 'to':
      return [route.target]
    case 'rules': {
      const otherwise = route.otherwise === undefined ? [] : [route.otherwise]
      return [...route.rules.map(({ to }) => to), ...otherwise]
    }
    case 'switch': {
      const otherwise = route.otherwise === undefined ? [] : [route.otherwise]
      return [...Object.values(route.targets), ...otherwise]
    }
    case 'parallel':
      return [...route.branches.map(({ node }) => node), route.join]
  }
}
