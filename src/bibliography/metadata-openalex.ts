import { retractionMark } from './compare-titles.ts'
import { isRecord, readText, toCslItem } from './csl-item.ts'
import { parseDoi } from './identifiers.ts'
import { type MetadataRecord, parseDate, parseName } from './metadata-record.ts'

/**
 * Converts a work from the OpenAlex API; `undefined` if it is not a work.
 * @see https://docs.openalex.org/api-entities/works/work-object
 */
export function cslFromOpenAlex(work: unknown): MetadataRecord | undefined {
  if (!isRecord(work)) return undefined
  const doi = parseDoi(readText(work.doi))
  const title = readText(work.title) ?? readText(work.display_name)
  if (doi === undefined && title === undefined) return undefined
  const ids = isRecord(work.ids) ? work.ids : {}
  const biblio = isRecord(work.biblio) ? work.biblio : {}
  const location = isRecord(work.primary_location) ? work.primary_location : {}
  const place = isRecord(location.source) ? location.source : {}
  const isArchive = place.type === 'repository'
  const item = toCslItem(
    {
      type: toCslType(String(work.type), String(place.type)),
      title,
      DOI: doi,
      PMID: lastPart(ids.pmid),
      PMCID: lastPart(ids.pmcid),
      URL:
        parseDoi(readText(location.landing_page_url)) === undefined
          ? location.landing_page_url
          : undefined,
      author: readAuthors(work.authorships),
      issued: parseDate(work.publication_date ?? work.publication_year),
      'container-title': isArchive ? undefined : place.display_name,
      publisher: isArchive ? place.display_name : place.host_organization_name,
      ISSN: place.issn_l,
      volume: biblio.volume,
      issue: biblio.issue,
      page: readPages(biblio.first_page, biblio.last_page),
      language: work.language,
    },
    doi ?? readText(work.id) ?? title ?? '',
  )
  const retraction = findRetraction(work, title)
  return { source: 'openalex', item, ...(retraction === undefined ? {} : { retraction }) }
}

function toCslType(type: string, place: string): string {
  if (type === 'article' || type === 'review' || type === 'letter' || type === 'editorial') {
    return place === 'conference' ? 'paper-conference' : 'article-journal'
  }
  const types: Readonly<Record<string, string>> = {
    preprint: 'article',
    'book-chapter': 'chapter',
    dissertation: 'thesis',
    'reference-entry': 'entry-encyclopedia',
    'peer-review': 'review',
    book: 'book',
    dataset: 'dataset',
    report: 'report',
    standard: 'standard',
  }
  return types[type] ?? 'document'
}

function readAuthors(authorships: unknown): unknown {
  if (!Array.isArray(authorships)) return undefined
  return authorships.flatMap((authorship: unknown) => {
    const author = isRecord(authorship) && isRecord(authorship.author) ? authorship.author : {}
    const name =
      readText(author.display_name) ??
      (isRecord(authorship) ? readText(authorship.raw_author_name) : undefined)
    return name === undefined ? [] : parseName(name)
  })
}

function lastPart(address: unknown): string | undefined {
  return readText(address)?.split('/').filter(Boolean).at(-1)
}

function readPages(first: unknown, last: unknown): string | undefined {
  const [start, end] = [readText(first), readText(last)]
  return start === undefined || end === undefined || start === end ? start : `${start}-${end}`
}

function findRetraction(
  work: Readonly<Record<string, unknown>>,
  title: string | undefined,
): string | undefined {
  if (work.is_retracted === true) return 'is_retracted'
  const mark = title === undefined ? null : retractionMark.exec(title)
  return mark === null ? undefined : `its title begins with "${mark[0].trim()}"`
}
