import type { CslItem } from '../../../citations/source.ts'
import { writtenDate } from '../../files/html/written-date.ts'
import { type LookupAccess, withAccessed } from '../access.ts'
import { failure, type Lookup, type LookupFailure } from '../outcome.ts'
import { countOf, isRecord, lineOf, present, recordsOf } from '../values.ts'
import { articleUrl, askWikipedia, type WikiRecord } from './wikipedia-request.ts'
import { articleSections, type WikipediaSection } from './wikipedia-sections.ts'

/** An article. */
export interface WikipediaPage {
  /** As the article itself is called, after normalisation and redirections. */
  readonly title: string
  readonly url: string
  readonly language: string
  readonly pageId?: number
  /** The version that was read. */
  readonly revisionId?: number
  /** When that version was made, in ISO 8601. */
  readonly editedAt?: string
  /** The whole article as plain text; headings stand as `== Heading ==`. */
  readonly text: string
  /** The parts of {@link text}, the introduction first. */
  readonly sections: readonly WikipediaSection[]
  /** The title that was asked for, where it leads here. */
  readonly redirectedFrom?: string
  /** Whether it only lists articles with names of this kind; they are `meanings`. */
  readonly isDisambiguation: boolean
  readonly meanings: readonly string[]
  readonly item: CslItem
}

/** What is asked for. */
export interface WikipediaPageRequest {
  readonly title: string
  /** A Wikipedia's language code. Default `en` */
  readonly language?: string
}

const MAX_TITLE_CHARS = 255
const MAX_MEANINGS = 100

/**
 * Reads an article as plain text with its sections; of a page that only lists articles, what they are called.
 * @see https://www.mediawiki.org/wiki/Extension:TextExtracts
 */
export async function readWikipediaPage(
  access: LookupAccess,
  { title, language = 'en' }: WikipediaPageRequest,
): Promise<Lookup<{ readonly page: WikipediaPage }>> {
  const name = title.trim()
  if (name === '' || name.length > MAX_TITLE_CHARS || /[|<>[\]{}#]/.test(name)) {
    return failure('wikipedia', 'refused', `"${name}" is not a valid article title.`)
  }
  const got = await askWikipedia(access, language, {
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
  const read = wikipediaPageIn(got.answer, language, got.site)
  if (!read.ok) return read
  const page = { ...read.page, item: withAccessed(read.page.item, access) }
  if (!page.isDisambiguation) return { ok: true, page }
  const meanings = await meaningsOf(access, page)
  return 'reason' in meanings ? meanings : { ok: true, page: { ...page, ...meanings } }
}

async function meaningsOf(
  access: LookupAccess,
  { title, language }: WikipediaPage,
): Promise<{ readonly meanings: readonly string[] } | LookupFailure> {
  const got = await askWikipedia(access, language, {
    titles: title,
    prop: 'links',
    plnamespace: '0',
    pllimit: String(MAX_MEANINGS),
  })
  if ('reason' in got) return got
  const page = pageIn(got.answer)
  const links = recordsOf(page?.links, MAX_MEANINGS)
  return { meanings: links.flatMap((link) => lineOf(link.title) ?? []) }
}

/** The article in an answer, or that there is none of this title. `site` is the address of the Wikipedia, without a slash at its end. */
export function wikipediaPageIn(
  answer: WikiRecord,
  language: string,
  site: string,
): Lookup<{ readonly page: WikipediaPage }> {
  const page = pageIn(answer)
  const title = lineOf(page?.title)
  if (page === undefined || title === undefined) {
    return failure('wikipedia', 'malformed', 'The response has no article.')
  }
  if (page.missing !== undefined || page.invalid !== undefined) {
    const said = lineOf(page.invalidreason)
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
  return { ok: true, page: pageOf(page, title, page.extract, language, site, answer) }
}

function pageIn({ query }: WikiRecord): WikiRecord | undefined {
  const pages = isRecord(query) ? query.pages : undefined
  const list = isRecord(pages) ? Object.values(pages).slice(0, 2) : pages
  return recordsOf(list, 2)[0]
}

function pageOf(
  page: WikiRecord,
  title: string,
  text: string,
  language: string,
  site: string,
  { query }: WikiRecord,
): WikipediaPage {
  const [revision] = recordsOf(page.revisions, 1)
  const [redirection] = recordsOf(isRecord(query) ? query.redirects : undefined, 1)
  const properties = isRecord(page.pageprops) ? page.pageprops : {}
  const url = articleUrl(site, title)
  const editedAt = lineOf(revision?.timestamp ?? page.touched, 40)
  return present({
    title,
    url,
    language,
    pageId: countOf(page.pageid),
    revisionId: countOf(revision?.revid ?? page.lastrevid),
    editedAt,
    text,
    sections: articleSections(text),
    redirectedFrom: lineOf(redirection?.from),
    isDisambiguation: Object.hasOwn(properties, 'disambiguation'),
    meanings: [],
    item: itemOf({ title, url, language }, editedAt),
  })
}

function itemOf(
  { title, url, language }: Pick<WikipediaPage, 'title' | 'url' | 'language'>,
  editedAt: string | undefined,
): CslItem {
  const issued = writtenDate(editedAt)
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
