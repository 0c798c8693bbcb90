import { type AgentDocument, type AgentNode, endTarget, listSteps } from './agent-document.ts'
import type { Report } from './checks.ts'
import { isMap } from './prune.ts'
import { listTargets } from './routes.ts'

/** The nodes reachable from the start, including `__end__` if a run can end. */
export function findReachable(
  start: AgentDocument['start'],
  nodes: readonly Pick<AgentNode, 'name' | 'route' | 'onError'>[],
): ReadonlySet<string> {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const reached = new Set<string>()
  const open = [...listTargets(start)]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    const node = byName.get(name)
    if (node === undefined) continue
    const { fallback } = node.onError
    open.push(...listTargets(node.route), ...(fallback === undefined ? [] : [fallback]))
  }
  return reached
}

/** Checks that every node can be reached and that a run can end; `referenced` are the nodes that any rule names. */
export function checkFlow(
  document: AgentDocument,
  referenced: ReadonlySet<string>,
  report: Report,
): void {
  const { nodes, start } = document
  const inParams = new Set(nodes.flatMap((node) => findNamesInParams(node)))
  for (const node of nodes) {
    const { name, path, isReachable, kind, isFanIn, route } = node
    if (!isReachable && !inParams.has(name)) {
      const code = referenced.has(name) ? 'UNREACHABLE' : 'UNREFERENCED_NODE'
      const why = referenced.has(name) ? 'no path from the start leads to' : 'nothing leads to'
      report({
        code,
        severity: 'warning',
        message: `${why} node "${name}", so it never runs`,
        path,
      })
    }
    const isEmpty = kind === 'steps' && listSteps(node).length === 0
    if (isEmpty && !isFanIn && route.kind === 'to') {
      const message = `node "${name}" does nothing`
      const hint = 'Give it uses, action, run, script or steps.'
      report({ code: 'EMPTY_NODE', severity: 'warning', message, hint, path })
    }
  }
  if (nodes.length > 0 && !findReachable(start, nodes).has(endTarget)) {
    const hint = 'Add an edge or goto that leads to __end__.'
    const message = 'no path leads to the end: a run loops until it has no steps left'
    report({ code: 'NO_END', severity: 'error', message, hint, path: ['nodes'] })
  }
}

/** Texts among a node's parameters, since an action may call a node by name. */
function findNamesInParams(node: AgentNode): readonly string[] {
  return node.kind === 'action' ? collectTexts(node.params) : []
}

function collectTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(collectTexts)
  return isMap(value) ? Object.values(value).flatMap(collectTexts) : []
}
