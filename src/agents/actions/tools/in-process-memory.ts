import type { AgentMemory, MemoryEntry } from './agent-memory.ts'

/** A memory that lasts as long as the process. @param now in milliseconds since 1970 */
export function createInProcessMemory(now: () => number): AgentMemory {
  const spaces = new Map<string, Map<string, MemoryEntry>>()
  const live = (namespace: string): Map<string, MemoryEntry> => {
    const space = spaces.get(namespace) ?? new Map<string, MemoryEntry>()
    spaces.set(namespace, space)
    for (const { key, expiresAtMs } of space.values())
      if (expiresAtMs !== undefined && expiresAtMs <= now()) space.delete(key)
    return space
  }
  return {
    async get(namespace, key) {
      return structuredClone(live(namespace).get(key))
    },
    async set(namespace, key, { value, metadata = {}, ttlSeconds }) {
      const space = live(namespace)
      const isNew = !space.has(key)
      const storedAtMs = now()
      const expires =
        ttlSeconds === undefined ? {} : { expiresAtMs: storedAtMs + ttlSeconds * 1_000 }
      space.set(key, structuredClone({ key, value, metadata, storedAtMs, ...expires }))
      return { isNew }
    },
    async delete(namespace, keys) {
      const space = live(namespace)
      return keys.filter((key) => space.delete(key))
    },
    async list(namespace) {
      const entries = [...live(namespace).values()]
      return structuredClone(entries.sort((one, other) => (one.key < other.key ? -1 : 1)))
    },
  }
}
