import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { ScholiumError } from '../../kernel/errors.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS queries (
    run_id TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    vector BLOB NOT NULL
  ) WITHOUT ROWID`

/** A query's vector by the run that was asked it. */
export interface QueryVector {
  readonly runId: string
  readonly vector: Float32Array
}

/** The vectors of runs' queries, in a SQLite file next to the papers, created when the first one is saved. */
export class QueryVectors {
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Those that a model made. */
  of(model: string): Promise<readonly QueryVector[]> {
    const sql = 'SELECT run_id, vector FROM queries WHERE model = ?'
    return this.use([], (db) =>
      db
        .prepare(sql)
        .all(model)
        .map((row) => ({
          runId: String(row.run_id),
          vector: toVector(row.vector as Uint8Array),
        })),
    )
  }

  async put(runId: string, model: string, vector: readonly number[]): Promise<void> {
    const bytes = new Uint8Array(Float32Array.from(vector).buffer)
    const sql = 'INSERT OR REPLACE INTO queries VALUES (?, ?, ?)'
    await this.use(undefined, (db) => void db.prepare(sql).run(runId, model, bytes), true)
  }

  async remove(runIds: readonly string[]): Promise<void> {
    await this.use(undefined, (db) => {
      const statement = db.prepare('DELETE FROM queries WHERE run_id = ?')
      for (const runId of runIds) statement.run(runId)
    })
  }

  /** The result of `work` with the file open; `absent` if the file does not exist and is not to be created. */
  private async use<T>(absent: T, work: (db: DatabaseSync) => T, isMade = false): Promise<T> {
    if (!isMade && !existsSync(this.path)) return absent
    let db: DatabaseSync | undefined
    try {
      const { openDatabase } = await import('../../stores/sqlite/database.ts')
      db = openDatabase(this.path)
      db.exec(schema)
      return work(db)
    } catch (cause) {
      const text = `The vectors of queries ${this.path} could not be used: ${(cause as Error).message}.`
      throw new ScholiumError('store_failed', text, {
        hint: 'Remove the file: it is used only to find similar earlier queries.',
        cause,
      })
    } finally {
      db?.close()
    }
  }
}

function toVector(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer)
}

/** The vectors of a home's queries. */
export function openQueryVectors(homePath: string): QueryVectors {
  return new QueryVectors(join(homePath, 'papers', 'queries.db'))
}
