import {
  type AgentDocument,
  type AgentNode,
  type Condition,
  type LocatedTask,
  listTasks,
  type Route,
} from './agent-document.ts'
import type { SourceKind } from './checks.ts'
import { isMap } from './prune.ts'

/** A text of a document that is evaluated at run time. */
export interface DocumentText {
  readonly text: string
  readonly kind: SourceKind
  readonly path: readonly string[]
  /** Names known here, in addition to those known everywhere. */
  readonly names: readonly string[]
  /** The action's parameter that contains it, if any. */
  readonly parameter?: { readonly action: string; readonly key: string }
}

const resultNames = ['result', 'action_result']
const branchNames = ['parallel_results']

/** Every template, expression and condition of a document. */
export function listTexts(document: AgentDocument): readonly DocumentText[] {
  const texts = document.nodes.flatMap(listNodeTexts)
  return [
    ...texts,
    ...listRouteTexts(document.start, ['edges'], []),
    ...listValueTexts(document.secrets, ['secrets'], []),
    ...listValueTexts(document.settings.all, ['settings'], []),
  ]
}

function listNodeTexts(node: AgentNode): readonly DocumentText[] {
  const { path } = node
  const names = [...branchNames, ...(node.kind === 'each' ? [node.itemVar, node.indexVar] : [])]
  const own = listTasks(node).flatMap((task) => listTaskTexts(task, names))
  // A node that is a single task has its own condition and cache key among its task's texts.
  const common = own.length > 0 && isTaskNode(node) ? [] : listCommonTexts(node, names)
  return [
    ...own,
    ...common,
    ...listRouteTexts(node.route, path, names),
    ...(node.kind === 'while'
      ? listConditionTexts(node.loopCondition, [...path, 'condition'], names)
      : []),
    ...(node.kind === 'each' ? listValueTexts(node.items, [...path, 'items'], branchNames) : []),
    ...(node.kind === 'each' && node.branch.kind === 'subgraph'
      ? listValueTexts(node.branch.input, [...path, 'input'], names)
      : []),
  ]
}

function isTaskNode({ kind }: AgentNode): boolean {
  return kind === 'action' || kind === 'code' || kind === 'expression'
}

function listTaskTexts(task: LocatedTask, names: readonly string[]): readonly DocumentText[] {
  const { path } = task
  const texts = [...listCommonTexts(task, names)]
  if (task.kind === 'expression') {
    const source = { text: task.expression, kind: 'expression', names } as const
    return [...texts, { ...source, path: [...path, 'run', 'value'] }]
  }
  if (task.kind === 'action') {
    for (const [key, value] of Object.entries(task.params)) {
      const parameter = { action: task.action, key }
      for (const text of listValueTexts(value, [...task.paramsPath, key], names)) {
        texts.push({ ...text, parameter })
      }
    }
  }
  if (task.output.kind !== 'map') return texts
  return [
    ...texts,
    ...listValueTexts(task.output.values, [...path, 'output'], [...names, ...resultNames]),
  ]
}

function listCommonTexts(
  part: Pick<LocatedTask, 'condition' | 'cache' | 'path'>,
  names: readonly string[],
): DocumentText[] {
  return [
    ...listConditionTexts(part.condition, [...part.path, 'condition'], names),
    ...listValueTexts(part.cache?.key, [...part.path, 'cache', 'key'], names),
  ]
}

function listRouteTexts(
  route: Route,
  path: readonly string[],
  names: readonly string[],
): readonly DocumentText[] {
  const all = [...names, ...resultNames]
  if (route.kind === 'rules') {
    return route.rules.flatMap(({ condition }) =>
      listConditionTexts(condition, condition.path ?? path, all),
    )
  }
  if (route.kind !== 'parallel') return []
  return route.branches.flatMap(({ condition }) =>
    listConditionTexts(condition, condition?.path ?? path, all),
  )
}

function listConditionTexts(
  condition: Condition | undefined,
  path: readonly string[],
  names: readonly string[],
): readonly DocumentText[] {
  return condition === undefined ? [] : [{ text: condition.text, kind: 'condition', path, names }]
}

function listValueTexts(
  value: unknown,
  path: readonly string[],
  names: readonly string[],
): readonly DocumentText[] {
  if (typeof value === 'string') return [{ text: value, kind: 'template', path, names }]
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => listValueTexts(item, [...path, String(index)], names))
  }
  if (!isMap(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    listValueTexts(member, [...path, key], names),
  )
}
