import type { Json, JsonObject } from '../../kernel/json.ts'
import type { AgentDocument } from '../document/agent-document.ts'
import { environmentNamesOf } from '../templates/environment.ts'

/** `env.NAME`, `env["NAME"]` and `env.get("NAME")` in a template. */
const inTemplate = /\benv(?:\.get\(\s*["']|\.|\[\s*["'])([A-Za-z_]\w*)/g

/** The variables of the environment that a file names, in the order in which they stand there. Code reads none. */
export function environmentReadBy(document: AgentDocument): readonly string[] {
  const { description: _said, ...read } = document
  const names = textsIn(read as unknown as Json).flatMap((text) => [
    ...environmentNamesOf(text).map(({ name }) => name),
    ...[...text.matchAll(inTemplate)].map(([, name]) => name as string),
  ])
  return [...new Set(names)].filter((name) => name !== 'get')
}

/** All texts of a value but those that are code. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value as JsonObject).flatMap(([key, member]) =>
    key === 'code' || key === 'run' ? [] : textsIn(member ?? null),
  )
}
