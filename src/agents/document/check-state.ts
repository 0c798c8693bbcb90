import { findNearest } from '../../kernel/text/nearest.ts'
import {
  type AgentDocument,
  type AgentNode,
  type LocatedTask,
  listTasks,
} from './agent-document.ts'
import type { DocumentChecks, Report } from './checks.ts'
import type { DocumentText } from './document-texts.ts'
import { isMap } from './prune.ts'

/** Warns about state keys that are never read or never set. Says nothing if that is unknown. */
export function checkStateKeys(
  document: AgentDocument,
  texts: readonly DocumentText[],
  { templates }: DocumentChecks,
  report: Report,
): void {
  const { stateSchema, initialState, inputSchema, nodes } = document
  const keys = findStateKeys(nodes)
  const inTexts = texts.map(({ text, kind, path }) => ({
    path,
    ...templates.findNames(text, kind),
  }))
  for (const { stateKeys, readsWholeState } of inTexts) {
    for (const key of stateKeys) keys.read.add(key)
    if (readsWholeState) keys.readsAll = true
  }
  const says = (key: string, path: readonly string[], message: string, hint: string) =>
    report({
      code: 'DEAD_STATE_KEY',
      severity: 'warning',
      message: `state key "${key}" ${message}`,
      hint,
      path,
    })
  const input = isMap(inputSchema?.properties) ? Object.keys(inputSchema.properties) : []
  const declared = new Set([...Object.keys(stateSchema), ...Object.keys(initialState), ...input])
  if (!keys.readsAll) {
    for (const key of Object.keys(initialState)) {
      if (keys.read.has(key)) continue
      says(key, ['initial_state', key], 'is set but never read', 'Remove it.')
    }
    for (const key of Object.keys(stateSchema)) {
      if (keys.read.has(key) || keys.written.has(key) || keys.writesAny) continue
      if (Object.hasOwn(initialState, key)) continue
      says(key, ['state_schema', key], 'is neither read nor written', 'Remove it.')
    }
  }
  const isOpen = Object.keys(stateSchema).length === 0 && inputSchema === undefined
  if (isOpen || keys.writesAny) return
  for (const { stateKeys, path } of inTexts) {
    for (const key of stateKeys) {
      if (declared.has(key) || keys.written.has(key) || key.startsWith('_')) continue
      const meant = findNearest(key, [...declared, ...keys.written])
      const hint =
        meant === undefined ? 'Add it to state_schema if it is input.' : `Did you mean "${meant}"?`
      says(key, path, 'is read here but never set', hint)
    }
  }
}

/** State keys that are set or read, as far as that can be seen without running anything. */
interface StateKeys {
  readonly read: Set<string>
  readonly written: Set<string>
  /** Whether something reads the whole state. */
  readsAll: boolean
  /** Whether something may write unknown keys. */
  writesAny: boolean
}

/** How a document's nodes use the state, not counting their templates and conditions. */
function findStateKeys(nodes: readonly AgentNode[]): StateKeys {
  const keys: StateKeys = {
    read: new Set(),
    written: new Set(['parallel_results', 'result']),
    readsAll: false,
    writesAny: false,
  }
  for (const node of nodes) {
    for (const task of listTasks(node)) addTask(task, keys)
    if (node.kind !== 'each') continue
    for (const key of [node.output, node.itemVar, node.indexVar]) {
      if (key !== undefined) keys.written.add(key)
    }
    // A branch in another file returns what that file says.
    if (node.branch.kind === 'subgraph') keys.writesAny = true
  }
  return keys
}

function addTask(task: LocatedTask, keys: StateKeys): void {
  if (task.kind === 'expression') {
    keys.written.add(task.outputKey)
    return
  }
  const { output } = task
  if (output.kind === 'key') keys.written.add(output.key)
  if (output.kind === 'map') for (const key of Object.keys(output.values)) keys.written.add(key)
  if (task.kind === 'code') addCode(task.code, task.language, output.kind === 'merge', keys)
  else if (task.action === 'state.set') {
    for (const key of Object.keys(task.params)) keys.written.add(key)
  } else if (output.kind === 'merge') keys.writesAny = true
}

const readKey = /\bstate\s*(?:\.get\s*\(\s*|\[\s*|\(\s*)["']?(\w+)|\bstate\.(\w+)/g
const wholeState = /\bstate\b(?!\s*[.[(])/
/** `"key": value`, `key = value`, `return(key, Value)` and the `a` of `{a, b}`. */
const writtenKey = /["']?\b(\w+)["']?\s*[:=](?!=)|\breturn\(\s*(\w+)|[{,]\s*(\w+)\s*(?=[,}])/g
const opaqueReturn = /\breturn\s+(?!\{|None\b|null\b|nil\b)\S/

/**
 * Code is scanned for words: anything that could be a key counts as one, so that no key is wrongly reported as unused.
 */
function addCode(code: string, language: string, isMerged: boolean, keys: StateKeys): void {
  for (const [, quoted, member] of code.matchAll(readKey)) {
    const key = quoted ?? member
    if (key !== undefined) keys.read.add(key)
  }
  if (wholeState.test(code)) keys.readsAll = true
  if (!isMerged) return
  for (const [, assigned, returned, short] of code.matchAll(writtenKey)) {
    const key = assigned ?? returned ?? short
    if (key !== undefined) keys.written.add(key)
  }
  if (language === 'prolog' || opaqueReturn.test(code)) keys.writesAny = true
}

/** Names that every text of a file can read. */
const knownNames = [
  'state',
  'variables',
  'secrets',
  'settings',
  'data',
  'env',
  'checkpoint',
  'input',
]

/** Checks that templates, expressions and conditions can be parsed, and that their names are known. */
export function checkTexts(
  document: AgentDocument,
  texts: readonly DocumentText[],
  { templates, actions }: DocumentChecks,
  report: Report,
): void {
  const stateNames = Object.keys({ ...document.stateSchema, ...document.initialState })
  for (const { text, kind, path, names, parameter } of texts) {
    const [problem] = templates.findProblems(text, kind)
    if (problem !== undefined) {
      const code = kind === 'condition' ? 'INVALID_CONDITION' : 'INVALID_TEMPLATE'
      const inText = text.includes('\n') ? ` (line ${problem.line} of the text)` : ''
      const hint = problem.hint === undefined ? {} : { hint: problem.hint }
      report({ code, severity: 'error', message: `${problem.message}${inText}`, path, ...hint })
      continue
    }
    const late = parameter === undefined ? [] : (actions.get(parameter.action)?.lateParams ?? [])
    if (parameter !== undefined && late.includes(parameter.key)) continue
    const known = [...knownNames, ...names]
    for (const name of templates.findNames(text, kind).roots) {
      if (known.includes(name)) continue
      const isState = stateNames.includes(name)
      const meant = isState ? `state.${name}` : findNearest(name, known)
      const message = `"${name}" is not a known name here and reads as missing`
      const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${meant}?`
      const code = kind === 'condition' ? 'INVALID_CONDITION' : 'INVALID_TEMPLATE'
      report({ code, severity: 'warning', message, hint, path })
    }
  }
}
