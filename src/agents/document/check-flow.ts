import { type AgentDocument, type AgentNode, endTarget, stepsIn } from './agent-document.ts'
import type { Report } from './checks.ts'
import { isMembers } from './prune.ts'
import { targetsOf } from './routes.ts'

/** The nodes that some way leads to from the start; `__end__` among them when a run can end. */
export function reachedFrom(
  start: AgentDocument['start'],
  nodes: readonly Pick<AgentNode, 'name' | 'route' | 'onError'>[],
): ReadonlySet<string> {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const reached = new Set<string>()
  const open = [...targetsOf(start)]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    const node = byName.get(name)
    if (node === undefined) continue
    const { fallback } = node.onError
    open.push(...targetsOf(node.route), ...(fallback === undefined ? [] : [fallback]))
  }
  return reached
}

/** Checks that every node is reached and that a run can end; `referenced` are the nodes that any rule of the file names. */
export function checkFlow(
  document: AgentDocument,
  referenced: ReadonlySet<string>,
  report: Report,
): void {
  const { nodes, start } = document
  const inParams = new Set(nodes.flatMap((node) => namesInParams(node)))
  for (const node of nodes) {
    const { name, path, isReachable, kind, isFanIn, route } = node
    if (!isReachable && !inParams.has(name)) {
      const code = referenced.has(name) ? 'UNREACHABLE' : 'UNREFERENCED_NODE'
      const why = referenced.has(name) ? 'no way from the start leads to' : 'nothing leads to'
      report({ code, severity: 'warning', message: `${why} node "${name}": it never runs`, path })
    }
    const isEmpty = kind === 'steps' && stepsIn(node).length === 0
    if (isEmpty && !isFanIn && route.kind === 'to') {
      const message = `node "${name}" does nothing`
      const hint = 'Give it uses, action, run, script or steps.'
      report({ code: 'EMPTY_NODE', severity: 'warning', message, hint, path })
    }
  }
  if (nodes.length > 0 && !reachedFrom(start, nodes).has(endTarget)) {
    const hint = 'Let some edge or goto lead to __end__.'
    const message = 'no way leads to the end: a run goes round until it has no steps left'
    report({ code: 'NO_END', severity: 'error', message, hint, path: ['nodes'] })
  }
}

/** Texts among the parameters of a node: an action may call a node by its name. */
function namesInParams(node: AgentNode): readonly string[] {
  return node.kind === 'action' ? textsIn(node.params) : []
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isMembers(value) ? Object.values(value).flatMap(textsIn) : []
}
