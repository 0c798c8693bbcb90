import { isRecord, readText, toCslItem } from './csl-item.ts'
import { parseDoi } from './identifiers.ts'
import { type MetadataRecord, parseDate, parseName } from './metadata-record.ts'

/**
 * Converts a paper from the Semantic Scholar Graph API, which reports no retractions; `undefined` if it is not a paper.
 * @see https://api.semanticscholar.org/api-docs/graph
 */
export function cslFromSemanticScholar(paper: unknown): MetadataRecord | undefined {
  if (!isRecord(paper)) return undefined
  const ids = isRecord(paper.externalIds) ? paper.externalIds : {}
  const doi = parseDoi(readText(ids.DOI))
  const title = readText(paper.title)
  if (doi === undefined && title === undefined) return undefined
  const arxiv = readText(ids.ArXiv)
  const journal = isRecord(paper.journal) ? paper.journal : {}
  const place = readText(journal.name) ?? readText(paper.venue)
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
      page: readText(journal.pages)?.replace(/\s*[-–]\s*/g, '-'),
      number: arxiv === undefined ? undefined : `arXiv:${arxiv}`,
      DOI: doi,
      PMID: readText(ids.PubMed),
      PMCID:
        ids.PubMedCentral === undefined
          ? undefined
          : `PMC${readText(ids.PubMedCentral)?.replace(/^PMC/i, '')}`,
      URL: paper.url,
      abstract: paper.abstract,
    },
    doi ?? readText(paper.paperId) ?? title ?? '',
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
    const name = isRecord(author) ? readText(author.name) : undefined
    return name === undefined ? [] : parseName(name)
  })
}
