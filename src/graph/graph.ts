import { ScholiumError } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'

/** A graph's state: JSON only. */
export type State = { readonly [key: string]: Json }

declare const stageMark: unique symbol

/** A group of fields of a state, of which a patch holds only those that change. @see {@link stage} */
export type Stage<Fields> = Fields & { readonly [stageMark]?: never }

/** What a patch gives to a field: a whole value, or some fields of a stage. */
export type Given<T> = typeof stageMark extends keyof T ? Partial<T> : T

/** The initial value of one field of the state and its reducer. */
export interface Channel<T extends Json> {
  readonly initial: T
  /** The new value from the current and the given one. */
  reduce(current: T, given: Given<T>): T
  /** The channels of a stage's fields. */
  readonly fields?: StageChannels
}

/** The channels of a stage, by field. */
export type StageChannels = { readonly [field: string]: Channel<Json> }

/** A field whose value is replaced. */
export function replace<T extends Json>(initial: T): Channel<T> {
  return { initial, reduce: (_current, given) => given as T }
}

/** A list field to which values are appended. */
export function append<T extends Json>(): Channel<readonly T[]> {
  return { initial: [], reduce: (current, given) => [...current, ...given] }
}

/** A number field to which values are added. */
export function sum(): Channel<number> {
  return { initial: 0, reduce: (current, given) => current + given }
}

/** A stage: each of its fields has a channel of its own. */
export function stage<Fields extends State>(channels: Channels<Fields>): Channel<Stage<Fields>> {
  return {
    initial: initialState<Fields>(channels, {}),
    reduce: (current, given) => applyPatch<Fields>(channels, current, given as Patch<Fields>),
    fields: channels as unknown as StageChannels,
  }
}

/** The channels of a state, by field. */
export type Channels<S extends State> = { readonly [K in keyof S]: Channel<S[K]> }

/** What a node returns: the fields that it changes. */
export type Patch<S extends State> = { readonly [K in keyof S]?: Given<S[K]> }

/** One unit of work: reads the state, does steps through the context, returns a patch. */
export type Node<S extends State> = (state: S, context: RunContext) => Promise<Patch<S>>

/** Where the graph ends. */
export const end = '__end__'

/** Branches to run in parallel, each on its own copy of the state with its patch applied; then `join` runs with all results. */
export interface FanOut<S extends State> {
  readonly branches: readonly { readonly node: string; readonly patch: Patch<S> }[]
  readonly join: string
}

/** Where to go after a node: to a fixed node, or to one of the declared targets, depending on the state. */
export type Edge<S extends State> =
  | string
  | {
      readonly targets: readonly string[]
      /** Where to go from the state. */
      route(state: S): string | FanOut<S>
    }

/** The result of one branch of a fan-out. */
export type BranchResult = {
  readonly index: number
  readonly node: string
  readonly patch?: JsonObject
  readonly failure?: JsonObject
}

/** The field in which a fan-in finds its branches' results. */
export type WithBranchResults = { readonly parallel_results: readonly BranchResult[] }

/** A graph as it is declared. */
export interface GraphDeclaration<S extends State> {
  readonly name: string
  readonly channels: Channels<S>
  readonly nodes: Readonly<Record<string, Node<S>>>
  readonly start: string
  readonly edges: Readonly<Record<string, Edge<S>>>
  /** The most node executions (visits). Default 100. */
  readonly maxVisits?: number
  /** Channel of fields that are not declared. Default: such fields are not allowed. */
  readonly otherFields?: Channel<Json>
}

/** A checked graph. */
export type Graph<S extends State> = Required<Omit<GraphDeclaration<S>, 'otherFields'>> &
  Pick<GraphDeclaration<S>, 'otherFields'>

/**
 * Checks a graph declaration.
 * @throws `invalid_graph` when an edge has no such target, or a node has no outgoing edge or cannot be reached
 */
export function defineGraph<S extends State>(declaration: GraphDeclaration<S>): Graph<S> {
  const { name, nodes, edges, start } = declaration
  const isNode = (target: string) => target === end || Object.hasOwn(nodes, target)
  const problems: string[] = []
  if (!Object.hasOwn(nodes, start)) problems.push(`it starts at "${start}", which is not a node`)
  for (const node of Object.keys(nodes)) {
    if (!Object.hasOwn(edges, node)) problems.push(`node "${node}" has no outgoing edge`)
  }
  for (const [from, edge] of Object.entries(edges)) {
    if (!Object.hasOwn(nodes, from))
      problems.push(`an edge starts at "${from}", which is not a node`)
    for (const target of listTargets(edge)) {
      if (!isNode(target))
        problems.push(`the edge from "${from}" leads to "${target}", which is not a node`)
    }
  }
  const reached = reachable(declaration)
  for (const node of Object.keys(nodes))
    if (!reached.has(node)) problems.push(`node "${node}" cannot be reached`)
  if (problems.length > 0) {
    throw new ScholiumError(
      'invalid_graph',
      `The graph "${name}" is not valid: ${problems.join('; ')}.`,
    )
  }
  return { maxVisits: 100, ...declaration }
}

/** The nodes to which an edge can lead. */
export function listTargets<S extends State>(edge: Edge<S>): readonly string[] {
  return typeof edge === 'string' ? [edge] : edge.targets
}

function reachable<S extends State>({ start, edges }: GraphDeclaration<S>): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    const edge = Object.hasOwn(edges, node) ? edges[node] : undefined
    if (edge !== undefined) open.push(...listTargets(edge))
  }
  return reached
}

/** The state before the first node: initial values, overridden by the input. */
export function initialState<S extends State>(channels: Channels<S>, input: Patch<S>): S {
  const fields = Object.entries(channels as Channels<State>).map(([field, channel]) => [
    field,
    channel.initial,
  ])
  return setFields(channels, Object.fromEntries(fields) as S, input)
}

/** The state with some fields set directly, bypassing their reducers. */
export function setFields<S extends State>(channels: Channels<S>, state: S, values: Patch<S>): S {
  const given = Object.entries(values).map(([field, value]) => {
    const { fields } =
      (channels as { readonly [field: string]: Channel<Json> | undefined })[field] ?? {}
    return [
      field,
      fields === undefined ? value : { ...(state[field] as JsonObject), ...(value as JsonObject) },
    ]
  })
  return { ...state, ...Object.fromEntries(given) }
}

/**
 * The state after a patch was applied through the channels.
 * @throws `invalid_graph` for a field that the state does not have, where `otherFields` are not allowed
 */
export function applyPatch<S extends State>(
  channels: Channels<S>,
  state: S,
  patch: Patch<S>,
  otherFields?: Channel<Json>,
): S {
  const next: Record<string, Json> = { ...state }
  for (const [field, given] of Object.entries(patch)) {
    if (given === undefined) continue
    const channel = Object.hasOwn(channels, field)
      ? (channels as Channels<State>)[field]
      : otherFields
    if (channel === undefined) {
      throw new ScholiumError(
        'invalid_graph',
        `A node returned a value for "${field}", which is not a field of the state.`,
      )
    }
    const current = Object.hasOwn(state, field) ? (state[field] as Json) : channel.initial
    next[field] = channel.reduce(current, given as Json)
  }
  return next as S
}
