import type { CslItem } from '../../../citations/source.ts'
import type { DomDocument } from './dom.ts'
import { catalogueName, nameOf, type PageFacts } from './page-facts.ts'
import { plainValue } from './plain-value.ts'
import { writtenDate } from './written-date.ts'

/** More tags are not looked at. */
const MAX_TAGS = 2_000
const MAX_AUTHORS = 200

/** The values of a page's `meta` tags by name, in small letters with `:` for `.`. */
export type MetaTags = ReadonlyMap<string, readonly string[]>

/** Collects a page's `meta` tags. */
export function metaTags(document: DomDocument): MetaTags {
  const tags = new Map<string, string[]>()
  for (const tag of [...document.querySelectorAll('meta')].slice(0, MAX_TAGS)) {
    const value = plainValue(tag.getAttribute('content'), 2_000)
    if (value === undefined) continue
    const names = ['name', 'property', 'itemprop', 'http-equiv'].map((key) => tag.getAttribute(key))
    for (const name of names.flatMap(
      (written) => written?.trim().toLowerCase().split(/\s+/) ?? [],
    )) {
      const key = name.replaceAll('.', ':')
      const values = tags.get(key)
      if (values === undefined) tags.set(key, [value])
      else if (values.length < MAX_AUTHORS) values.push(value)
    }
  }
  return tags
}

/** What the tags say that journals and archives write. @see https://scholar.google.com/intl/en/scholar/inclusion.html */
export function highwireFacts(tags: MetaTags): PageFacts {
  const first = (...names: string[]) =>
    firstOf(
      tags,
      names.map((name) => `citation_${name}`),
    )
  const title = first('title')
  if (title === undefined) return {}
  const journal = first('journal_title', 'journal_abbrev')
  const event = first('conference_title', 'conference')
  const book = first('book_title', 'inbook_title')
  return {
    type: citationType({ journal, event, book, tags }),
    title,
    author: names(tags, catalogueName, 'citation_author', 'citation_authors'),
    issued: writtenDate(first('publication_date', 'cover_date', 'date', 'online_date', 'year')),
    container: journal ?? event ?? book,
    publisher: first('publisher', 'dissertation_institution', 'technical_report_institution'),
    language: first('language'),
    url: first('abstract_html_url', 'public_url', 'fulltext_html_url'),
    doi: first('doi'),
    isbn: first('isbn'),
  }
}

function citationType(given: {
  readonly journal: string | undefined
  readonly event: string | undefined
  readonly book: string | undefined
  readonly tags: MetaTags
}): CslItem['type'] {
  if (given.journal !== undefined) return 'article-journal'
  if (given.event !== undefined) return 'paper-conference'
  if (given.book !== undefined) return 'chapter'
  if (given.tags.has('citation_dissertation_institution')) return 'thesis'
  if (given.tags.has('citation_technical_report_institution')) return 'report'
  return given.tags.has('citation_isbn') ? 'book' : 'article'
}

/** What Dublin Core tags say. @see https://www.dublincore.org/specifications/dublin-core/dcq-html/ */
export function dublinCoreFacts(tags: MetaTags): PageFacts {
  const first = (...names: string[]) =>
    firstOf(
      tags,
      names.flatMap((name) => [`dc:${name}`, `dcterms:${name}`]),
    )
  const identifier = first('identifier', 'identifier:doi')
  return {
    title: first('title'),
    author: names(tags, catalogueName, 'dc:creator', 'dcterms:creator', 'dc:contributor:author'),
    issued: writtenDate(first('date:issued', 'issued', 'date', 'created')),
    publisher: first('publisher'),
    language: first('language'),
    doi: /10\.\d{4,9}\//.test(identifier ?? '') ? identifier : undefined,
  }
}

/** What tags for sharing and search engines say. @see https://ogp.me */
export function openGraphFacts(tags: MetaTags): PageFacts {
  const first = (...names: string[]) => firstOf(tags, names)
  const locale = first('og:locale')?.replace('_', '-')
  return {
    title: first('og:title', 'twitter:title', 'headline', 'title'),
    author: names(
      tags,
      nameOf,
      'author',
      'article:author',
      'parsely-author',
      'sailthru:author',
      'twitter:creator',
    ),
    issued: writtenDate(
      first(
        'article:published_time',
        'article:published',
        'datepublished',
        'parsely-pub-date',
        'sailthru:date',
        'pubdate',
        'publishdate',
        'publication_date',
        'date',
      ),
    ),
    container: first('og:site_name', 'application-name'),
    language: first('language', 'content-language') ?? locale,
    url: first('og:url'),
  }
}

function firstOf(tags: MetaTags, names: readonly string[]): string | undefined {
  return names.map((name) => tags.get(name)?.[0]).find((value) => value !== undefined)
}

/** The names in the first of the tags that has any; several in one tag are apart by semicolons. */
function names(
  tags: MetaTags,
  nameFrom: typeof nameOf,
  ...from: readonly string[]
): CslItem['author'] {
  for (const tag of from) {
    const written = (tags.get(tag) ?? []).flatMap((value) => value.split(/\s*;\s*/))
    const found = [...new Set(written)]
      .slice(0, MAX_AUTHORS)
      .flatMap((name) => nameFrom(name.slice(0, 200)))
    if (found.length > 0) return found
  }
  return undefined
}
