import { type DomElement, parseHtml } from '../../files/html/dom.ts'
import { findBaseUrl, type LookupAccess } from '../access.ts'
import { failure, type Lookup } from '../outcome.ts'
import { sendForSuccess } from '../send.ts'
import {
  addSites,
  clampLimit,
  type RawHit,
  type SearchHit,
  toHits,
  type WebQuery,
  type WebSearch,
} from './web-search.ts'

/** DuckDuckGo's HTML page. It has no API, and often asks for proof of being human. */
export const duckduckgo: WebSearch = { name: 'duckduckgo', search }

async function search(
  access: LookupAccess,
  query: WebQuery,
): Promise<Lookup<{ readonly hits: readonly SearchHit[] }>> {
  const base = findBaseUrl(access, 'duckduckgo')
  if (typeof base !== 'string') return base
  const got = await sendForSuccess(access, 'duckduckgo', {
    url: `${base}/html/`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' },
    body: String(new URLSearchParams({ q: addSites(query) })),
    accept: 'text/html',
  })
  return 'reason' in got ? got : parseDuckduckgoHits(got.text, clampLimit(query))
}

/** The hits on a results page, without advertisements. */
export async function parseDuckduckgoHits(
  html: string,
  limit: number,
): Promise<Lookup<{ readonly hits: readonly SearchHit[] }>> {
  if (/class="anomaly-modal|\banomaly\.js\b/.test(html)) {
    const detail = 'DuckDuckGo asks for proof that the user is human.'
    return failure('duckduckgo', 'blocked', detail)
  }
  const page = await parseHtml(html)
  if ('reason' in page) return failure('duckduckgo', 'malformed', page.detail)
  const results = [...page.querySelectorAll('.result')].slice(0, 100)
  const hits = toHits('duckduckgo', results.flatMap(parseHit), limit)
  if (hits.length === 0 && page.querySelector('.no-results') === null) {
    return failure(
      'duckduckgo',
      'malformed',
      'The page has neither results nor a "no results" message.',
    )
  }
  return { ok: true, hits }
}

function parseHit(result: DomElement): readonly RawHit[] {
  const link = result.querySelector('.result__a')
  const isAdvertisement = /\bresult--ad\b/.test(result.getAttribute('class') ?? '')
  const url = findTarget(link?.getAttribute('href') ?? '')
  if (link === null || isAdvertisement || url === undefined) return []
  const snippet = result.querySelector('.result__snippet')?.textContent
  return [{ title: collapseSpaces(link.textContent), url, snippet: collapseSpaces(snippet) }]
}

function collapseSpaces(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ')
}

/** A link's target: most go through a counting redirect, advertisements through another. */
function findTarget(href: string): string | undefined {
  const url = URL.parse(href, 'https://html.duckduckgo.com')
  if (url === null || !/(?:^|\.)duckduckgo\.com$/.test(url.hostname)) return url?.href
  return url.pathname === '/l/' ? (url.searchParams.get('uddg') ?? undefined) : undefined
}
