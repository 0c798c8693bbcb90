import type { CslItem } from '../../../citations/source.ts'
import { parseDate } from '../../files/html/page-facts.ts'
import { type LookupAccess, withAccessDate } from '../access.ts'
import { failure, type Lookup, type LookupFailure } from '../outcome.ts'
import { isRecord, omitUndefined, toCount, toLine, toRecords } from '../values.ts'
import { articleUrl, requestWikipedia, type WikiRecord } from './wikipedia-request.ts'

/** An article. */
export interface WikipediaPage {
  /** Its own title, after normalisation and redirects. */
  readonly title: string
  readonly url: string
  readonly language: string
  readonly pageId?: number
  /** The version that was read. */
  readonly revisionId?: number
  /** When that version was made, in ISO 8601. */
  readonly editedAt?: string
  /** The whole article as plain text, with headings as `== Heading ==`. */
  readonly text: string
  /** The parts of {@link text}, introduction first. */
  readonly sections: readonly WikipediaSection[]
  /** The requested title, if it redirects here. */
  readonly redirectedFrom?: string
  /** Whether it only lists articles with similar names; they are in `meanings`. */
  readonly isDisambiguation: boolean
  readonly meanings: readonly string[]
  readonly item: CslItem
}

/** The requested article. */
export interface WikipediaPageRequest {
  readonly title: string
  /** The Wikipedia's language code. Default `en`. */
  readonly language?: string
}

const maxTitleChars = 255
const maxMeanings = 100

/**
 * Reads an article as plain text with sections; for a disambiguation page, the listed titles.
 * @see https://www.mediawiki.org/wiki/Extension:TextExtracts
 */
