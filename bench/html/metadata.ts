import type { CslItem } from '../../src/citations/source.ts'
import type { HtmlContent } from '../../src/sources/files/html/read-html.ts'
import type { Measure } from '../bench.ts'
import type { DescribedPage, LabelledPage } from './pages.ts'

/** What is compared: where Readability expects it, where this reader's CSL-JSON has it, and the share that must be equal. */
const fields: Readonly<
  Record<string, readonly [expected: string, found: (csl: CslItem) => string, atLeast: number]>
> = {
  title: ['title', (csl) => csl.title ?? '', 0.8],
  authors: ['byline', namesOf, 0.6],
  site: ['siteName', (csl) => csl['container-title'] ?? csl.publisher ?? '', 0.9],
  language: ['lang', (csl) => csl.language ?? '', 0.7],
  'day of publication': ['publishedTime', dateOf, 0.9],
}

/** The share of pages whose metadata is what Readability's authors expect, of those for which they expect anything. */
export async function countMetadata(
  pages: readonly DescribedPage[],
  read: (page: LabelledPage) => Promise<HtmlContent | undefined>,
): Promise<readonly Measure[]> {
  const counts = Object.entries(fields).map(([field, [key, find, atLeast]]) => ({
    field,
    key,
    find,
    atLeast,
    expected: 0,
    equal: 0,
  }))
  for (const page of pages) {
    const csl = (await read(page))?.csl
    for (const count of counts) {
      const written = page.metadata[count.key]
      if (typeof written !== 'string' || written.trim() === '') continue
      const expected = comparable(count.key === 'publishedTime' ? dayIn(written) : written)
      count.expected++
      if (csl !== undefined && comparable(count.find(csl)) === expected) count.equal++
    }
  }
  return counts
    .filter(({ expected }) => expected > 0)
    .map(({ field, expected, equal, atLeast }) => ({
      what: `${field} as expected, of ${expected} pages`,
      value: equal / expected,
      target: { atLeast },
    }))
}

function namesOf(csl: CslItem): string {
  const names = (csl.author ?? []).map(
    ({ literal, given, family }) => literal ?? `${given} ${family}`,
  )
  return names.join(', ')
}

function dateOf(csl: CslItem): string {
  const parts = csl.issued?.['date-parts']?.[0] ?? []
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

/** The day that a time names, in the zone in which it is written. */
function dayIn(time: string): string {
  return /^\d{4}-\d\d-\d\d/.exec(time)?.[0] ?? time
}

function comparable(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
}
