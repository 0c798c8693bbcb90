import { retractionMark } from './compare-titles.ts'
import { isRecord, readText, toCslItem } from './csl-item.ts'
import { parseDoi } from './identifiers.ts'
import { type MetadataRecord, stripMarkup } from './metadata-record.ts'

type Work = Readonly<Record<string, unknown>>

/**
 * Converts a work from the Crossref API (`message`, or an element of `message.items`); `undefined` if it is not a work.
 * @see https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md
 */
export function cslFromCrossref(work: unknown): MetadataRecord | undefined {
  if (!isRecord(work)) return undefined
  const doi = parseDoi(readText(work.DOI))
  const title = readTitle(work)
  if (doi === undefined && title === undefined) return undefined
  const item = toCslItem(
    {
      ...work,
      type: types[String(work.type)] ?? work.type ?? 'document',
      title,
      DOI: doi,
      URL: readAddress(work),
      'container-title': first(work['container-title']),
      'container-title-short': first(work['short-container-title']),
      'title-short': undefined,
      'original-title': first(work['original-title']),
      ISSN: first(work.ISSN),
      ISBN: Array.isArray(work.ISBN) ? work.ISBN.join(' ') : undefined,
      abstract: stripMarkup(work.abstract),
      author: readNames(work.author),
      editor: readNames(work.editor),
      translator: readNames(work.translator),
      edition: work['edition-number'],
      number: work['article-number'],
      'publisher-place': work['publisher-location'],
      'event-title': isRecord(work.event) ? work.event.name : undefined,
      genre: work.type === 'posted-content' && work.subtype === 'preprint' ? 'Preprint' : undefined,
      // In Crossref this is the origin of the metadata, not of the work.
      source: undefined,
      archive: undefined,
    },
    doi ?? title ?? '',
  )
  const taken = findRetracted(work)
  const retraction =
    findRetraction(work, title) ??
    (doi !== undefined && taken.includes(doi) ? 'its own update' : undefined)
  const retracts = taken.filter((other) => other !== doi)
  return {
    source: 'crossref',
    item,
    ...(retraction === undefined ? {} : { retraction }),
    ...(retracts.length === 0 ? {} : { retracts }),
  }
}

const types: Readonly<Record<string, string>> = {
  'journal-article': 'article-journal',
  'proceedings-article': 'paper-conference',
  'posted-content': 'article',
  'book-chapter': 'chapter',
  'book-part': 'chapter',
  'book-section': 'chapter',
  'reference-entry': 'entry-encyclopedia',
  monograph: 'book',
  'edited-book': 'book',
  'reference-book': 'book',
  proceedings: 'book',
  dissertation: 'thesis',
  'report-component': 'report',
  'peer-review': 'review',
}

function readTitle(work: Work): string | undefined {
  const title = first(work.title)
  const subtitle = first(work.subtitle)
  const isWhole = title === undefined || subtitle === undefined || title.includes(subtitle)
  return isWhole ? title : `${title}: ${subtitle}`
}

/** The publisher's page. A doi.org URL adds nothing to the DOI and is left out. */
function readAddress(work: Work): string | undefined {
  const resource = isRecord(work.resource) ? work.resource.primary : undefined
  const address = isRecord(resource) ? readText(resource.URL) : undefined
  return parseDoi(address) === undefined ? address : undefined
}

function first(value: unknown): string | undefined {
  return readText(Array.isArray(value) ? value[0] : value)
}

function readNames(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map((name: unknown) => (isRecord(name) ? { ...name, literal: name.name } : name))
    : undefined
}

const retractionTypes = /retract|withdraw|removal/i

function findRetraction(work: Work, title: string | undefined): string | undefined {
  const update = toList(work['updated-by']).find((one) => retractionTypes.test(String(one.type)))
  if (update !== undefined) {
    const by = readText(update.source)
    return `${readText(update.type)} in ${readText(update.DOI)}${by === undefined ? '' : `, according to ${by}`}`
  }
  const relations = isRecord(work.relation) ? Object.keys(work.relation) : []
  const relation = relations.find((name) => /(?:retracted|withdrawn)-by/i.test(name))
  if (relation !== undefined) return `relation ${relation}`
  const mark = title === undefined ? null : retractionMark.exec(title)
  return mark === null ? undefined : `its title begins with "${mark[0].trim()}"`
}

/**
 * DOIs of the works that this one retracts. A publisher who replaces a work by its retraction notice gives the work's own DOI.
 */
function findRetracted(work: Work): readonly string[] {
  return toList(work['update-to'])
    .filter((update) => retractionTypes.test(String(update.type)))
    .flatMap((update) => parseDoi(readText(update.DOI)) ?? [])
}

function toList(value: unknown): readonly Work[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
