import type { Json, JsonObject } from '../../../kernel/json.ts'

/** Something that a memory keeps. */
export type MemoryEntry = {
  readonly key: string
  readonly value: Json
  /** What whoever stored it says about it. */
  readonly metadata: JsonObject
  /** Milliseconds since 1970. */
  readonly storedAtMs: number
  /** When it is forgotten, in milliseconds since 1970; absent: never. */
  readonly expiresAtMs?: number
}

/** What is to be kept. */
export interface MemoryAddition {
  readonly value: Json
  readonly metadata?: JsonObject
  /** For how long. Absent: for ever. */
  readonly ttlSeconds?: number
}

/**
 * Values by namespace and key that outlast a run. What is too old is as good as gone. Storing the same twice is the same as storing
 * it once.
 */
export interface AgentMemory {
  get(namespace: string, key: string): Promise<MemoryEntry | undefined>
  /** Keeps a value in place of the one that is there; whether there was none. `refused`: why it was not kept. */
  set(
    namespace: string,
    key: string,
    addition: MemoryAddition,
  ): Promise<{ readonly isNew: boolean; readonly refused?: string }>
  /** Why something must not be kept, here or in the library; `undefined` when it may. Absent: all may. */
  refusalOf?(given: Json): string | undefined
  /** Forgets keys; those that were there. */
  delete(namespace: string, keys: readonly string[]): Promise<readonly string[]>
  /** All of a namespace, by key. */
  list(namespace: string): Promise<readonly MemoryEntry[]>
}

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
