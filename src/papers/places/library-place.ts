import type { Source } from '../../citations/source.ts'
import type { Library } from '../../retrieval/library.ts'
import type { PaperPlace, PaperQuery, PlaceOutcome } from '../paper.ts'
import { wantedCategory } from './category-fields.ts'
import { paperFromSource } from './normalize-paper.ts'

const name = 'library'
/** Maximum number of hits considered; each source ranks by its best. */
const maxHits = 100

/** Sources the user added to the library, best match first. */
export function libraryPlace(library: Library): PaperPlace {
  return { name, search: (query) => searchLibrary(library, query) }
}

async function searchLibrary(library: Library, wanted: PaperQuery): Promise<PlaceOutcome> {
  const { query, limit } = wanted
  const sources = await bestSources(library, query)
  const papers = sources.slice(0, limit).map((source) => paperFromSource(source, name))
  if (wantedCategory(wanted) === undefined) return { ok: true, papers }
  return { ok: true, papers, notes: ['The library has no categories, so everything was searched.'] }
}

/** The sources with matching passages, best first, each once. */
async function bestSources(library: Library, query: string): Promise<readonly Source[]> {
  // At most two hits per source, so that a long book does not fill the list.
  const hits = await library.search({ query, limit: maxHits, perSource: 2 })
  return [...new Map(hits.map(({ source }) => [source.id, source])).values()]
}
