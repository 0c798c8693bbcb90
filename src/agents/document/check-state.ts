import { nearest } from '../../kernel/text/nearest.ts'
import type { AgentDocument } from './agent-document.ts'
import type { DocumentChecks, Report } from './checks.ts'
import type { DocumentText } from './document-texts.ts'
import { isMembers } from './prune.ts'
import { stateKeysOf } from './state-keys.ts'

/** Warns of keys of the state that nobody reads or that nobody gives a value. Where it cannot be told, nothing is said. */
export function checkStateKeys(
  document: AgentDocument,
  texts: readonly DocumentText[],
  { templates }: DocumentChecks,
  report: Report,
): void {
  const { stateSchema, initialState, inputSchema, nodes } = document
  const keys = stateKeysOf(nodes)
  const inTexts = texts.map(({ text, kind, path }) => ({ path, ...templates.namesOf(text, kind) }))
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
  const input = isMembers(inputSchema?.properties) ? Object.keys(inputSchema.properties) : []
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
      const meant = nearest(key, [...declared, ...keys.written])
      const hint =
        meant === undefined ? 'Add it to state_schema if it is input.' : `Did you mean "${meant}"?`
      says(key, path, 'is read here but never set', hint)
    }
  }
}
