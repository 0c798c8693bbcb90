import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { AddOutcome } from '../../retrieval/library.ts'
import type { Snapshot, SnapshotAddition } from '../../retrieval/library-store.ts'
import { formatAbout } from './library-rows.ts'

/** Writes and deletes snapshots. Its methods run inside the caller's transaction. */
export class SnapshotTables {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(db: DatabaseSync) {
    this.statements = prepareStatements(db)
  }

  /** Sets the snapshot at a path, either listed or found only by searches that name it. */
  add({ sourceId, path, isListed, snapshot }: SnapshotAddition): AddOutcome {
    const { sourceById, locationsAt, unlistPath, insertLocation, listLocation } = this.statements
    const known = sourceById.get(sourceId)
    const before = locationsAt.all(path)
    const same = before.find((location) => location.source_key === known?.key)
    if (same !== undefined && (same.is_listed === 1 || !isListed)) return 'unchanged'
    const key = known === undefined ? this.insert(snapshot()) : Number(known.key)
    if (isListed && before.length > 0) unlistPath.run(path)
    if (same === undefined) insertLocation.run(path, key, isListed ? 1 : 0)
    else listLocation.run(path, key)
    for (const location of before) this.refreshListed(Number(location.source_key))
    this.refreshListed(key)
    const counts = (row: { is_listed?: unknown }): boolean => row.is_listed === 1 || !isListed
    if (before.some(counts)) return 'updated'
    return known !== undefined && counts(known) ? 'unchanged' : 'added'
  }

  /**
   * Deletes the source with this id, or all current and earlier snapshots at this path or in this folder. Returns the number of
   * files.
   */
  remove(idOrPath: string): number {
    const { sourceById, locationsIn, deleteLocation, anyLocation } = this.statements
    const known = sourceById.get(idOrPath)
    if (known !== undefined) {
      this.deleteSource(Number(known.key))
      return 1
    }
    if (idOrPath === '') return 0
    const found = locationsIn.all({ path: idOrPath.replace(/[/\\]+$/, '') })
    for (const { path, source_key } of found)
      deleteLocation.run(path as string, source_key as number)
    for (const key of new Set(found.map((location) => Number(location.source_key)))) {
      if (anyLocation.get(key) === undefined) this.deleteSource(key)
      else this.refreshListed(key)
    }
    return new Set(found.map((location) => location.path)).size
  }

  /** Unlists everything at this path or in this folder except some paths. Returns the paths that were listed, in order. */
  unlist(path: string, except: readonly string[]): readonly string[] {
    const { locationsIn, unlistPath } = this.statements
    const kept = new Set(except)
    const listed = locationsIn
      .all({ path })
      .filter(({ path: one, is_listed }) => is_listed === 1 && !kept.has(one as string))
    for (const { path: one, source_key } of listed) {
      unlistPath.run(one as string)
      this.refreshListed(Number(source_key))
    }
    return listed.map((location) => location.path as string).sort()
  }

  private insert({ source, text, passages }: Snapshot): number {
    const { insertSource, insertPassage, insertIndexed, setPassages } = this.statements
    const lead = text.slice(0, passages[0]?.start)
    const sourceKey = Number(
      insertSource.run(source.id, source.title, formatAbout(source), lead).lastInsertRowid,
    )
    let passageKey = 0
    for (const [index, passage] of passages.entries()) {
      const { start, end, page = null, section = null, titleWords, bodyWords } = passage
      const piece = text.slice(start, passages[index + 1]?.start)
      const inserted = insertPassage.run(sourceKey, start, end, page, section, piece)
      passageKey = Number(inserted.lastInsertRowid)
      if (bodyWords !== undefined) insertIndexed.run(passageKey, titleWords, bodyWords)
    }
    setPassages.run(passageKey - passages.length + 1, passageKey, sourceKey)
    return sourceKey
  }

  private deleteSource(key: number): void {
    const { deleteIndexed, deletePassages, deleteLocations, deleteSource } = this.statements
    deleteIndexed.run({ key })
    deletePassages.run({ key })
    deleteLocations.run(key)
    deleteSource.run(key)
  }

  private refreshListed(key: number): void {
    this.statements.refreshListed.run(key)
  }
}

function prepareStatements(db: DatabaseSync): Readonly<Record<StatementName, StatementSync>> {
  const prepared = Object.entries(statements).map(([name, sql]) => {
    const statement = db.prepare(sql)
    // Each change reports the last inserted row id, which is too large for a number after FTS5's own inserts.
    if (!sql.startsWith('SELECT')) statement.setReadBigInts(true)
    return [name, statement]
  })
  return Object.fromEntries(prepared)
}

type StatementName = keyof typeof statements

const selectPassages =
  'BETWEEN (SELECT first_passage FROM sources WHERE key = :key) AND (SELECT last_passage FROM sources WHERE key = :key)'

/**
 * SQLite wraps upserts, multi-row statements and foreign keys in a savepoint, and FTS5 flushes its buffer at each one. Adding a
 * new document avoids them all: with one, adding took twice as long.
 */
const statements = {
  sourceById: 'SELECT key, is_listed FROM sources WHERE id = ?',
  locationsAt: 'SELECT source_key, is_listed FROM locations WHERE path = ?',
  locationsIn: `SELECT path, source_key, is_listed FROM locations
    WHERE path = :path OR substr(path, 1, length(:path) + 1) IN (:path || '/', :path || '\\')`,
  anyLocation: 'SELECT 1 FROM locations WHERE source_key = ?',
  unlistPath: 'UPDATE locations SET is_listed = 0 WHERE path = ?',
  insertLocation: 'INSERT INTO locations (path, source_key, is_listed) VALUES (?, ?, ?)',
  listLocation: 'UPDATE locations SET is_listed = 1 WHERE path = ? AND source_key = ?',
  deleteLocations: 'DELETE FROM locations WHERE source_key = ?',
  deleteLocation: 'DELETE FROM locations WHERE path = ? AND source_key = ?',
  refreshListed: `UPDATE sources SET is_listed =
      EXISTS (SELECT 1 FROM locations WHERE source_key = sources.key AND locations.is_listed)
    WHERE key = ?`,
  insertSource: `INSERT INTO sources (id, title, about, is_listed, first_passage, last_passage, lead)
    VALUES (?, ?, ?, 0, 0, -1, ?)`,
  setPassages: 'UPDATE sources SET first_passage = ?, last_passage = ? WHERE key = ?',
  deleteSource: 'DELETE FROM sources WHERE key = ?',
  insertPassage:
    'INSERT INTO passages (source_key, start, end, page, section, piece) VALUES (?, ?, ?, ?, ?, ?)',
  deletePassages: `DELETE FROM passages WHERE key ${selectPassages}`,
  insertIndexed: 'INSERT INTO passage_index (rowid, title, body) VALUES (?, ?, ?)',
  deleteIndexed: `DELETE FROM passage_index WHERE rowid ${selectPassages}`,
}
