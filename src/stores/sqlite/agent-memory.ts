import type { DatabaseSync } from 'node:sqlite'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { openDatabase } from './database.ts'
import { primaryCode } from './full-disk.ts'

/** A stored value, as `AgentMemory` of the actions of agent files returns it. */
export type StoredValue = {
  readonly key: string
  readonly value: Json
  readonly metadata: JsonObject
  /** Milliseconds since 1970. */
  readonly storedAtMs: number
  /** When it expires, in milliseconds since 1970; absent: never. */
  readonly expiresAtMs?: number
}

/** A value to store. */
export interface NewValue {
  readonly value: Json
  readonly metadata?: JsonObject
  readonly ttlSeconds?: number
}

const schema = `
  CREATE TABLE IF NOT EXISTS agent_memory (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    metadata TEXT NOT NULL,
    stored_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID`

interface Row {
  readonly key: string
  readonly value: string
  readonly metadata: string
  readonly stored_at_ms: number
  readonly expires_at_ms: number | null
}

/**
 * The memory of agent files in a SQLite file, which is created with its folder on first use. Expired values are deleted at every
 * write. Its methods reject with `store_failed`.
 */
export class SqliteAgentMemory {
  private readonly path: string
  private readonly now: () => number
  private opened: DatabaseSync | undefined

  /** @param now in milliseconds since 1970 */
  constructor(path: string, now: () => number) {
    this.path = path
    this.now = now
  }

  /** The value of a key, or `undefined` if there is none or it has expired. */
  async get(namespace: string, key: string): Promise<StoredValue | undefined> {
    return this.use((db) => {
      const found = db
        .prepare('SELECT * FROM agent_memory WHERE namespace = ? AND key = ?')
        .get(namespace, key) as Row | undefined
      const entry = found === undefined ? undefined : toEntry(found)
      return entry?.expiresAtMs !== undefined && entry.expiresAtMs <= this.now() ? undefined : entry
    })
  }

  /** Stores a value, replacing an existing one. Resolves to whether the key is new. */
  async set(
    namespace: string,
    key: string,
    { value, metadata = {}, ttlSeconds }: NewValue,
  ): Promise<{ readonly isNew: boolean }> {
    return this.use((db) => {
      const nowMs = this.now()
      db.exec('BEGIN IMMEDIATE')
      try {
        db.prepare('DELETE FROM agent_memory WHERE expires_at_ms <= ?').run(nowMs)
        const before = db
          .prepare('SELECT 1 FROM agent_memory WHERE namespace = ? AND key = ?')
          .get(namespace, key)
        const expiresAtMs = ttlSeconds === undefined ? null : Math.round(nowMs + ttlSeconds * 1_000)
        db.prepare('INSERT OR REPLACE INTO agent_memory VALUES (?, ?, ?, ?, ?, ?)').run(
          namespace,
          key,
          JSON.stringify(value),
          JSON.stringify(metadata),
          nowMs,
          expiresAtMs,
        )
        db.exec('COMMIT')
        return { isNew: before === undefined }
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    })
  }

  /** Deletes keys; resolves to those that existed. */
  async delete(namespace: string, keys: readonly string[]): Promise<readonly string[]> {
    return this.use((db) => {
      const statement = db.prepare(
        'DELETE FROM agent_memory WHERE namespace = ? AND key = ? AND (expires_at_ms IS NULL OR expires_at_ms > ?)',
      )
      return keys.filter((key) => Number(statement.run(namespace, key, this.now()).changes) > 0)
    })
  }

  /** All values of a namespace, by key. */
  async list(namespace: string): Promise<readonly StoredValue[]> {
    return this.use((db) => {
      const rows = db
        .prepare(
          'SELECT * FROM agent_memory WHERE namespace = ? AND (expires_at_ms IS NULL OR expires_at_ms > ?) ORDER BY key',
        )
        .all(namespace, this.now()) as unknown as readonly Row[]
      return rows.map(toEntry)
    })
  }

  /** Closes the file; the next call opens it again. */
  async close(): Promise<void> {
    this.opened?.close()
    this.opened = undefined
  }

  private use<Result>(work: (db: DatabaseSync) => Result): Result {
    try {
      this.opened ??= openMemory(this.path)
      return work(this.opened)
    } catch (error) {
      throw this.failure(error)
    }
  }

  private failure(error: unknown): unknown {
    const { code, errcode, message } = error as { code?: string; errcode?: number; message: string }
    if (errcode === undefined && code === undefined) return error
    const sqlite = errcode === undefined ? undefined : primaryCode(errcode, this.path)
    const what = sqlite === 13 ? 'the disk is full' : message
    return new ScholiumError(
      'store_failed',
      `The memory ${this.path} could not be used: ${what}.`,
      {
        retryable: sqlite === 5 || sqlite === 6,
        hint:
          sqlite === 13
            ? 'Free some space, then try again.'
            : 'Check that its folder exists and that you can write to it.',
        cause: error,
        details: { path: this.path },
      },
    )
  }
}

function openMemory(path: string): DatabaseSync {
  const db = openDatabase(path)
  try {
    db.exec(schema)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function toEntry({
  key,
  value,
  metadata,
  stored_at_ms: storedAtMs,
  expires_at_ms: expiresAtMs,
}: Row): StoredValue {
  return {
    key,
    value: JSON.parse(value) as Json,
    metadata: JSON.parse(metadata) as JsonObject,
    storedAtMs,
    ...(expiresAtMs === null ? {} : { expiresAtMs }),
  }
}
