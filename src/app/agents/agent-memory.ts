import type { DatabaseSync } from 'node:sqlite'
import type {
  AgentMemory,
  MemoryAddition,
  MemoryEntry,
} from '../../agents/actions/tools/agent-memory.ts'
import type { AgentCache } from '../../agents/run/agent-parts.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { Clock } from '../../kernel/run/clock.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS entries (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    entry TEXT NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID`

/** The memory of agent files in a SQLite file, created on first use. */
export class FileMemory implements AgentMemory {
  private readonly path: string
  private readonly clock: Clock
  private readonly prepare: () => void
  private opened: Promise<DatabaseSync> | undefined

  /** @param prepare called before the file is opened or created */
  constructor(path: string, clock: Clock, prepare: () => void = () => {}) {
    this.path = path
    this.clock = clock
    this.prepare = prepare
  }

  async get(namespace: string, key: string): Promise<MemoryEntry | undefined> {
    const sql = `SELECT entry FROM entries WHERE namespace = ? AND key = ? AND ${isKept}`
    return this.use((db) => toEntry(db.prepare(sql).get(namespace, key, this.clock.now())))
  }

  async set(
    namespace: string,
    key: string,
    { value, metadata = {}, ttlSeconds }: MemoryAddition,
  ): Promise<{ readonly isNew: boolean }> {
    const isNew = (await this.get(namespace, key)) === undefined
    const storedAtMs = this.clock.now()
    const expiresAtMs = ttlSeconds === undefined ? undefined : storedAtMs + ttlSeconds * 1_000
    const entry: MemoryEntry = {
      key,
      value,
      metadata,
      storedAtMs,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    }
    const sql = 'INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)'
    await this.use((db) => {
      db.prepare('DELETE FROM entries WHERE expires_at <= ?').run(storedAtMs)
      db.prepare(sql).run(namespace, key, JSON.stringify(entry), expiresAtMs ?? null)
    })
    return { isNew }
  }

  async delete(namespace: string, keys: readonly string[]): Promise<readonly string[]> {
    const removed: string[] = []
    for (const key of keys) {
      if ((await this.get(namespace, key)) === undefined) continue
      removed.push(key)
      const sql = 'DELETE FROM entries WHERE namespace = ? AND key = ?'
      await this.use((db) => db.prepare(sql).run(namespace, key))
    }
    return removed
  }

  async list(namespace: string): Promise<readonly MemoryEntry[]> {
    const sql = `SELECT entry FROM entries WHERE namespace = ? AND ${isKept} ORDER BY key`
    return this.use((db) =>
      db.prepare(sql).all(namespace, this.clock.now()).map(toEntry),
    ) as Promise<readonly MemoryEntry[]>
  }

  async close(): Promise<void> {
    const db = await this.opened?.catch(() => undefined)
    db?.close()
  }

  private async use<T>(work: (db: DatabaseSync) => T): Promise<T> {
    try {
      this.opened ??= this.open()
      return work(await this.opened)
    } catch (cause) {
      const text = `The memory of agent files ${this.path} could not be used: ${(cause as Error).message}.`
      throw new ScholiumError('store_failed', text, {
        hint: 'Check that its folder is writable and its disk has free space.',
        cause,
      })
    }
  }

  private async open(): Promise<DatabaseSync> {
    const { openDatabase } = await import('../../stores/sqlite/database.ts')
    this.prepare()
    const db = openDatabase(this.path)
    db.exec(schema)
    return db
  }
}

const isKept = '(expires_at IS NULL OR expires_at > ?)'

function toEntry(row: Readonly<Record<string, unknown>> | undefined): MemoryEntry | undefined {
  return row === undefined ? undefined : (JSON.parse(String(row.entry)) as MemoryEntry)
}

/** No file can name it, so cached results are separate from what actions store. */
export const cacheNamespace = '\u0000cache'

/** The cache for results of nodes with `cache`. */
export function createAgentCache(memory: AgentMemory): AgentCache {
  return {
    get: async (key): Promise<Json | undefined> => (await memory.get(cacheNamespace, key))?.value,
    async set(key, value, ttlSeconds) {
      const ttl = ttlSeconds === undefined ? {} : { ttlSeconds }
      await memory.set(cacheNamespace, key, { value, ...ttl })
    },
  }
}
