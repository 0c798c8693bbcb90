import { basename, extname } from 'node:path'
import type { CslItem } from '../../../citations/source.ts'
import type { DomDocument } from './dom.ts'
import { readJsonLd } from './json-ld.ts'
import {
  cleanValue,
  type PageFacts,
  parseCatalogueName,
  parseDate,
  parseName,
} from './page-facts.ts'

/**
 * A page's own metadata as CSL-JSON, read before anything is removed. Order of precedence: tags for catalogues, for
 * search engines, for sharing, then what is displayed. All of it is untrusted: plain text of bounded length, addresses
 * http(s) only.
 */
export function readPageMetadata(
  document: DomDocument,
  page: { readonly id: string; readonly path: string; readonly url?: string | undefined },
): CslItem & { readonly title: string } {
  const tags = readMetaTags(document)
  const facts = [
    readHighwire(tags),
    readJsonLd(document),
    readDublinCore(tags),
    readOpenGraph(tags),
    readShownFacts(document),
  ]
  const first = <Key extends keyof PageFacts>(key: Key): PageFacts[Key] =>
    facts.map((fact) => fact[key]).find((value) => value !== undefined)
  const author = facts.map((fact) => fact.author ?? []).find((names) => names.length > 0)
  const site = first('container') ?? first('publisher')
  const title = withoutSite(first('title'), site) ?? basename(page.path, extname(page.path))
  const addresses = [...facts.map((fact) => fact.url).reverse(), page.url]
  const url = addresses.map((address) => canonicalAddress(address, page.url)).find(Boolean)
  const doi = /10\.\d{4,9}\/[^\s"<>]{1,200}/.exec(first('doi') ?? '')?.[0].replace(/[.,;)]+$/, '')
  const language = normalizeLanguage(first('language'))
  const isbn = /^[\dX -]{10,20}$/i.exec(first('isbn') ?? '')?.[0]
  const values = {
    author,
    issued: first('issued'),
    'container-title': first('container')?.slice(0, 500),
    publisher: first('publisher')?.slice(0, 500),
    language,
    URL: url,
    DOI: doi,
    ISBN: isbn,
  }
  const known = Object.entries(values).filter(([, value]) => value !== undefined)
  return { id: page.id, type: first('type') ?? 'webpage', title, ...Object.fromEntries(known) }
}

/** What the page displays: title, authors, date. */
function readShownFacts(document: DomDocument): PageFacts {
  const time = document.querySelector(
    'time[itemprop~="datePublished"],time[pubdate],article time[datetime]',
  )
  return {
    title: readShownTitle(document),
    author: readByline(document),
    issued: parseDate(time?.getAttribute('datetime') ?? time?.textContent ?? undefined),
    language: document.documentElement.getAttribute('lang') ?? undefined,
    url: document.querySelector('link[rel="canonical"]')?.getAttribute('href') ?? undefined,
  }
}

/** The title element, without the site's name if the main heading shows where that begins. */
function readShownTitle(document: DomDocument): string | undefined {
  const title = cleanValue(document.querySelector('title')?.textContent, 500)
  const headings = [...document.querySelectorAll('h1')].slice(0, 20)
  const shown = headings.map((heading) => cleanValue(heading.textContent, 500))
  if (title === undefined) return shown.find((heading) => heading !== undefined)
  return (
    shown.find(
      (heading) => heading !== undefined && heading.length > 8 && title.startsWith(heading),
    ) ?? title
  )
}

/** Removes ` | Site` or ` - Site` from the end of a title. */
function withoutSite(title: string | undefined, site: string | undefined): string | undefined {
  if (title === undefined || site === undefined) return title
  const start = title.length - site.length
  const isNamed = start > 3 && title.slice(start).toLowerCase() === site.toLowerCase()
  return isNamed ? title.slice(0, start).replace(/\s+[|\-–—·•:»]\s+$/, '') : title
}

const bylines =
  '[itemprop~="author"] [itemprop~="name"],[itemprop~="author"],[rel~="author"],.byline-name,.byline__name,.byline,.author-name,.author'

function readByline(document: DomDocument): CslItem['author'] {
  for (const element of [...document.querySelectorAll(bylines)].slice(0, 20)) {
    const text = cleanValue(element.textContent, 300)
    if (text !== undefined && text.length < 100) {
      const [name] = text.split(/\s+[|•·—–-]\s*/)
      const parseNames = parseName(
        name?.replace(/^(?:(?:written|posted|reported)\s+)?by[\s:]+/i, ''),
      )
      if (parseNames.length > 0) return parseNames
    }
  }
  return undefined
}

/** An http(s) address; for a fetched page, only on its own host. */
function canonicalAddress(
  written: string | undefined,
  fetched: string | undefined,
): string | undefined {
  if (written === undefined || !URL.canParse(written, fetched)) return undefined
  const url = new URL(written, fetched)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const isOwn = fetched === undefined || hostName(new URL(fetched)) === hostName(url)
  if (!isWeb || !isOwn || url.username !== '' || url.password !== '') return undefined
  return url.href.length <= 2_000 ? url.href : undefined
}

function hostName(url: URL): string {
  return url.hostname.replace(/^(?:www|m|mobile|amp)\./, '')
}

function normalizeLanguage(written: string | undefined): string | undefined {
  const tag = written?.trim().replace('_', '-') ?? ''
  return /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i.test(tag) ? tag : undefined
}

/** Maximum number of tags. */
const maxTags = 2_000
const maxAuthors = 200

/** Values of `meta` tags by name, in lower case with `:` for `.`. */
type MetaTags = ReadonlyMap<string, readonly string[]>

function readMetaTags(document: DomDocument): MetaTags {
  const tags = new Map<string, string[]>()
  for (const tag of [...document.querySelectorAll('meta')].slice(0, maxTags)) {
    const value = cleanValue(tag.getAttribute('content'), 2_000)
    if (value === undefined) continue
    const names = ['name', 'property', 'itemprop', 'http-equiv'].map((key) => tag.getAttribute(key))
    for (const name of names.flatMap(
      (written) => written?.trim().toLowerCase().split(/\s+/) ?? [],
    )) {
      const key = name.replaceAll('.', ':')
      const values = tags.get(key)
      if (values === undefined) tags.set(key, [value])
      else if (values.length < maxAuthors) values.push(value)
    }
  }
  return tags
}

/**
 * Tags written by journals and archives.
 * @see https://scholar.google.com/intl/en/scholar/inclusion.html
 */
function readHighwire(tags: MetaTags): PageFacts {
  const first = (...names: string[]) =>
    firstValue(
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
    author: names(tags, parseCatalogueName, 'citation_author', 'citation_authors'),
    issued: parseDate(first('publication_date', 'cover_date', 'date', 'online_date', 'year')),
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

/**
 * Dublin Core tags.
 * @see https://www.dublincore.org/specifications/dublin-core/dcq-html/
 */
function readDublinCore(tags: MetaTags): PageFacts {
  const first = (...names: string[]) =>
    firstValue(
      tags,
      names.flatMap((name) => [`dc:${name}`, `dcterms:${name}`]),
    )
  const identifier = first('identifier', 'identifier:doi')
  return {
    title: first('title'),
    author: names(
      tags,
      parseCatalogueName,
      'dc:creator',
      'dcterms:creator',
      'dc:contributor:author',
    ),
    issued: parseDate(first('date:issued', 'issued', 'date', 'created')),
    publisher: first('publisher'),
    language: first('language'),
    doi: /10\.\d{4,9}\//.test(identifier ?? '') ? identifier : undefined,
  }
}

/**
 * Tags for sharing and search engines.
 * @see https://ogp.me
 */
function readOpenGraph(tags: MetaTags): PageFacts {
  const first = (...names: string[]) => firstValue(tags, names)
  const locale = first('og:locale')?.replace('_', '-')
  return {
    title: first('og:title', 'twitter:title', 'headline', 'title'),
    author: names(
      tags,
      parseName,
      'author',
      'article:author',
      'parsely-author',
      'sailthru:author',
      'twitter:creator',
    ),
    issued: parseDate(
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

function firstValue(tags: MetaTags, names: readonly string[]): string | undefined {
  return names.map((name) => tags.get(name)?.[0]).find((value) => value !== undefined)
}

/** The names in the first tag that has any; separated by semicolons within a tag. */
function names(
  tags: MetaTags,
  nameFrom: typeof parseName,
  ...from: readonly string[]
): CslItem['author'] {
  for (const tag of from) {
    const written = (tags.get(tag) ?? []).flatMap((value) => value.split(/\s*;\s*/))
    const found = [...new Set(written)]
      .slice(0, maxAuthors)
      .flatMap((name) => nameFrom(name.slice(0, 200)))
    if (found.length > 0) return found
  }
  return undefined
}
