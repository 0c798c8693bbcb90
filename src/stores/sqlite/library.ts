import { sep } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Passage, Source, SourceId } from '../../citations/source.ts'
import type { AddOutcome, ListRequest } from '../../retrieval/library.ts'
import type {
  IndexAnswer,
  IndexMatch,
  IndexQuery,
  KeptPassage,
  LibraryStore,
  SnapshotAddition,
} from '../../retrieval/library-store.ts'
import { openDatabase } from './database.ts'
import { libraryFailure } from './library-failure.ts'
import {
  type PassageRow,
  passageColumns,
  type SourceRow,
  sourceColumns,
  toPassage,
  toSource,
} from './library-rows.ts'
import { prepareLibrarySchema } from './library-schema.ts'
import { SnapshotTables } from './library-snapshots.ts'

/** Documents per transaction; in between, the process can do other work. */
const batchSize = 500
/** 32 MB page cache. Commits do not wait for the disk: after a power cut, files can be added again. */
const settings = 'PRAGMA cache_size = -32000; PRAGMA synchronous = NORMAL'

/**
 * Opens the library's store in a SQLite file, created with its folder if it does not exist.
 * @throws `store_failed` if the file cannot be opened or is not a library of this version
 */
export function openLibraryStore(path: string): LibraryStore {
  let db: DatabaseSync | undefined
  try {
    db = openDatabase(path)
    return new SqliteLibraryStore(db, path)
  } catch (error) {
    db?.close()
    throw libraryFailure(error, path)
  }
}

/** A library store on an open database, which it closes with itself. */
export class SqliteLibraryStore implements LibraryStore {
  private readonly db: DatabaseSync
  private readonly path: string
  private readonly snapshots: SnapshotTables
  private readonly index: PassageIndex

  constructor(db: DatabaseSync, path: string) {
    this.db = db
    this.path = path
    db.exec(settings)
    prepareLibrarySchema(db, path)
    this.snapshots = new SnapshotTables(db)
    this.index = new PassageIndex(db)
  }

  async add(additions: readonly SnapshotAddition[]): Promise<readonly AddOutcome[]> {
    const outcomes: AddOutcome[] = []
    for (let from = 0; from < additions.length; from += batchSize) {
      if (from > 0) await setImmediate()
      const batch = additions.slice(from, from + batchSize)
      outcomes.push(...this.change(() => batch.map((addition) => this.snapshots.add(addition))))
    }
    return outcomes
  }

  async remove(idOrPath: string): Promise<number> {
    return this.change(() => this.snapshots.remove(idOrPath))
  }

  async unlist(path: string, except: readonly string[]): Promise<readonly string[]> {
    return this.change(() => this.snapshots.unlist(path, except))
  }

  async list({ folder, id }: ListRequest): Promise<readonly Source[]> {
    const which = id === undefined ? '' : 'AND s.id = :id'
    const sql =
      folder === undefined
        ? `SELECT ${sourceColumns} FROM sources s WHERE s.is_listed ${which} ORDER BY s.title, path`
        : `SELECT s.id, s.title, s.about, min(l.path) AS path
           FROM locations l JOIN sources s ON s.key = l.source_key
           WHERE l.path > :from AND l.path < :to ${which} GROUP BY s.key ORDER BY s.title, path`
    const range = folder === undefined ? {} : rangeOf(folder)
    const values = { ...range, ...(id === undefined ? {} : { id }) }
    return this.use((db) => (db.prepare(sql).all(values) as unknown as SourceRow[]).map(toSource))
  }

  async paths(idOrPath: string): Promise<readonly string[]> {
    const sql = `SELECT l.path FROM locations l JOIN sources s ON s.key = l.source_key WHERE s.id = :place
      UNION SELECT path FROM locations WHERE path = :place OR (path > :from AND path < :to)`
    const values = { place: idOrPath, ...rangeOf(idOrPath) }
    return this.use((db) =>
      db
        .prepare(sql)
        .all(values)
        .map(({ path }) => path as string),
    )
  }

  async find(query: IndexQuery): Promise<IndexAnswer> {
    return this.use(() => this.index.find(query))
  }

  async read(keys: readonly number[]): Promise<ReadonlyMap<number, KeptPassage>> {
    const sql = `SELECT ${sourceColumns}, ${passageColumns}
      FROM json_each(?) wanted JOIN passages p ON p.key = wanted.value JOIN sources s ON s.key = p.source_key`
    return this.use((db) => {
      const rows = db.prepare(sql).all(JSON.stringify(keys)) as unknown as (SourceRow &
        PassageRow)[]
      return new Map(
        rows.map((row) => [row.key, { passage: toPassage(row), source: toSource(row) }] as const),
      )
    })
  }

  async source(id: SourceId): Promise<Source | undefined> {
    const sql = `SELECT ${sourceColumns} FROM sources s WHERE s.id = ?`
    return this.use((db) => {
      const row = db.prepare(sql).get(id) as unknown as SourceRow | undefined
      return row === undefined ? undefined : toSource(row)
    })
  }

  async text(id: SourceId): Promise<string | undefined> {
    return this.use((db) => {
      const source = db.prepare('SELECT lead FROM sources WHERE id = ?').get(id)
      if (source === undefined) return undefined
      const pieces = this.passageRows(id).map(({ piece }) => piece)
      return [source.lead as string, ...pieces].join('')
    })
  }