export async function readWikipediaPage(
  access: LookupAccess,
  { title, language = 'en' }: WikipediaPageRequest,
): Promise<Lookup<{ readonly page: WikipediaPage }>> {
  const name = title.trim()
  if (name === '' || name.length > maxTitleChars || /[|<>[\]{}#]/.test(name)) {
    return failure('wikipedia', 'refused', `"${name}" is not a valid article title.`)
  }
  const got = await requestWikipedia(access, language, {
    titles: name,
    redirects: '1',
    prop: 'extracts|info|pageprops|revisions',
    explaintext: '1',
    exsectionformat: 'wiki',
    inprop: 'url',
    ppprop: 'disambiguation',
    rvprop: 'ids|timestamp',
  })
  if ('reason' in got) return got
  const read = parseWikipediaPage(got.answer, language, got.site)
  if (!read.ok) return read
  const page = { ...read.page, item: withAccessDate(read.page.item, access) }
  if (!page.isDisambiguation) return { ok: true, page }
  const meanings = await readMeanings(access, page)
  return 'reason' in meanings ? meanings : { ok: true, page: { ...page, ...meanings } }
}

async function readMeanings(
  access: LookupAccess,
  { title, language }: WikipediaPage,
): Promise<{ readonly meanings: readonly string[] } | LookupFailure> {
  const got = await requestWikipedia(access, language, {
    titles: title,
    prop: 'links',
    plnamespace: '0',
    pllimit: String(maxMeanings),
  })
  if ('reason' in got) return got
  const page = parsePage(got.answer)
  const links = toRecords(page?.links, maxMeanings)
  return { meanings: links.flatMap((link) => toLine(link.title) ?? []) }
}

/** The article in a response, or a failure if there is none. `site` is the Wikipedia's address without a trailing slash. */
export function parseWikipediaPage(
  answer: WikiRecord,
  language: string,
  site: string,
): Lookup<{ readonly page: WikipediaPage }> {
  const page = parsePage(answer)
  const title = toLine(page?.title)
  if (page === undefined || title === undefined) {
    return failure('wikipedia', 'malformed', 'The response has no article.')
  }
  if (page.missing !== undefined || page.invalid !== undefined) {
    const said = toLine(page.invalidreason)
    return failure(
      'wikipedia',
      'not_found',
      `The Wikipedia in "${language}" has no article "${title}".${said === undefined ? '' : ` ${said}`}`,
      { hint: 'Search for it, or try another spelling or language.' },
    )
  }
  if (typeof page.extract !== 'string') {
    return failure('wikipedia', 'malformed', `The response has no text for "${title}".`)
  }
  return { ok: true, page: toPage(page, title, page.extract, language, site, answer) }
}

function parsePage({ query }: WikiRecord): WikiRecord | undefined {
  const pages = isRecord(query) ? query.pages : undefined
  const list = isRecord(pages) ? Object.values(pages).slice(0, 2) : pages
  return toRecords(list, 2)[0]
}

function toPage(
  page: WikiRecord,
  title: string,
  text: string,
  language: string,
  site: string,
  { query }: WikiRecord,
): WikipediaPage {
  const [revision] = toRecords(page.revisions, 1)
  const [redirection] = toRecords(isRecord(query) ? query.redirects : undefined, 1)
  const properties = isRecord(page.pageprops) ? page.pageprops : {}
  const url = articleUrl(site, title)
  const editedAt = toLine(revision?.timestamp ?? page.touched, 40)
  return omitUndefined({
    title,
    url,
    language,
    pageId: toCount(page.pageid),
    revisionId: toCount(revision?.revid ?? page.lastrevid),
    editedAt,
    text,
    sections: articleSections(text),
    redirectedFrom: toLine(redirection?.from),
    isDisambiguation: Object.hasOwn(properties, 'disambiguation'),
    meanings: [],
    item: toCsl({ title, url, language }, editedAt),
  })
}

function toCsl(
  { title, url, language }: Pick<WikipediaPage, 'title' | 'url' | 'language'>,
  editedAt: string | undefined,
): CslItem {
  const issued = parseDate(editedAt)
  return {
    id: `wikipedia:${language}:${title}`,
    type: 'entry-encyclopedia',
    title,
    'container-title': 'Wikipedia',
    language,
    URL: url,
    ...(issued === undefined ? {} : { issued }),
  }
}

/** A part of an article. */
interface WikipediaSection {
  /** Empty for the introduction. */
  readonly title: string
  /** 1 for the introduction, 2 for a section, 3 for a subsection, up to 6. */
  readonly level: number
  /** Its own text, without subsections. */
  readonly text: string
  /** Where it starts in the article's text, heading included, and where its own text ends, in UTF-16 code units. */
  readonly start: number
  readonly end: number
}

/** Further headings are treated as text. */
const maxSections = 2_000

/** The sections of an article's plain text with headings as `== Heading ==`; an empty introduction is left out. */
export function articleSections(text: string): readonly WikipediaSection[] {
  const headings = [
    ...text.matchAll(/^(={2,6})[ \t]{0,9}(\S.{0,500}?)[ \t]{0,9}\1[ \t]{0,9}$/gmu),
  ].slice(0, maxSections)
  const starts = [
    { title: '', level: 1, start: 0, textStart: 0 },
    ...headings.map(({ 0: whole, 1: marks = '', 2: title = '', index }) => ({
      title,
      level: marks.length,
      start: index,
      textStart: index + whole.length,
    })),
  ]
  return starts.flatMap(({ title, level, start, textStart }, index) => {
    const end = starts[index + 1]?.start ?? text.length
    const own = text.slice(textStart, end).trim()
    return level === 1 && own === '' ? [] : [{ title, level, text: own, start, end }]
  })
}

/** The first section with this title, including its subsections; case is ignored. */
export function sectionWithParts(
  sections: readonly WikipediaSection[],
  title: string,
): readonly WikipediaSection[] {
  const wanted = title.trim().toLowerCase()
  const first = sections.findIndex((section) => section.title.toLowerCase() === wanted)
  const found = sections[first]
  if (found === undefined) return []
  const rest = sections.slice(first + 1)
  const after = rest.findIndex(({ level }) => level <= found.level)
  return [found, ...(after < 0 ? rest : rest.slice(0, after))]
}
