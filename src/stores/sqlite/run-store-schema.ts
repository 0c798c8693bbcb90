import type { DatabaseSync } from 'node:sqlite'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Transactions } from './run-store-transaction.ts'

/** Version of the tables below; raised with every change that an older version of this package could not read. */
const schemaVersion = 1

/**
 * An append writes only to `events`: a run's progress is read from its last event. `output` is the last column, so that reading
 * the others skips its overflow pages. A primary key (run_id, seq) without rowid was slower: such a table keeps less of each row
 * in its page (bench/log).
 */
const schema = `
  CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    workflow TEXT NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    owner TEXT,
    lease_until INTEGER NOT NULL,
    parent_id TEXT,
    parent_seq INTEGER
  );
  CREATE INDEX runs_by_age ON runs (created_at);
  CREATE INDEX runs_by_parent ON runs (parent_id) WHERE parent_id IS NOT NULL;
  CREATE TABLE events (
    run_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    ts INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    key TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    blob TEXT,
    output TEXT,
    PRIMARY KEY (run_id, seq)
  );
  CREATE TABLE blobs (
    run_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (run_id, hash)
  );
`

/**
 * Creates the tables in a new file; safe if another process does so at the same time.
 * @throws `store_failed` for a file of another format
 */
export function prepareSchema(db: DatabaseSync, transactions: Transactions, path: string): void {
  if (readVersion(db) === 0) {
    transactions.run('full', () => {
      if (readVersion(db) !== 0) return
      if (hasTables(db)) throw noLog(path)
      createTables(db)
    })
  }
  const version = readVersion(db)
  if (version === schemaVersion) return
  throw new ScholiumError(
    'store_failed',
    `The log ${path} has format ${version}; this version reads ${schemaVersion}.`,
    {
      hint: `${version > schemaVersion ? 'Update scholium' : 'Use the version that wrote it'}, or choose another home with --home.`,
    },
  )
}

/** Creates the tables in a database that has none. */
export function createTables(db: DatabaseSync): void {
  db.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`)
}

/** Whether a database has any tables. */
export function hasTables(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined
}

function noLog(path: string): ScholiumError {
  return new ScholiumError('store_failed', `The database ${path} is not a Scholium log.`, {
    hint: 'Move that file away, or choose another home with --home.',
  })
}

function readVersion(db: DatabaseSync): number {
  return db.prepare('PRAGMA user_version').get()?.user_version as number
}
