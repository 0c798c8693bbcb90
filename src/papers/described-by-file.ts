import type { CslItem, CslName } from '../citations/source.ts'
import { present } from '../sources/lookup/values.ts'
import { paperFromSource } from './places/normalise-paper.ts'
import type { Paper, PaperReading } from './places/paper.ts'

/**
 * A paper with what its file says of itself where nobody else has said it: of a file that was given, its title, authors,
 * date and numbers; of what was found, only what is missing.
 */
export function describedByFile(paper: Paper, reading: Extract<PaperReading, { ok: true }>): Paper {
  const isOwnFile = paper.foundBy.every((place) => place === 'files')
  const told = isOwnFile ? reading.title || paper.title : paper.title || reading.title
  const title = told || (paper.path ?? paper.id).replace(/^.*[\\/]/, '')
  const isNamed = paper.authors.length > 0
  const authors = isNamed || reading.authors.length === 0 ? paper.authors : reading.authors
  const names: readonly CslName[] = authors.map((literal) => ({ literal }))
  // What the library keeps of it is what the next run is told, so that its reference is the same then.
  const record = isOwnFile ? { ...paper.csl, ...reading.csl, id: paper.csl.id } : paper.csl
  const known = record.author
  return {
    ...paper,
    ...(isOwnFile ? numbersOf(paper, reading, record) : {}),
    title,
    authors,
    abstract: paper.abstract || reading.abstract,
    csl: {
      ...record,
      title,
      ...(known === undefined && names.length > 0 ? { author: names } : {}),
    },
  }
}

/** Its date, and what it is known by elsewhere, as the next run has them from the library. Its id stays. */
function numbersOf(
  paper: Paper,
  { sourceId: id, title }: Extract<PaperReading, { ok: true }>,
  csl: CslItem,
): Pick<Paper, 'published' | 'arxivId' | 'doi' | 'url'> {
  const told = paperFromSource({ id, title, csl }, 'files')
  const { arxivId = told.arxivId, doi = told.doi, url = told.url } = paper
  return { published: paper.published || told.published, ...present({ arxivId, doi, url }) }
}
