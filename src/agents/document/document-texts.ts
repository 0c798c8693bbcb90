import {
  type AgentDocument,
  type AgentNode,
  type Condition,
  type PlacedTask,
  type Route,
  tasksOf,
} from './agent-document.ts'
import type { SourceKind } from './checks.ts'
import { isMembers } from './prune.ts'

/** A text of a document that is read while it runs. */
export interface DocumentText {
  readonly text: string
  readonly kind: SourceKind
  readonly path: readonly string[]
  /** Names that are known here beside those known everywhere. */
  readonly names: readonly string[]
  /** The parameter it stands in, when it is one of an action. */
  readonly parameter?: { readonly action: string; readonly key: string }
}

const resultNames = ['result', 'action_result']
const branchNames = ['parallel_results']

/** Every template, expression and condition of a document. */
export function textsOf(document: AgentDocument): readonly DocumentText[] {
  const texts = document.nodes.flatMap(nodeTexts)
  return [
    ...texts,
    ...routeTexts(document.start, ['edges'], []),
    ...valueTexts(document.secrets, ['secrets'], []),
    ...valueTexts(document.settings.all, ['settings'], []),
  ]
}

function nodeTexts(node: AgentNode): readonly DocumentText[] {
  const { path } = node
  const names = [...branchNames, ...(node.kind === 'each' ? [node.itemVar, node.indexVar] : [])]
  const own = tasksOf(node).flatMap((task) => taskTexts(task, names))
  // A node that is one task has its own condition and key among those of its tasks.
  const common = own.length > 0 && isTaskNode(node) ? [] : commonTexts(node, names)
  return [
    ...own,
    ...common,
    ...routeTexts(node.route, path, names),
    ...(node.kind === 'while'
      ? conditionTexts(node.loopCondition, [...path, 'condition'], names)
      : []),
    ...(node.kind === 'each' ? valueTexts(node.items, [...path, 'items'], branchNames) : []),
    ...(node.kind === 'each' && node.branch.kind === 'subgraph'
      ? valueTexts(node.branch.input, [...path, 'input'], names)
      : []),
  ]
}

function isTaskNode({ kind }: AgentNode): boolean {
  return kind === 'action' || kind === 'code' || kind === 'expression'
}

function taskTexts(task: PlacedTask, names: readonly string[]): readonly DocumentText[] {
  const { path } = task
  const texts = [...commonTexts(task, names)]
  if (task.kind === 'expression') {
    const source = { text: task.expression, kind: 'expression', names } as const
    return [...texts, { ...source, path: [...path, 'run', 'value'] }]
  }
  if (task.kind === 'action') {
    for (const [key, value] of Object.entries(task.params)) {
      const parameter = { action: task.action, key }
      for (const text of valueTexts(value, [...task.paramsPath, key], names)) {
        texts.push({ ...text, parameter })
      }
    }
  }
  if (task.output.kind !== 'map') return texts
  return [
    ...texts,
    ...valueTexts(task.output.values, [...path, 'output'], [...names, ...resultNames]),
  ]
}

function commonTexts(
  part: Pick<PlacedTask, 'condition' | 'cache' | 'path'>,
  names: readonly string[],
): DocumentText[] {
  return [
    ...conditionTexts(part.condition, [...part.path, 'condition'], names),
    ...valueTexts(part.cache?.key, [...part.path, 'cache', 'key'], names),
  ]
}

function routeTexts(
  route: Route,
  path: readonly string[],
  names: readonly string[],
): readonly DocumentText[] {
  const all = [...names, ...resultNames]
  if (route.kind === 'rules') {
    return route.rules.flatMap(({ condition }) =>
      conditionTexts(condition, condition.path ?? path, all),
    )
  }
  if (route.kind !== 'parallel') return []
  return route.branches.flatMap(({ condition }) =>
    conditionTexts(condition, condition?.path ?? path, all),
  )
}

function conditionTexts(
  condition: Condition | undefined,
  path: readonly string[],
  names: readonly string[],
): readonly DocumentText[] {
  return condition === undefined ? [] : [{ text: condition.text, kind: 'condition', path, names }]
}

function valueTexts(
  value: unknown,
  path: readonly string[],
  names: readonly string[],
): readonly DocumentText[] {
  if (typeof value === 'string') return [{ text: value, kind: 'template', path, names }]
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => valueTexts(item, [...path, String(index)], names))
  }
  if (!isMembers(value)) return []
  return Object.entries(value).flatMap(([key, member]) => valueTexts(member, [...path, key], names))
}
