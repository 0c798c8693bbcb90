import type * as z from 'zod'
import { findNearest } from '../../kernel/text/nearest.ts'
import { type AgentDocument, listTasks, toDottedName } from './agent-document.ts'
import type { DocumentChecks, KnownAction, Report } from './checks.ts'
import { isMap, type PlainMap } from './prune.ts'

/** Checks the name of every action, and its parameters as far as they are not templates. */
export function checkActions(
  document: AgentDocument,
  checks: DocumentChecks,
  report: Report,
): void {
  const { extractionSchema: schema } = document
  const extraction = checks.actions.get('validate.extraction')
  if (schema !== undefined && extraction !== undefined)
    checkParams(extraction, { extraction_schema: schema }, [], 'the file', report)
  for (const node of document.nodes) {
    for (const task of listTasks(node)) {
      if (task.kind !== 'action') continue
      const owner = `"${task.name}"`
      const found = knownAction(task.action, task.path, owner, document, checks, report)
      if (found === undefined) continue
      checkParams(found, task.params, task.paramsPath, owner, report)
      checkInner(task.params, task.paramsPath, owner, document, checks, report)
    }
  }
}

function knownAction(
  name: string,
  path: readonly string[],
  owner: string,
  { features }: AgentDocument,
  { actions, refused }: DocumentChecks,
  report: Report,
): KnownAction | undefined {
  const action = actions.get(name)
  const isOff = action?.needs !== undefined && features[action.needs] === false
  if (action !== undefined && !isOff) return action
  const problem = { code: 'UNKNOWN_ACTION', severity: 'error', path } as const
  const need = refused.get(name)
  const meant = findNearest(name, [...actions.keys()])
  if (isOff) {
    const message = `${owner} uses ${name}, which this file disables with features.${action.needs}`
    report({ ...problem, message, hint: `Remove ${action.needs}: false.` })
  } else if (need !== undefined) {
    report({
      ...problem,
      message: `${owner} uses ${name}, which is not supported: it would need ${need}`,
    })
  } else {
    const hint = meant === undefined ? suggestFamily(name, actions) : `Did you mean ${meant}?`
    report({ ...problem, message: `${owner} uses ${name}, which is not an action`, hint })
  }
  return undefined
}

function suggestFamily(name: string, actions: DocumentChecks['actions']): string {
  const family = `${name.split('.')[0]}.`
  const near = [...actions.keys()].filter((known) => known.startsWith(family))
  const shown = near.length > 0 ? near : [...actions.keys()]
  return `Available: ${shown.slice(0, 12).join(', ')}${shown.length > 12 ? ', …' : ''}.`
}

/** Only literal values are checked: what a template returns is known at run time. */
function checkParams(
  action: KnownAction,
  params: PlainMap,
  path: readonly string[],
  owner: string,
  report: Report,
): void {
  reportIgnoredParams(action, params, path, owner, report)
  const parsed = action.params.safeParse(params, { reportInput: true })
  if (parsed.success) return
  for (const issue of parsed.error.issues) {
    const inside = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const message = `${action.name} of ${owner} has no parameter "${[...inside, key].join('.')}"`
        const known = inside.length === 0 ? listPaths(action) : []
        const meant = findNearest(key, known)
        const others = known.length === 0 ? {} : { hint: `Parameters: ${known.join(', ')}.` }
        const hint = meant === undefined ? others : { hint: `Did you mean "${meant}"?` }
        report({
          code: 'INVALID_PARAMS',
          severity: 'error',
          message,
          ...hint,
          path: [...path, ...inside, key],
        })
      }
    } else if (
      !holdsTemplate(getValueAt(params, inside)) &&
      !countsAsAbsent(action, params, inside)
    ) {
      const isMissing = getValueAt(params, inside) === undefined
      const says = isMissing ? 'is missing' : `is not valid: ${issue.message}`
      const named = inside.length === 0 ? 'its parameters' : `"${inside.join('.')}"`
      const message = `${action.name} of ${owner}: ${named} ${says}`
      report({ code: 'INVALID_PARAMS', severity: 'error', message, path: [...path, ...inside] })
    }
  }
}

/** Whether an optional parameter was left empty, such as `headers:` with nothing after it. */
function countsAsAbsent(
  { params: schema }: KnownAction,
  params: PlainMap,
  [key = '', ...inner]: readonly string[],
): boolean {
  const { shape = {} } = schema as { readonly shape?: Readonly<Record<string, z.ZodType>> }
  const isEmpty = inner.length === 0 && params[key] === null
  return isEmpty && Object.hasOwn(shape, key) && shape[key]?.safeParse(undefined).success === true
}

/** Reports parameters of the format that have no effect here. */
function reportIgnoredParams(
  { name, params: schema }: KnownAction,
  params: PlainMap,
  path: readonly string[],
  owner: string,
  report: Report,
): void {
  const { shape = {} } = schema as { readonly shape?: Readonly<Record<string, z.ZodType>> }
  for (const key of Object.keys(params)) {
    const unused = Object.hasOwn(shape, key) ? shape[key]?.meta()?.unused : undefined
    if (unused === undefined) continue
    const message = `${name} of ${owner}: "${key}" is ignored: ${unused}`
    report({ code: 'IGNORED_KEY', severity: 'warning', message, path: [...path, key] })
  }
}

function listPaths({ params }: KnownAction): readonly string[] {
  const { shape } = params as { readonly shape?: Readonly<Record<string, unknown>> }
  return shape === undefined ? [] : Object.keys(shape)
}

function getValueAt(params: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)]
    // A template in place of an object: its members are unknown.
    return isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }, params)
}

/** Whether a value contains a text with a template. */
export function holdsTemplate(value: unknown): boolean {
  if (typeof value === 'string') return /\{\{|\{%|\$\{/.test(value)
  if (Array.isArray(value)) return value.some(holdsTemplate)
  return isMap(value) && Object.values(value).some(holdsTemplate)
}

/** Checks actions given to an action as well: `{uses: llm.call, with: {…}}`. */
function checkInner(
  value: unknown,
  path: readonly string[],
  owner: string,
  document: AgentDocument,
  checks: DocumentChecks,
  report: Report,
): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      checkInner(item, [...path, String(index)], owner, document, checks, report)
    }
    return
  }
  if (!isMap(value)) return
  const name = value.uses ?? value.action
  const isCall = isMap(value.with) || isMap(value.params)
  if (isCall && typeof name === 'string' && !holdsTemplate(name)) {
    knownAction(toDottedName(name), path, owner, document, checks, report)
  }
  for (const [key, member] of Object.entries(value)) {
    checkInner(member, [...path, key], owner, document, checks, report)
  }
}
