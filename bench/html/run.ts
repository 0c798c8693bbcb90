import { join } from 'node:path'
import { Readability } from '@mozilla/readability'
import { sha256 } from '../../src/kernel/json.ts'
import { parseHtml } from '../../src/sources/files/html/dom.ts'
import { htmlToText } from '../../src/sources/files/html/html-to-text.ts'
import { type HtmlContent, readHtml } from '../../src/sources/files/html/read-html.ts'
import { metadataRows } from './metadata.ts'
import { articlePages, type LabelledPage, readabilityPages } from './pages.ts'
import { plainRows } from './plain-rows.ts'
import { type Matches, matchTexts, scoreOf } from './score.ts'

// Measures the main text of web pages: `SCHOLIUM_DATA=… node bench/html/run.ts`. Beside Readability alone and the text
// of the whole page; ends with 1 where the reader is not better than Readability alone.

/** A page that takes longer is taken for one that hangs. */
const MAX_PAGE_MS = 5_000
const HALVES = ['dev', 'held-out'] as const

const data = process.env.SCHOLIUM_DATA
if (data === undefined) {
  console.error('SCHOLIUM_DATA must name the data folder.')
  process.exit(2)
}
const articles = articlePages(join(data, '06-conformance/article-extraction'))
const samples = readabilityPages(join(data, '06-conformance/readability'))
const times: number[] = []

/** The ways to a page's text that are compared. */
const READERS: Readonly<Record<string, (page: LabelledPage) => Promise<string>>> = {
  'this reader': async (page) => {
    const start = performance.now()
    const content = await contentOf(page)
    times.push(performance.now() - start)
    return content?.text ?? ''
  },
  'this reader, names of columns once': async (page) =>
    plainRows((await contentOf(page))?.text ?? ''),
  'Readability alone': async ({ html }) => {
    const document = await parseHtml(html)
    if ('reason' in document) return ''
    return new Readability(document as never).parse()?.textContent ?? ''
  },
  'all of the page': async ({ html }) => textOf(html),
}

const f1s = await scoreArticles()
await scoreSamples()
const slowest = Math.max(...times)
printSpeed()
const isBetter = HALVES.every(
  (half) => (f1s.get(`this reader ${half}`) ?? 0) > (f1s.get(`Readability alone ${half}`) ?? 1),
)
process.exitCode = isBetter && slowest <= MAX_PAGE_MS ? 0 : 1

async function scoreArticles(): Promise<ReadonlyMap<string, number>> {
  const rows: Record<string, string | number>[] = []
  const f1s = new Map<string, number>()
  for (const [reader, read] of Object.entries(READERS)) {
    const matches: { half: LabelledPage['half']; page: Matches }[] = []
    for (const page of articles) {
      matches.push({ half: page.half, page: matchTexts(page.expected, await read(page)) })
    }
    for (const half of [...HALVES, 'all'] as const) {
      const pages = matches.filter((match) => half === 'all' || match.half === half)
      const score = scoreOf(pages.map(({ page }) => page))
      f1s.set(`${reader} ${half}`, score.f1)
      rows.push({ reader, half, pages: pages.length, ...rounded(score) })
    }
  }
  console.log('Article extraction benchmark (shingles of four words):')
  console.table(rows)
  return f1s
}

/** Against what Readability's authors expect of their own code: how much is taken out beyond it, and what is lost. */
async function scoreSamples(): Promise<void> {
  const rows: Record<string, string | number>[] = []
  for (const half of HALVES) {
    const pages = samples.filter((page) => page.half === half)
    const matches: Matches[] = []
    for (const page of pages) {
      const text = await READERS['this reader']?.(page)
      matches.push(matchTexts(await textOf(page.expected), text ?? '', 1))
    }
    rows.push({ half, pages: pages.length, ...rounded(scoreOf(matches)) })
  }
  console.log("Readability's own test pages, against its expected text (single words):")
  console.table(rows)
  console.log('What it expects to be told of them, where it expects anything:')
  console.table(await metadataRows(samples, contentOf))
}

function printSpeed(): void {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
  const sum = times.reduce((total, time) => total + time, 0)
  console.table([
    {
      pages: times.length,
      'pages a second': Math.round((1_000 * times.length) / sum),
      'p50 (ms)': at(0.5),
      'p95 (ms)': at(0.95),
      'max (ms)': at(1),
      'peak RSS (MB)': Math.round(process.resourceUsage().maxRSS / 1_024),
    },
  ])
}

async function contentOf(page: LabelledPage): Promise<HtmlContent | undefined> {
  const options = { url: page.url }
  const content = await readHtml(page.html, sha256(page.html), `/${page.name}.html`, options)
  return 'reason' in content ? undefined : content
}

async function textOf(html: string): Promise<string> {
  const read = await htmlToText(html)
  return 'reason' in read ? '' : read.text
}

function rounded(score: ReturnType<typeof scoreOf>): Record<string, string> {
  return Object.fromEntries(Object.entries(score).map(([name, value]) => [name, value.toFixed(3)]))
}
