import type * as z from 'zod'
import { nearest } from '../../kernel/text/nearest.ts'
import { type AgentDocument, dottedName, tasksOf } from './agent-document.ts'
import type { DocumentChecks, KnownAction, Report } from './checks.ts'
import { isMembers, type Members } from './prune.ts'

/** Checks every action by name and its parameters as far as they are no templates. */
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
    for (const task of tasksOf(node)) {
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
  const meant = nearest(name, [...actions.keys()])
  if (isOff) {
    const message = `${owner} uses ${name}, which this file switches off with features.${action.needs}`
    report({ ...problem, message, hint: `Remove ${action.needs}: false.` })
  } else if (need !== undefined) {
    report({
      ...problem,
      message: `${owner} uses ${name}, which is not supported: it would need ${need}`,
    })
  } else {
    const hint = meant === undefined ? familyHint(name, actions) : `Did you mean ${meant}?`
    report({ ...problem, message: `${owner} uses ${name}, which is no action`, hint })
  }
  return undefined
}

function familyHint(name: string, actions: DocumentChecks['actions']): string {
  const family = `${name.split('.')[0]}.`
  const near = [...actions.keys()].filter((known) => known.startsWith(family))
  const shown = near.length > 0 ? near : [...actions.keys()]
  return `There are: ${shown.slice(0, 12).join(', ')}${shown.length > 12 ? ', …' : ''}.`
}

/** A value is judged only where it stands in the file: what a template gives is known when the agent runs. */
function checkParams(
  action: KnownAction,
  params: Members,
  path: readonly string[],
  owner: string,
  report: Report,
): void {
  tellUnused(action, params, path, owner, report)
  const parsed = action.params.safeParse(params, { reportInput: true })
  if (parsed.success) return
  for (const issue of parsed.error.issues) {
    const inside = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const message = `${action.name} of ${owner} has no parameter "${[...inside, key].join('.')}"`
        const known = inside.length === 0 ? keysOf(action) : []
        const meant = nearest(key, known)
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
    } else if (!holdsTemplate(valueAt(params, inside)) && !countsAsAbsent(action, params, inside)) {
      const isMissing = valueAt(params, inside) === undefined
      const says = isMissing ? 'is missing' : `is not valid: ${issue.message}`
      const named = inside.length === 0 ? 'its parameters' : `"${inside.join('.')}"`
      const message = `${action.name} of ${owner}: ${named} ${says}`
      report({ code: 'INVALID_PARAMS', severity: 'error', message, path: [...path, ...inside] })
    }
  }
}

/** Whether an optional parameter was left empty, as in `headers:` with nothing after it. */
function countsAsAbsent(
  { params: schema }: KnownAction,
  params: Members,
  [key = '', ...inner]: readonly string[],
): boolean {
  const { shape = {} } = schema as { readonly shape?: Readonly<Record<string, z.ZodType>> }
  const isEmpty = inner.length === 0 && params[key] === null
  return isEmpty && Object.hasOwn(shape, key) && shape[key]?.safeParse(undefined).success === true
}

/** Parameters of the format that mean nothing here. */
function tellUnused(
  { name, params: schema }: KnownAction,
  params: Members,
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

function keysOf({ params }: KnownAction): readonly string[] {
  const { shape } = params as { readonly shape?: Readonly<Record<string, unknown>> }
  return shape === undefined ? [] : Object.keys(shape)
}

function valueAt(params: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)]
    // A template in the place of a map: what would be in it is not known.
    return isMembers(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }, params)
}

/** Whether a text with a template stands in a value. */
export function holdsTemplate(value: unknown): boolean {
  if (typeof value === 'string') return /\{\{|\{%|\$\{/.test(value)
  if (Array.isArray(value)) return value.some(holdsTemplate)
  return isMembers(value) && Object.values(value).some(holdsTemplate)
}

/** Actions that are given to an action, as in `{uses: llm.call, with: {…}}`, are known too. */
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
  if (!isMembers(value)) return
  const name = value.uses ?? value.action
  const isCall = isMembers(value.with) || isMembers(value.params)
  if (isCall && typeof name === 'string' && !holdsTemplate(name)) {
    knownAction(dottedName(name), path, owner, document, checks, report)
  }
  for (const [key, member] of Object.entries(value)) {
    checkInner(member, [...path, key], owner, document, checks, report)
  }
}
