import type { AgentDocument } from './agent-document.ts'
import { holdsTemplate } from './check-actions.ts'
import type { DocumentChecks, Report } from './checks.ts'
import { tasksOf } from './document-tasks.ts'
import { isMembers } from './prune.ts'

/** Checks that no model is named with a provider that is misspelt: it would stand for another model. */
export function checkModels(
  document: AgentDocument,
  { misnamedProvider, actions }: DocumentChecks,
  report: Report,
): void {
  if (misnamedProvider === undefined) return
  const check = (values: unknown, path: readonly string[]) => {
    if (!isMembers(values)) return
    for (const [key, name] of Object.entries(values)) {
      if (!/(?:^|_)model$/.test(key) || typeof name !== 'string' || holdsTemplate(name)) continue
      const meant = misnamedProvider(name)
      if (meant === undefined) continue
      const message = `the model "${name}" has an unknown provider`
      const hint = `Did you mean ${meant}${name.slice(name.indexOf(':'))}?`
      report({ code: 'INVALID_PARAMS', severity: 'error', message, hint, path: [...path, key] })
    }
  }
  const { all } = document.settings
  check(all.llm, ['settings', 'llm'])
  const agents = isMembers(all.agents) ? all.agents : {}
  for (const [name, agent] of Object.entries(agents)) check(agent, ['settings', 'agents', name])
  for (const task of document.nodes.flatMap(tasksOf)) {
    if (task.kind !== 'action') continue
    const { shape = {} } = (actions.get(task.action)?.params ?? {}) as { readonly shape?: object }
    if ('model' in shape) check(task.params, task.paramsPath)
  }
}
