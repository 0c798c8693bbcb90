import { type AgentDocument, endTarget, listTasks } from './agent-document.ts'
import { holdsTemplate } from './check-actions.ts'
import type { DocumentChecks, Report } from './checks.ts'
import { type RouteProblems, startName } from './edge-routes.ts'
import { findPlace, type Located, toPlain } from './located.ts'
import { isMap } from './prune.ts'
import type { OuterDocument, Shape } from './shape.ts'

/** Checks that names are unique and that every referenced node exists. */
export function checkNames({ root, nodes, outer }: Shape, problems: RouteProblems): void {
  checkDuplicates(root, problems)
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
  reportServices(outer, problems)
}

/** An agent's files must be known before it runs. */
function checkSubgraphs(nodes: Shape['nodes'], problems: RouteProblems): void {
  for (const { kind, value, path } of nodes) {
    if (kind !== 'eachSubgraph') continue
    const at = [...path, 'subgraph']
    const says = `subgraph of "${value.name}"`
    if (holdsTemplate(value.subgraph)) {
      problems.add('error', 'NOT_SUPPORTED', at, `${says} is a template`, 'Give the file itself.')
    } else if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value.subgraph)) {
      const message = `${says} is not a local file; only local files are supported`
      problems.add('error', 'NOT_SUPPORTED', at, message, 'Save it next to this file.')
    }
  }
}

function checkDuplicates(root: Located, problems: RouteProblems): void {
  const value = toPlain(root)
  const nodes = isMap(value) && Array.isArray(value.nodes) ? value.nodes : []
  const lines = new Map<string, number>()
  for (const [index, node] of nodes.entries()) {
    const name: unknown = isMap(node) ? node.name : undefined
    if (typeof name !== 'string') continue
    const path = ['nodes', String(index), 'name']
    const first = lines.get(name)
    if (first === undefined) lines.set(name, findPlace(root, path).line)
    else
      problems.add(
        'error',
        'DUPLICATE_NODE',
        path,
        `node "${name}" is already defined on line ${first}`,
      )
    if (name === startName || name === endTarget) {
      problems.add(
        'error',
        'INVALID_TYPE',
        path,
        `"${name}" marks the ${name === endTarget ? 'end' : 'start'} of a run and cannot be the name of a node`,
      )
    }
  }
}

/** A secret written in a file is readable by everyone who can read the file. */
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
    const hint = `Put it in an environment variable and give its name here: \${NAME}.`
    problems.add(
      'warning',
      'SECRET_IN_FILE',
      path,
      `${path.join('.')} contains the secret itself`,
      hint,
    )
  }
}

/** Addresses and keys of services come from whoever runs the file: a file could otherwise send texts anywhere. */
function reportServices({ settings, llm }: OuterDocument, problems: RouteProblems): void {
  for (const [path, given] of [
    [['settings', 'llm'], settings?.llm],
    [['llm'], llm],
  ] as const) {
    for (const key of ['api_base', 'api_key'] as const) {
      if (given?.[key] === undefined) continue
      const message = `${key} of ${path.join('.')} is ignored: connection settings come from whoever runs the file`
      const hint =
        'Set the provider\'s variables, such as OPENAI_API_KEY; "scholium models" lists them.'
      problems.add('warning', 'IGNORED_KEY', [...path, key], message, hint)
    }
  }
}

/** Reports models with a misspelled provider, since the name would stand for another model. */
export function checkModels(
  document: AgentDocument,
  { misnamedProvider, actions }: DocumentChecks,
  report: Report,
): void {
  if (misnamedProvider === undefined) return
  const check = (values: unknown, path: readonly string[]) => {
    if (!isMap(values)) return
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
  const agents = isMap(all.agents) ? all.agents : {}
  for (const [name, agent] of Object.entries(agents)) check(agent, ['settings', 'agents', name])
  for (const task of document.nodes.flatMap(listTasks)) {
    if (task.kind !== 'action') continue
    const { shape = {} } = (actions.get(task.action)?.params ?? {}) as { readonly shape?: object }
    if ('model' in shape) check(task.params, task.paramsPath)
  }
}
