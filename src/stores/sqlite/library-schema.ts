import type { DatabaseSync } from 'node:sqlite'
import { ScholiumError } from '../../kernel/errors.ts'

/** Version of the tables below; raised with every change that an older version of this package could not read. */
const schemaVersion = 1

/**
 * A source's passages have consecutive keys. Its text is stored once: as `lead`, then piece by piece, each from the start of its
 * passage to the start of the next. The index stores no text. Its words arrive folded and without stop words, so it only stems
 * them; `detail` must stay full, or bm25() is 0 for every row.
 */
const schema = `
  CREATE TABLE sources (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    about TEXT NOT NULL,
    title TEXT NOT NULL,
    is_listed INTEGER NOT NULL,
    first_passage INTEGER NOT NULL,
    last_passage INTEGER NOT NULL,
    lead TEXT NOT NULL
  );
  CREATE TABLE locations (
    path TEXT NOT NULL,
    source_key INTEGER NOT NULL,
    is_listed INTEGER NOT NULL,
    PRIMARY KEY (path, source_key)
  ) WITHOUT ROWID;
  CREATE INDEX locations_by_source ON locations (source_key);
  CREATE TABLE passages (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    source_key INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    page INTEGER,
    section TEXT,
    piece TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE passage_index USING fts5 (
    title, body, content = '', contentless_delete = 1,
    tokenize = "porter unicode61 categories 'L* N* M*'"
  );
  INSERT INTO passage_index (passage_index, rank) VALUES ('rank', 'bm25(2.0, 1.0)');
`

/**
 * Creates the tables in a new file.
 * @throws `store_failed` for a file that a newer version wrote
 */
export function prepareLibrarySchema(db: DatabaseSync, path: string): void {
  const version = readVersion(db)
  if (version === schemaVersion) return
  if (version > schemaVersion) throw tooNew(path, version)
  db.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have created them while this one waited.
    if (readVersion(db) === 0) db.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function readVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}

function tooNew(path: string, version: number): ScholiumError {
  return new ScholiumError(
    'store_failed',
    `The library ${path} has format ${version}; this version reads ${schemaVersion}.`,
    { hint: 'Update scholium, or choose another home with --home.', details: { path, version } },
  )
}
