import type { AgentMemory, MemoryEntry } from '../../agents/actions/tools/agent-memory.ts'
import { cacheNamespace as actionCacheNamespace } from '../../agents/actions/tools/cache-actions.ts'
import type { Json } from '../../kernel/json.ts'
import { redactSecrets } from '../../kernel/run/secrets.ts'
import { cacheNamespace } from './agent-memory.ts'

/** Whose part of a memory it is. */
export interface MemoryScope {
  /** Of values and kept results: files of another scope see none of them. */
  readonly memory: string
  /** Of collections: files that work elsewhere see none of them. */
  readonly workspace: string
  /** The conditions of cached results, in addition to `memory`: other conditions have other results. */
  readonly conditions: string
  /** Values that are not kept. */
  readonly secrets: readonly string[]
}

/** A part of a memory, in which no secret is kept. */
export function scopedMemory(
  memory: AgentMemory,
  { memory: own, workspace, conditions, secrets }: MemoryScope,
): AgentMemory {
  const spaceOf = (namespace: string) => {
    if (namespace.startsWith('collection:')) return `${workspace}\n${namespace}`
    const isResults = namespace === cacheNamespace || namespace === actionCacheNamespace
    return `${own}\n${namespace}${isResults ? `\n${conditions}` : ''}`
  }
  const explainRefusal = (given: Json) =>
    JSON.stringify(redactSecrets(given, secrets)) === JSON.stringify(given)
      ? undefined
      : 'It contains the value of a secret, which is never stored.'
  return {
    explainRefusal,
    get: (namespace, key): Promise<MemoryEntry | undefined> => memory.get(spaceOf(namespace), key),
    async set(namespace, key, addition) {
      const { value, metadata = {} } = addition
      const refused = explainRefusal({ key, value, metadata })
      if (refused !== undefined) return { isNew: false, refused }
      return memory.set(spaceOf(namespace), key, addition)
    },
    delete: (namespace, keys) => memory.delete(spaceOf(namespace), keys),
    list: (namespace) => memory.list(spaceOf(namespace)),
  }
}
