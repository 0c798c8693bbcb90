import { DatabaseSync } from 'node:sqlite'
import { readContentWords } from '../../src/retrieval/words.ts'
import type { Item } from './collection.ts'
import type { Search } from './measure.ts'

/**
 * What FTS5 does by itself: whole texts, Porter's stemmer, stop words removed from the question, the title counted twice.
 *
 * @param path - the file of the new database; in memory without one.
 */
export function createPlainIndex(items: readonly Item[], path = ':memory:'): Search {
  const db = new DatabaseSync(path)
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE VIRTUAL TABLE texts USING fts5(title, body, tokenize = 'porter unicode61'); BEGIN",
  )
  const insert = db.prepare('INSERT INTO texts (rowid, title, body) VALUES (?, ?, ?)')
  for (const [index, { title, text }] of items.entries()) insert.run(index, title, text || title)
  db.exec('COMMIT')
  const find = db.prepare(
    'SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 2.0, 1.0) LIMIT 100',
  )
  return async (query) => {
    const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    const wanted = [...words].filter((word) => readContentWords(word).length > 0)
    if (wanted.length === 0) return []
    const rows = find.all(wanted.map((word) => `"${word}"`).join(' OR '))
    return rows.map(({ rowid }) => items[Number(rowid)]?._id ?? '')
  }
}
