import type { Json, JsonObject } from '../../../kernel/json.ts'

/** An entry of the memory. */
export type MemoryEntry = {
  readonly key: string
  readonly value: Json
  /** What was stored along with it. */
  readonly metadata: JsonObject
  /** Milliseconds since 1970. */
  readonly storedAtMs: number
  /** When it expires, in milliseconds since 1970; absent: never. */
  readonly expiresAtMs?: number
}

/** What is to be stored. */
export interface MemoryAddition {
  readonly value: Json
  readonly metadata?: JsonObject
  /** Absent: forever. */
  readonly ttlSeconds?: number
}

/**
 * Values by namespace and key that outlast a run. Expired entries do not exist. Storing the same value twice has no
 * further effect.
 */
export interface AgentMemory {
  get(namespace: string, key: string): Promise<MemoryEntry | undefined>
  /** Stores a value, replacing any earlier one; returns whether it is new. `refused`: why it was not stored. */
  set(
    namespace: string,
    key: string,
    addition: MemoryAddition,
  ): Promise<{ readonly isNew: boolean; readonly refused?: string }>
  /** Why a value must not be stored, here or in the library; `undefined` if it may. Absent: everything may. */
  explainRefusal?(given: Json): string | undefined
  /** Deletes keys; returns those that existed. */
  delete(namespace: string, keys: readonly string[]): Promise<readonly string[]>
  /** All entries of a namespace, by key. */
  list(namespace: string): Promise<readonly MemoryEntry[]>
}

/** A memory that lives as long as the process. @param now in milliseconds since 1970 */
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
