import { basename, extname } from 'node:path'
import type { CslItem } from '../../../citations/source.ts'
import type { DomDocument } from './dom.ts'
import { jsonLdFacts } from './json-ld.ts'
import { dublinCoreFacts, highwireFacts, metaTags, openGraphFacts } from './meta-tags.ts'
import { nameOf, type PageFacts } from './page-facts.ts'
import { plainValue } from './plain-value.ts'
import { writtenDate } from './written-date.ts'

/**
 * What a page says of itself as CSL-JSON, read before anything is taken out of it. What journals write for catalogues
 * goes before what is written for search engines, that before what is written for sharing, that before what is shown.
 * All of it is the page's own word: plain text of bounded length, addresses only http(s).
 */
export function pageMetadata(
  document: DomDocument,
  page: { readonly id: string; readonly path: string; readonly url?: string | undefined },
): CslItem & { readonly title: string } {
  const tags = metaTags(document)
  const facts = [
    highwireFacts(tags),
    jsonLdFacts(document),
    dublinCoreFacts(tags),
    openGraphFacts(tags),
    shownFacts(document),
  ]
  const first = <Key extends keyof PageFacts>(key: Key): PageFacts[Key] =>
    facts.map((fact) => fact[key]).find((value) => value !== undefined)
  const author = facts.map((fact) => fact.author ?? []).find((names) => names.length > 0)
  const site = first('container') ?? first('publisher')
  const title = withoutSite(first('title'), site) ?? basename(page.path, extname(page.path))
  const addresses = [...facts.map((fact) => fact.url).reverse(), page.url]
  const url = addresses.map((address) => addressOf(address, page.url)).find(Boolean)
  const doi = /10\.\d{4,9}\/[^\s"<>]{1,200}/.exec(first('doi') ?? '')?.[0].replace(/[.,;)]+$/, '')
  const language = languageOf(first('language'))
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

/** What a reader sees: the title, who wrote it, when. */
function shownFacts(document: DomDocument): PageFacts {
  const time = document.querySelector(
    'time[itemprop~="datePublished"],time[pubdate],article time[datetime]',
  )
  return {
    title: shownTitle(document),
    author: bylineOf(document),
    issued: writtenDate(time?.getAttribute('datetime') ?? time?.textContent ?? undefined),
    language: document.documentElement.getAttribute('lang') ?? undefined,
    url: document.querySelector('link[rel="canonical"]')?.getAttribute('href') ?? undefined,
  }
}

/** The title in the head, without the site's name where the main heading shows where that begins. */
function shownTitle(document: DomDocument): string | undefined {
  const title = plainValue(document.querySelector('title')?.textContent, 500)
  const headings = [...document.querySelectorAll('h1')].slice(0, 20)
  const shown = headings.map((heading) => plainValue(heading.textContent, 500))
  if (title === undefined) return shown.find((heading) => heading !== undefined)
  return (
    shown.find(
      (heading) => heading !== undefined && heading.length > 8 && title.startsWith(heading),
    ) ?? title
  )
}

/** A title without ` | Site` or ` - Site` at its end. */
function withoutSite(title: string | undefined, site: string | undefined): string | undefined {
  if (title === undefined || site === undefined) return title
  const start = title.length - site.length
  const isNamed = start > 3 && title.slice(start).toLowerCase() === site.toLowerCase()
  return isNamed ? title.slice(0, start).replace(/\s+[|\-–—·•:»]\s+$/, '') : title
}

const BYLINES =
  '[itemprop~="author"] [itemprop~="name"],[itemprop~="author"],[rel~="author"],.byline-name,.byline__name,.byline,.author-name,.author'

function bylineOf(document: DomDocument): CslItem['author'] {
  for (const element of [...document.querySelectorAll(BYLINES)].slice(0, 20)) {
    const text = plainValue(element.textContent, 300)
    if (text !== undefined && text.length < 100) {
      const [name] = text.split(/\s+[|•·—–-]\s*/)
      const names = nameOf(name?.replace(/^(?:(?:written|posted|reported)\s+)?by[\s:]+/i, ''))
      if (names.length > 0) return names
    }
  }
  return undefined
}

/** An http(s) address; what a fetched page says of itself counts only on its own host. */
function addressOf(written: string | undefined, fetched: string | undefined): string | undefined {
  if (written === undefined || !URL.canParse(written, fetched)) return undefined
  const url = new URL(written, fetched)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const isOwn = fetched === undefined || hostOf(new URL(fetched)) === hostOf(url)
  if (!isWeb || !isOwn || url.username !== '' || url.password !== '') return undefined
  return url.href.length <= 2_000 ? url.href : undefined
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^(?:www|m|mobile|amp)\./, '')
}

function languageOf(written: string | undefined): string | undefined {
  const tag = written?.trim().replace('_', '-') ?? ''
  return /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i.test(tag) ? tag : undefined
}
