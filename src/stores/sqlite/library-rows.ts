import type { Passage, PassageId, Source, SourceId } from '../../citations/source.ts'
import type { Snapshot } from '../../retrieval/library-store.ts'

/** A row of `sources` with the path that stands for it. */
export interface SourceRow {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly path: string | null
}

/** A row of `passages` with the id of its source. */
export interface PassageRow {
  readonly key: number
  readonly source_id: string
  readonly start: number
  readonly end: number
  readonly page: number | null
  readonly section: string | null
  readonly piece: string
}

/**
 * Reads the columns of a {@link SourceRow} of sources `s`: a listed path goes before others, and a file before a member of an
 * archive.
 */
export const sourceColumns = `s.id, s.title, s.about, (
  SELECT path FROM locations WHERE source_key = s.key ORDER BY is_listed DESC, path LIKE '%.zip/%', path LIMIT 1
) AS path`

/** Reads the columns of a {@link PassageRow} of passages `p` and sources `s`. */
export const passageColumns = 's.id AS source_id, p.key, p.start, p.end, p.page, p.section, p.piece'

/** What the column `about` holds: of a source all that has no column of its own. */
export function formatAbout({ id: _id, title: _title, ...rest }: Snapshot['source']): string {
  return JSON.stringify(rest)
}

/** The source of a row. */
export function toSource({ id, title, about, path }: SourceRow): Source {
  return { id: id as SourceId, title, ...toLocation(path), ...JSON.parse(about) }
}

/** Where a source was read: what is kept under an address is no file. */
function toLocation(path: string | null): Pick<Source, 'path' | 'url'> {
  if (path === null) return {}
  return /^https?:\/\//.test(path) ? { url: path } : { path }
}

/** The passage of a row. */
export function toPassage(row: PassageRow): Passage {
  const { source_id, start, end, page, section, piece } = row
  return {
    id: `${source_id.slice(0, 16)}:${start}-${end}` as PassageId,
    sourceId: source_id as SourceId,
    start,
    end,
    ...(page === null ? {} : { page }),
    ...(section === null ? {} : { section }),
    text: piece.slice(0, end - start),
  }
}
