import { type AgentDocument, endTarget, tasksOf } from './agent-document.ts'
import { holdsTemplate } from './check-actions.ts'
import type { DocumentChecks, Report } from './checks.ts'
import { type RouteProblems, startName } from './edge-routes.ts'
import { type Located, placeOf, plainOf } from './located.ts'
import { isMembers } from './prune.ts'
import type { OuterDocument, Shape } from './shape.ts'

/** Checks that names are given once, and that every node that a file speaks of is there. */
export function checkNames({ root, nodes, outer }: Shape, problems: RouteProblems): void {
  checkDoubles(root, problems)
  for (const { value, path } of nodes) {
    const rule = value.on_error?.fallback
    const checks = [
      [rule, [...path, 'on_error', 'fallback']],
      [value.fallback, [...path, 'fallback']],
    ] as const
    for (const [name, at] of checks) {
      if (name === undefined || name === endTarget) continue
      problems.checkTarget(name, 'FALLBACK_UNDEFINED', at, `"${value.name}" falls back on`)
    }
  }
  checkSubgraphs(nodes, problems)
  if (outer === undefined) return
  for (const key of ['interrupt_before', 'interrupt_after'] as const) {
    for (const [index, name] of (outer.config?.[key] ?? []).entries()) {
      const at = ['config', key, String(index)]
      problems.checkTarget(name, 'INTERRUPT_UNDEFINED', at, `${key} names`)
    }
  }
  checkSecrets(outer, problems)
  tellServices(outer, problems)
}

/** Which files an agent is made of must be known before it runs. */
function checkSubgraphs(nodes: Shape['nodes'], problems: RouteProblems): void {
  for (const { kind, value, path } of nodes) {
    if (kind !== 'eachSubgraph') continue
    const at = [...path, 'subgraph']
    const says = `subgraph of "${value.name}"`
    if (holdsTemplate(value.subgraph)) {
      problems.add('error', 'NOT_SUPPORTED', at, `${says} is a template`, 'Name the file itself.')
    } else if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value.subgraph)) {
      const message = `${says} is no file of this machine, and others are not supported`
      problems.add('error', 'NOT_SUPPORTED', at, message, 'Save it beside this file.')
    }
  }
}

function checkDoubles(root: Located, problems: RouteProblems): void {
  const value = plainOf(root)
  const nodes = isMembers(value) && Array.isArray(value.nodes) ? value.nodes : []
  const lines = new Map<string, number>()
  for (const [index, node] of nodes.entries()) {
    const name: unknown = isMembers(node) ? node.name : undefined
    if (typeof name !== 'string') continue
    const path = ['nodes', String(index), 'name']
    const first = lines.get(name)
    if (first === undefined) lines.set(name, placeOf(root, path).line)
    else
      problems.add(
        'error',
        'DUPLICATE_NODE',
        path,
        `a node "${name}" is there already, in line ${first}`,
      )
    if (name === startName || name === endTarget) {
      problems.add(
        'error',
        'INVALID_TYPE',
        path,
        `"${name}" stands for the ${name === endTarget ? 'end' : 'start'} of a run and can be no node`,
      )
    }
  }
}

/** A secret in a file is read by everyone who reads the file. */
function checkSecrets({ secrets, settings, llm }: OuterDocument, problems: RouteProblems): void {
  const given: (readonly [readonly string[], unknown])[] = [
    [['settings', 'llm', 'api_key'], settings?.llm?.api_key],
    [['llm', 'api_key'], llm?.api_key],
  ]
  if (secrets !== undefined && !Array.isArray(secrets)) {
    for (const [name, value] of Object.entries(secrets)) given.push([['secrets', name], value])
  }
  for (const [path, value] of given) {
    if (value === undefined || holdsTemplate(value)) continue
    const hint = `Put it into an environment variable, and that one's name here: \${NAME}.`
    problems.add(
      'warning',
      'SECRET_IN_FILE',
      path,
      `${path.join('.')} holds the secret itself`,
      hint,
    )
  }
}

/** Where a service is and with which key it is asked, whoever runs the file says: a file could send texts anywhere. */
function tellServices({ settings, llm }: OuterDocument, problems: RouteProblems): void {
  for (const [path, given] of [
    [['settings', 'llm'], settings?.llm],
    [['llm'], llm],
  ] as const) {
    for (const key of ['api_base', 'api_key'] as const) {
      if (given?.[key] === undefined) continue
      const message = `${key} of ${path.join('.')} is ignored: whoever runs the file says how a service is reached`
      const hint =
        'Set the variables of the provider, such as OPENAI_API_KEY; "scholium models" lists them.'
      problems.add('warning', 'IGNORED_KEY', [...path, key], message, hint)
    }
  }
}

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
      const message = `the model "${name}" is of no provider that there is`
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
