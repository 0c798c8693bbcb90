import type { Passage, PassageId, Source, SourceId } from '../../citations/source.ts'
import type { Snapshot } from '../../retrieval/library-store.ts'

/** A row of `sources` with its preferred path. */
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

/** Selects the columns of a {@link SourceRow} from sources `s`: listed paths are preferred, and files to members of archives. */
export const sourceColumns = `s.id, s.title, s.about, (
  SELECT path FROM locations WHERE source_key = s.key ORDER BY is_listed DESC, path LIKE '%.zip/%', path LIMIT 1
) AS path`

/** Selects the columns of a {@link PassageRow} from passages `p` and sources `s`. */
export const passageColumns = 's.id AS source_id, p.key, p.start, p.end, p.page, p.section, p.piece'

/** The content of the column `about`: everything about a source that has no column of its own. */
export function formatAbout({ id: _id, title: _title, ...rest }: Snapshot['source']): string {
  return JSON.stringify(rest)
}

/** Converts a row to a source. */
export function toSource({ id, title, about, path }: SourceRow): Source {
  return { id: id as SourceId, title, ...toLocation(path), ...JSON.parse(about) }
}

/** Where a source was read: a URL, or else a file. */
function toLocation(path: string | null): Pick<Source, 'path' | 'url'> {
  if (path === null) return {}
  return /^https?:\/\//.test(path) ? { url: path } : { path }
}

/** Converts a row to a passage. */
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
