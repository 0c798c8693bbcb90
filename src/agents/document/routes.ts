import { type Condition, endTarget, type Route } from './agent-document.ts'
import { edgeRoutes, type RouteProblems, startName } from './edge-routes.ts'
import { conditionOf } from './normalize-node.ts'
import type { ShapedEdge } from './shape.ts'
import type { ShapedNode } from './shape-node.ts'

/** Where a run begins, and where it goes from each node. */
export interface Routes {
  readonly start: Route
  readonly ofNode: ReadonlyMap<string, Route>
}

/** Actions after which a run ends. */
const endActions = ['core.return', 'return']

/**
 * One route for each node, by the rules of the format: `fan_in` of a dynamic_parallel, then `goto`, then `next`, then
 * edges, then the next node of the list. A node in a branch that says nothing goes to where its branches come together.
 */
export function routesOf(
  nodes: readonly ShapedNode[],
  edges: readonly ShapedEdge[],
  problems: RouteProblems,
): Routes {
  const fromEdges = edgeRoutes(edges, problems)
  const own = new Map<string, Route>()
  for (const node of nodes) {
    const route = ownRoute(node, fromEdges.get(node.value.name), problems)
    if (route !== undefined) own.set(node.value.name, route)
  }
  for (const [name, route] of branchEnds(own, fromEdges.get(startName))) own.set(name, route)
  const first = nodes[0]?.value.name ?? endTarget
  const ofNode = new Map(own)
  const hasPlainEdges = [...fromEdges].some(
    ([from, { kind }]) => from !== startName && kind !== 'parallel',
  )
  for (const [index, node] of nodes.entries()) {
    const { name } = node.value
    if (own.has(name)) continue
    const target = nextInList(nodes, index)
    ofNode.set(name, { kind: 'to', target })
    if (hasPlainEdges && target !== endTarget) sayChained(node, target, problems)
  }
  return { start: fromEdges.get(startName) ?? { kind: 'to', target: first }, ofNode }
}

/** The next node of the same file: a list does not run on into nodes that were imported under a name. */
function nextInList(nodes: readonly ShapedNode[], index: number): string {
  const [node, next] = [nodes[index], nodes[index + 1]]
  return next === undefined || next.part !== node?.part ? endTarget : next.value.name
}

function sayChained({ value, path }: ShapedNode, target: string, problems: RouteProblems): void {
  const message = `no edge leads on from "${value.name}": it goes to "${target}", the next in the list`
  const hint = `Add {from: ${value.name}, to: ${target}} or {from: ${value.name}, to: ${endTarget}}.`
  problems.add('warning', 'IMPLICIT_CHAIN', path, message, hint)
}

function ownRoute(
  node: ShapedNode,
  fromEdges: Route | undefined,
  problems: RouteProblems,
): Route | undefined {
  const { name, goto, next } = node.value
  const chosen =
    fanInRoute(node, problems) ?? gotoRoute(node, problems) ?? switchRoute(node, problems)
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
  if (fromEdges !== undefined && !sameTargets(fromEdges, chosen)) {
    const says = node.kind.startsWith('each') ? 'fan_in' : goto === undefined ? 'a next' : 'a goto'
    const message = `the edges from "${name}" are ignored: it has ${says} of its own`
    problems.add('warning', 'IGNORED_KEY', node.path, message, 'Remove one of the two.')
  }
  return chosen
}

function fanInRoute(node: ShapedNode, problems: RouteProblems): Route | undefined {
  const { value, path } = node
  if (!('items' in value)) return undefined
  const { fan_in: fanIn, output, name } = value
  if (fanIn === undefined) {
    if (output !== undefined) return undefined
    const message = `fan_in of node "${name}" is missing`
    const hint = 'Name the node that takes the results; or give them a key of the state in output.'
    problems.add('error', 'DYN_PARALLEL_MISSING_FAN_IN', path, message, hint)
    return undefined
  }
  const says = `the branches of "${name}" come together at`
  const isThere = problems.checkTarget(
    fanIn,
    'DYN_PARALLEL_FAN_IN_UNDEFINED',
    [...path, 'fan_in'],
    says,
  )
  return { kind: 'to', target: isThere ? fanIn : endTarget }
}

function gotoRoute({ value, path }: ShapedNode, problems: RouteProblems): Route | undefined {
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
    const condition = conditionOf(when ?? other, true, place)
    if (condition !== undefined) {
      rules.push({ condition, to })
      continue
    }
    if (index < written.length - 1) {
      const message = `the rules of "${value.name}" after this one are never reached: it always applies`
      const hint = 'Move it to the end, or give it a condition.'
      problems.add('error', 'UNREACHABLE_RULE', [...at, String(index)], message, hint)
    }
    return rules.length === 0 ? { kind: 'to', target: to } : { kind: 'rules', rules, otherwise: to }
  }
  return { kind: 'rules', rules }
}

function switchRoute(node: ShapedNode, problems: RouteProblems): Route | undefined {
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
      `"${value.name}" has edges of its own, but is no core.switch`,
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
 * Nodes inside branches that have no route of their own, with the way to where their branches come together. Branches
 * within a branch are passed over to where they come together: theirs is another end.
 */
function branchEnds(
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
      else open.push(...(inside.kind === 'parallel' ? [inside.join] : targetsOf(inside)))
    }
  }
  return ends
}

function sameTargets(a: Route, b: Route): boolean {
  return a.kind === 'to' && b.kind === 'to' && a.target === b.target
}

/** Everything a route can lead to. */
export function targetsOf(route: Route): readonly string[] {
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
