import type { AgentNode } from './agent-document.ts'
import { type PlacedTask, tasksOf } from './document-tasks.ts'

/** The keys of the state that are given a value or read, as far as can be seen without running anything. */
export interface StateKeys {
  readonly read: Set<string>
  readonly written: Set<string>
  /** Whether something reads the state as a whole. */
  readsAll: boolean
  /** Whether something may write keys that cannot be seen. */
  writesAny: boolean
}

/** What the nodes of a document do with the state; what their templates and conditions read is not in it. */
export function stateKeysOf(nodes: readonly AgentNode[]): StateKeys {
  const keys: StateKeys = {
    read: new Set(),
    written: new Set(['parallel_results', 'result']),
    readsAll: false,
    writesAny: false,
  }
  for (const node of nodes) {
    for (const task of tasksOf(node)) addTask(task, keys)
    if (node.kind !== 'each') continue
    for (const key of [node.output, node.itemVar, node.indexVar]) {
      if (key !== undefined) keys.written.add(key)
    }
    // A branch that is a file of its own gives back what that file says.
    if (node.branch.kind === 'subgraph') keys.writesAny = true
  }
  return keys
}

function addTask(task: PlacedTask, keys: StateKeys): void {
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

/** Code is looked at by its words: what could be a key counts as one, so that no key is called dead by mistake. */
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
