import { join } from 'node:path'
import { Readability } from '@mozilla/readability'
import { sha256 } from '../../src/kernel/json.ts'
import { parseHtml } from '../../src/sources/files/html/dom.ts'
import { htmlToText } from '../../src/sources/files/html/html-to-text.ts'
import { type HtmlContent, readHtml } from '../../src/sources/files/html/read-html.ts'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { quantile, timeMs } from '../timing.ts'
import { countMetadata } from './metadata.ts'
import { articlePages, type LabelledPage, readabilityPages } from './pages.ts'
import { plainRows } from './plain-rows.ts'
import { matchTexts, scoreOf } from './score.ts'

/** How many pages of each set. */
const amounts: Readonly<Record<BenchSize, number>> = { smoke: 6, quick: 1_000, full: 1_000 }

/** A page that takes longer counts as one that hangs. */
const maxPageMs = 5_000

/** The main text of web pages and their metadata, next to Readability alone and the text of the whole page. */
export const bench: Bench = {
  title: 'Web pages',
  needs: ['SCHOLIUM_DATA'],
  async run({ size, dataFolder }) {
    const conformance = join(dataFolder, '06-conformance')
    const articles = articlePages(join(conformance, 'article-extraction')).slice(0, amounts[size])
    const samples = readabilityPages(join(conformance, 'readability')).slice(0, amounts[size])
    return [
      ...(await measureTexts(articles)),
      ...(await measureSamples(samples)),
      ...(await measureSpeed([...articles, ...samples])),
      ...(await countMetadata(samples, readPage)),
    ]
  },
}

/** F1 of main texts, as the article extraction benchmark counts it, on the half that was looked at and on the other. */
async function measureTexts(pages: readonly LabelledPage[]): Promise<readonly Measure[]> {
  const measures: Measure[] = []
  for (const half of ['dev', 'held-out'] as const) {
    const own = pages.filter((page) => page.half === half)
    const f1 = async (read: (page: LabelledPage) => Promise<string>) => {
      const matches = []
      for (const page of own) matches.push(matchTexts(page.expected, await read(page)))
      return scoreOf(matches).f1
    }
    const alone = await f1(readAlone)
    const row = {
      yardstick: { what: 'Readability alone', value: alone },
      target: { atLeast: alone },
    }
    const what = `main text of ${own.length} pages, ${half}: F1`
    measures.push(
      { what, value: await f1(readText), ...row },
      {
        what: `${what}, column names counted once`,
        value: await f1(async (page) => plainRows(await readText(page))),
        ...row,
      },
      { what: `${what} of the whole page`, value: await f1(({ html }) => readWhole(html)) },
    )
  }
  return measures
}

/** Against what Readability's authors expect of their own code: single words. */
async function measureSamples(pages: readonly LabelledPage[]): Promise<readonly Measure[]> {
  const measures: Measure[] = []
  for (const half of ['dev', 'held-out'] as const) {
    const own = pages.filter((page) => page.half === half)
    const matches = []
    for (const page of own)
      matches.push(matchTexts(await readWhole(page.expected), await readText(page), 1))
    measures.push({
      what: `Readability's own ${own.length} test pages, ${half}: F1 to its expected text`,
      value: scoreOf(matches).f1,
      target: { atLeast: 0.97 },
    })
  }
  return measures
}

/** Each page by both in turns, in the order in which they come. */
async function measureSpeed(pages: readonly LabelledPage[]): Promise<readonly Measure[]> {
  const times = { ours: [] as number[], alone: [] as number[] }
  for (const page of pages) {
    times.alone.push(await timeMs(() => readAlone(page)))
    times.ours.push(await timeMs(() => readPage(page)))
  }
  return [
    ...[0.5, 0.95].map((share) => ({
      what: `a page; ${share === 0.5 ? 'median' : 'p95'} of ${pages.length}`,
      value: quantile(times.ours, share),
      unit: 'ms',
      yardstick: { what: 'Readability alone', value: quantile(times.alone, share) },
      target: { atMost: 3 },
    })),
    {
      what: `the slowest of ${pages.length} pages`,
      value: Math.max(...times.ours),
      unit: 'ms',
      target: { atMost: maxPageMs },
    },
  ]
}

async function readPage(page: LabelledPage): Promise<HtmlContent | undefined> {
  const options = { url: page.url }
  const content = await readHtml(page.html, sha256(page.html), `/${page.name}.html`, options)
  return 'reason' in content ? undefined : content
}

async function readText(page: LabelledPage): Promise<string> {
  return (await readPage(page))?.text ?? ''
}

async function readAlone({ html }: LabelledPage): Promise<string> {
  const document = await parseHtml(html)
  if ('reason' in document) return ''
  return new Readability(document as never).parse()?.textContent ?? ''
}

async function readWhole(html: string): Promise<string> {
  const read = await htmlToText(html)
  return 'reason' in read ? '' : read.text
}
