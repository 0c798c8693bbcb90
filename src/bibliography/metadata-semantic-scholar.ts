import { isRecord, textOf, toCslItem } from './csl-item.ts'
import { doiOf } from './identifiers.ts'
import { type MetadataRecord, parseDate, parseName } from './metadata-record.ts'

/**
 * Converts a paper from the Semantic Scholar Graph API, which reports no retractions; `undefined` if it is not a paper.
 * @see https://api.semanticscholar.org/api-docs/graph
 */
export function cslFromSemanticScholar(paper: unknown): MetadataRecord | undefined {
  if (!isRecord(paper)) return undefined
  const ids = isRecord(paper.externalIds) ? paper.externalIds : {}
  const doi = doiOf(textOf(ids.DOI))
  const title = textOf(paper.title)
  if (doi === undefined && title === undefined) return undefined
  const arxiv = textOf(ids.ArXiv)
  const journal = isRecord(paper.journal) ? paper.journal : {}
  const place = textOf(journal.name) ?? textOf(paper.venue)
  const isArchive = /^arxiv(?:\.org)?$/i.test(place ?? '')
  const item = toCslItem(
    {
      type: isArchive ? 'article' : toCslType(paper.publicationTypes),
      title,
      author: readAuthors(paper.authors),
      issued: chooseDate(paper.publicationDate, paper.year),
      'container-title': isArchive ? undefined : place,
      publisher: isArchive ? 'arXiv' : undefined,
      volume: isArchive ? undefined : journal.volume,
      page: textOf(journal.pages)?.replace(/\s*[-–]\s*/g, '-'),
      number: arxiv === undefined ? undefined : `arXiv:${arxiv}`,
      DOI: doi,
      PMID: textOf(ids.PubMed),
      PMCID:
        ids.PubMedCentral === undefined
          ? undefined
          : `PMC${textOf(ids.PubMedCentral)?.replace(/^PMC/i, '')}`,
      URL: paper.url,
      abstract: paper.abstract,
    },
    doi ?? textOf(paper.paperId) ?? title ?? '',
  )
  return { source: 'semantic-scholar', item }
}

function toCslType(types: unknown): string {
  const names: readonly unknown[] = Array.isArray(types) ? types : []
  if (names.includes('Conference')) return 'paper-conference'
  if (names.includes('BookSection')) return 'chapter'
  if (names.includes('Book')) return 'book'
  if (names.includes('Dataset')) return 'dataset'
  return names.length === 0 ? 'document' : 'article-journal'
}

/** The year belongs to the version described; the date may be that of the preprint. */
function chooseDate(date: unknown, year: unknown): unknown {
  const whole = parseDate(date)
  const isOfYear = year === undefined || year === null || whole?.['date-parts'][0]?.[0] === year
  return isOfYear ? whole : parseDate(year)
}

function readAuthors(authors: unknown): unknown {
  if (!Array.isArray(authors)) return undefined
  return authors.flatMap((author: unknown) => {
    const name = isRecord(author) ? textOf(author.name) : undefined
    return name === undefined ? [] : parseName(name)
  })
}
