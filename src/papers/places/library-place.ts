import type { Source } from '../../citations/source.ts'
import type { Library } from '../../retrieval/library.ts'
import type { PaperPlace, PaperQuery, PlaceOutcome } from '../paper.ts'
import { wantedCategory } from './category-fields.ts'
import { paperFromSource } from './normalize-paper.ts'

const name = 'library'
/** Maximum number of hits considered; each source ranks by its best. */
const maxHits = 100

/**
 * Sources the user added to the library, best match first.
 * @param folders whose files were added too, but are found only by who names them. Default: none
 */
export function libraryPlace(library: Library, folders: readonly string[] = []): PaperPlace {
  return { name, search: (query) => searchLibrary(library, folders, query) }
}

async function searchLibrary(
  library: Library,
  folders: readonly string[],
  wanted: PaperQuery,
): Promise<PlaceOutcome> {
  const { query, limit } = wanted
  const lists = await Promise.all(folders.map((folder) => library.list({ folder })))
  const sources = await bestSources(library, lists.flat(), query)
  const papers = sources.slice(0, limit).map((source) => paperFromSource(source, name))
  if (wantedCategory(wanted) === undefined) return { ok: true, papers }
  return { ok: true, papers, notes: ['The library has no categories, so everything was searched.'] }
}

/** The sources with matching passages, best first, each once. */
async function bestSources(
  library: Library,
  own: readonly Source[],
  query: string,
): Promise<readonly Source[]> {
  const known = new Map(own.map((source) => [source.id, source]))
  // At most two hits per source, so that a long book does not fill the list.
  const request = { query, limit: maxHits, perSource: 2, alsoSourceIds: [...known.keys()] }
  const hits = await library.search(request)
  const found = hits.map(({ source }) => [source.id, known.get(source.id) ?? source] as const)
  return [...new Map(found).values()]
}
