import type { CslItem } from '../../src/citations/source.ts'
import type { HtmlContent } from '../../src/sources/files/html/read-html.ts'
import type { DescribedPage, LabelledPage } from './pages.ts'

/** What is compared: where Readability says it, and how this reader's CSL-JSON does. */
const FIELDS: Readonly<
  Record<string, readonly [expected: string, found: (csl: CslItem) => string]>
> = {
  title: ['title', (csl) => csl.title ?? ''],
  authors: ['byline', namesOf],
  site: ['siteName', (csl) => csl['container-title'] ?? csl.publisher ?? ''],
  language: ['lang', (csl) => csl.language ?? ''],
  date: ['publishedTime', dateOf],
}

/** How often the metadata is what Readability's authors expect: the same, or one within the other. */
export async function metadataRows(
  pages: readonly DescribedPage[],
  read: (page: LabelledPage) => Promise<HtmlContent | undefined>,
): Promise<Record<string, string | number>[]> {
  const rows = Object.keys(FIELDS).map((field) => ({
    field,
    expected: 0,
    same: 0,
    within: 0,
    missing: 0,
  }))
  for (const page of pages) {
    const csl = (await read(page))?.csl
    for (const row of rows) {
      const [key, find] = FIELDS[row.field] as (typeof FIELDS)[string]
      const written = page.metadata[key]
      if (typeof written !== 'string' || written.trim() === '') continue
      const expected = comparable(row.field === 'date' ? dayIn(written) : written)
      const found = comparable(csl === undefined ? '' : find(csl))
      row.expected++
      if (found === expected) row.same++
      else if (found === '') row.missing++
      else if (found.includes(expected) || expected.includes(found)) row.within++
    }
  }
  return rows
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
