import type { JsonObject } from '../../kernel/json.ts'
import {
  type AgentDocument,
  type AgentEdge,
  type AgentNode,
  type AgentSettings,
  endTarget,
  type Route,
} from './agent-document.ts'
import { reachedFrom } from './check-flow.ts'
import { startName } from './edge-routes.ts'
import { placeOf } from './located.ts'
import { commonOf, nodeWork } from './normalize-node.ts'
import type { Routes } from './routes.ts'
import type { OuterDocument, Shape } from './shape.ts'
import type { ShapedNode } from './shape-node.ts'

/** A document of which all parts have the right form, in the one form that a graph is built from. */
export function buildDocument(
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
