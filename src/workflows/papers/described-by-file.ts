import type { CslName } from '../../citations/source.ts'
import type { Paper, PaperReading } from '../../tools/papers/paper.ts'

/**
 * A paper with what its file says of itself where nobody else has said it: of a file that was given, its title and authors; of
 * what was found, only what is missing.
 */
export function describedByFile(paper: Paper, reading: Extract<PaperReading, { ok: true }>): Paper {
  const isOwnFile = paper.foundBy.every((place) => place === 'files')
  const told = isOwnFile ? reading.title || paper.title : paper.title || reading.title
  const title = told || (paper.path ?? paper.id).replace(/^.*[\\/]/, '')
  const isNamed = paper.authors.length > 0
  const authors = isNamed || reading.authors.length === 0 ? paper.authors : reading.authors
  const names: readonly CslName[] = authors.map((literal) => ({ literal }))
  const known = paper.csl.author
  return {
    ...paper,
    title,
    authors,
    abstract: paper.abstract || reading.abstract,
    csl: {
      ...paper.csl,
      title,
      ...(known === undefined && names.length > 0 ? { author: names } : {}),
    },
  }
}
