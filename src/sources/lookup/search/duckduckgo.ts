import { type DomElement, parseHtml } from '../../files/html/dom.ts'
import { baseUrlOf, type LookupAccess } from '../access.ts'
import { failure, type Lookup } from '../outcome.ts'
import { sendForSuccess } from '../send.ts'
import {
  hitsOf,
  limitIn,
  type RawHit,
  type SearchHit,
  type WebQuery,
  type WebSearch,
  wordsWithSites,
} from './web-search.ts'

/** DuckDuckGo's page for browsers without scripts. It has no interface for programs, and often asks for proof of a person. */
export const duckduckgo: WebSearch = { name: 'duckduckgo', search }

async function search(
  access: LookupAccess,
  query: WebQuery,
): Promise<Lookup<{ readonly hits: readonly SearchHit[] }>> {
  const base = baseUrlOf(access, 'duckduckgo')
  if (typeof base !== 'string') return base
  const got = await sendForSuccess(access, 'duckduckgo', {
    url: `${base}/html/`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' },
    body: String(new URLSearchParams({ q: wordsWithSites(query) })),
    accept: 'text/html',
  })
  return 'reason' in got ? got : duckduckgoHitsIn(got.text, limitIn(query))
}

/** The hits on a page of results, without its advertisements. */
export async function duckduckgoHitsIn(
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
  const hits = hitsOf('duckduckgo', results.flatMap(hitIn), limit)
  if (hits.length === 0 && page.querySelector('.no-results') === null) {
    return failure(
      'duckduckgo',
      'malformed',
      'The page has neither results nor a "no results" message.',
    )
  }
  return { ok: true, hits }
}

function hitIn(result: DomElement): readonly RawHit[] {
  const link = result.querySelector('.result__a')
  const isAdvertisement = /\bresult--ad\b/.test(result.getAttribute('class') ?? '')
  const url = targetOf(link?.getAttribute('href') ?? '')
  if (link === null || isAdvertisement || url === undefined) return []
  const snippet = result.querySelector('.result__snippet')?.textContent
  return [{ title: collapsed(link.textContent), url, snippet: collapsed(snippet) }]
}

function collapsed(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ')
}

/** Where a link leads: most go through a page that counts them; those of advertisements through another. */
function targetOf(href: string): string | undefined {
  const url = URL.parse(href, 'https://html.duckduckgo.com')
  if (url === null || !/(?:^|\.)duckduckgo\.com$/.test(url.hostname)) return url?.href
  return url.pathname === '/l/' ? (url.searchParams.get('uddg') ?? undefined) : undefined
}
