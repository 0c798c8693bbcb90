import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { IndexAnswer, IndexMatch, IndexQuery } from '../../retrieval/library-store.ts'

/**
 * How many rows the index may score in a search, about 15 ms; the words that would need more are left to the second
 * ranking, the commonest first, unless too little is found without them. In 100,000 passages that is a third of what all
 * words would need, and leaving out as many of SciFact's changes nDCG@10 by less than 0.001.
 */
const mostRows = 30_000
/** How many rows are taken down from the ranking at first; four times as many each time that they were not enough. */
const firstRows = 200

/** Finds passages in the full-text index. */
export class PassageIndex {
  private readonly countAll: StatementSync
  private readonly countRows: StatementSync
  private readonly rankRows: StatementSync

  constructor(db: DatabaseSync) {
    // FTS5 keeps a row here for each of its own; what it counts itself forgets that rows were deleted.
    this.countAll = db.prepare('SELECT count(*) AS count FROM passage_index_docsize')
    this.countRows = db.prepare(
      'SELECT count(*) AS count FROM passage_index WHERE passage_index MATCH ?',
    )
    // The plus keeps FTS5 from sorting by itself, which carries every row's positions along and takes half as long again.
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
    const words = affordable(counts)
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

/** The rarest words whose rows together are not too many; at least one that occurs. */
function affordable(counts: ReadonlyMap<string, number>): readonly string[] {
  let rows = 0
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort(([, left], [, right]) => left - right)
    .filter(([, count], index) => {
      rows += count
      return index === 0 || rows <= mostRows
    })
    .map(([word]) => word)
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}

interface RankedRow extends IndexMatch {
  readonly isListed: 0 | 1
}

/** Goes down the ranking until there are enough; a source that has had its share is passed over. */
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
