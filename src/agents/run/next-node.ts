import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { AgentNode, Condition, Route } from '../document/agent-document.ts'
import { type AgentRun, isConditionTrue, type NodeView } from './agent-run.ts'
import { hiddenKey } from './state.ts'

/** A route that leads to one node at a time. */
export type SingleRoute = Exclude<Route, { readonly kind: 'parallel' }>

/**
 * Where a route leads: a node or `__end__`.
 * @throws `invalid_graph` if none of its conditions holds and it has no default
 */
export function nextNode(run: AgentRun, from: string, route: SingleRoute, view: NodeView): string {
  switch (route.kind) {
    case 'to':
      return route.target
    case 'rules': {
      const names = resultNames(view.state)
      const found = route.rules.find(({ condition }) =>
        isRouteTaken(run, from, condition, view, names),
      )
      return (
        found?.to ??
        route.otherwise ??
        createNoRouteError(
          from,
          route.rules.map(({ condition }) => condition),
        )
      )
    }
    case 'switch': {
      const answer = String(view.state[hiddenKey.result] ?? '')
      const target = Object.hasOwn(route.targets, answer) ? route.targets[answer] : undefined
      return (
        target ?? route.otherwise ?? createNoCaseError(from, answer, Object.keys(route.targets))
      )
    }
  }
}

/** Whether a route's condition holds; `result` in it is the node's result. */
export function isRouteTaken(
  run: AgentRun,
  from: string,
  condition: Condition,
  view: NodeView,
  names: JsonObject = resultNames(view.state),
): boolean {
  return isConditionTrue(run, condition, view, `route of ${from}`, names)
}

/** Whether a route reads its node's result, which the state then has to keep. */
export function readsResult({ shown }: AgentRun, { route }: AgentNode): boolean {
  if (route.kind === 'switch') return true
  const conditions =
    route.kind === 'rules'
      ? route.rules.map(({ condition }) => condition)
      : route.kind === 'parallel'
        ? route.branches.flatMap(({ condition }) => condition ?? [])
        : []
  return conditions.some(({ text }) => {
    const { roots } = shown.templates.findNames(text, 'condition')
    return roots.has('result') || roots.has('action_result')
  })
}

function resultNames(state: JsonObject): JsonObject {
  const result = state[hiddenKey.result] ?? null
  return { result, action_result: result }
}

function createNoRouteError(from: string, conditions: readonly Condition[]): never {
  const texts = conditions.map(({ text, isNegated }) => (isNegated ? `not (${text})` : text))
  throw new ScholiumError(
    'invalid_graph',
    `Node "${from}" has no next node, because none of its conditions is true: ${texts.join('; ')}.`,
    { hint: 'Add a last rule without a condition.', details: { node: from, conditions: texts } },
  )
}

function createNoCaseError(from: string, answer: string, cases: readonly string[]): never {
  throw new ScholiumError(
    'invalid_graph',
    `Node "${from}" has no next node for "${answer}"; its cases are ${cases.join(', ')}.`,
    { hint: 'Add a case for default.', details: { node: from, answer } },
  )
}