  async passages(id: SourceId): Promise<readonly Passage[]> {
    return this.use(() => this.passageRows(id).map(toPassage))
  }

  async close(): Promise<void> {
    if (this.db.isOpen) this.db.close()
  }

  private passageRows(id: SourceId): PassageRow[] {
    const sql = `SELECT ${passageColumns} FROM sources s
      JOIN passages p ON p.key BETWEEN s.first_passage AND s.last_passage
      WHERE s.id = ? ORDER BY p.key`
    return this.db.prepare(sql).all(id) as unknown as PassageRow[]
  }

  /** Runs `work` in one transaction, rolled back on failure. */
  private change<T>(work: () => T): T {
    return this.use((db) => {
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        db.exec('COMMIT')
        return result
      } catch (error) {
        // SQLite has already rolled back after some disk failures.
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    })
  }

  private use<T>(work: (db: DatabaseSync) => T): T {
    try {
      return work(this.db)
    } catch (error) {
      throw libraryFailure(error, this.path)
    }
  }
}

/** Between which texts the paths in a folder are, in the order of their bytes. */
function rangeOf(folder: string): { readonly from: string; readonly to: string } {
  const from = `${folder.replace(/[/\\]+$/, '')}${sep}`
  return { from, to: `${from}\u{10ffff}` }
}

/**
 * Maximum number of rows that the index scores in one search, about 15 ms. Words that would need more, the most common first, are
 * left to the second ranking unless too little is found without them. In 100,000 passages that is a third of the rows of all
 * words; leaving out as many of SciFact's changes nDCG@10 by less than 0.001.
 */
const maxScoredRows = 30_000
/** Rows fetched from the ranking at first; four times as many each time that they are not enough. */
const firstRows = 200

/** Finds passages in the full-text index. */
class PassageIndex {
  private readonly countAll: StatementSync
  private readonly countRows: StatementSync
  private readonly rankRows: StatementSync

  constructor(db: DatabaseSync) {
    // FTS5 keeps one row per document here; its own count ignores deletions.
    this.countAll = db.prepare('SELECT count(*) AS count FROM passage_index_docsize')
    this.countRows = db.prepare(
      'SELECT count(*) AS count FROM passage_index WHERE passage_index MATCH ?',
    )
    // The plus prevents FTS5's own sorting, which carries every row's positions and takes half as long again.
    this.rankRows = db.prepare(
      `SELECT f.key, s.id AS sourceId, s.is_listed AS isListed
       FROM (
         SELECT rowid AS key, rank FROM passage_index
         WHERE passage_index MATCH ? ORDER BY +rank, rowid LIMIT ?
       ) f
       CROSS JOIN passages p ON p.key = f.key
       CROSS JOIN sources s ON s.key = p.source_key`,
    )
  }

  find(query: IndexQuery): IndexAnswer {
    const total = Number(this.countAll.get()?.count)
    const counts = new Map(
      query.words.map((word) => [word, Number(this.countRows.get(quoted(word))?.count)]),
    )
    const words = selectRareWords(counts)
    const matches = this.rank(words, query)
    const isLeftOut = [...counts].some(([word, count]) => count > 0 && !words.includes(word))
    const isFull = matches.length === query.limit || !isLeftOut
    return { matches: isFull ? matches : this.rank(query.words, query), counts, total }
  }

  private rank(words: readonly string[], query: IndexQuery): readonly IndexMatch[] {
    if (words.length === 0) return []
    const match = words.map(quoted).join(' OR ')
    for (let most = firstRows; ; most *= 4) {
      const ranking = this.rankRows.iterate(match, most) as unknown as Iterable<RankedRow>
      const { found, rows } = firstMatches(ranking, query)
      if (found.length === query.limit || rows < most) return found
    }
  }
}

/** The rarest words whose rows together stay within the maximum; at least one that occurs. */
function selectRareWords(counts: ReadonlyMap<string, number>): readonly string[] {
  let rows = 0
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort(([, left], [, right]) => left - right)
    .filter(([, count], index) => {
      rows += count
      return index === 0 || rows <= maxScoredRows
    })
    .map(([word]) => word)
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}

interface RankedRow extends IndexMatch {
  readonly isListed: 0 | 1
}

/** Collects matches in ranking order, skipping sources that have reached their share, until there are enough. */
function firstMatches(
  ranking: Iterable<RankedRow>,
  { limit, perSource, sourceIds, alsoSourceIds }: IndexQuery,
): { found: readonly IndexMatch[]; rows: number } {
  const named = new Set(sourceIds ?? alsoSourceIds)
  const found: IndexMatch[] = []
  const taken = new Map<string, number>()
  let rows = 0
  for (const { key, sourceId, isListed } of ranking) {
    rows++
    if (!named.has(sourceId) && (sourceIds !== undefined || isListed === 0)) continue
    const count = (taken.get(sourceId) ?? 0) + 1
    taken.set(sourceId, count)
    if (count <= perSource) found.push({ key, sourceId })
    if (found.length === limit) break
  }
  return { found, rows }
}
