import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { getDocumentProxy } from 'unpdf'
import {
  createDocumentReader,
  type DocumentReader,
} from '../../src/sources/files/worker/document-reader.ts'
import { listFiles } from '../../src/sources/list-files.ts'
import { readPaths } from '../../src/sources/read-files.ts'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { median } from '../timing.ts'
import { measureOrder } from './order.ts'
import { measurePapers } from './paper-speed.ts'
import { type PopplerOrder, popplerPages, sharedRuns } from './pdftotext.ts'
import { compareTitles } from './titles.ts'

const amounts: Readonly<Record<BenchSize, { papers: number; rounds: number; badFiles: number }>> = {
  smoke: { papers: 3, rounds: 1, badFiles: 3 },
  quick: { papers: 100, rounds: 3, badFiles: 1_000 },
  full: { papers: 100, rounds: 7, badFiles: 1_000 },
}

/** Reading PDFs: speed next to bare PDF.js, titles, words and order next to poppler, and bad files. */
export const bench: Bench = {
  title: 'PDFs',
  needs: ['SCHOLIUM_DATA'],
  async run({ size, dataFolder }) {
    const folder = join(dataFolder, '04-pdf')
    const index = readFileSync(join(folder, 'papers/INDEX.txt'), 'utf8').trim().split('\n')
    const { papers: count, rounds, badFiles } = amounts[size]
    const papers = index.slice(0, count).map((line) => join(folder, line.split('|')[0] as string))
    return [
      ...(await measureSpeed(papers, rounds)),
      ...(await measureTitles(papers)),
      ...(await measureWords(papers)),
      ...(size === 'smoke' ? [] : await measureColumns()),
      ...(await measureBadFiles(join(folder, 'nasty'), badFiles)),
    ]
  },
}

/** What reading all papers once took. */
interface Reading {
  readonly pagesPerS: number
  readonly cpuMsPerPage: number
}

async function measureSpeed(
  papers: readonly string[],
  rounds: number,
): Promise<readonly Measure[]> {
  const bare: Reading[] = []
  const running: Reading[] = []
  const fresh: Reading[] = []
  for (let round = 0; round <= rounds; round++) {
    bare.push(await timePages(barePages(papers)))
    running.push(await timeRunning(papers))
    fresh.push(await timePages(ourPages(papers)))
  }
  const { pagesPerS, againPagesPerS } = await measurePapers(papers)
  // In the first round each compiles its code.
  const speedOf = (readings: readonly Reading[]) =>
    median(readings.slice(1).map((one) => one.pagesPerS))
  const cpuOf = (readings: readonly Reading[]) =>
    median(readings.slice(1).map((one) => one.cpuMsPerPage))
  const yardstick = { what: 'bare PDF.js, one thread, warm', value: speedOf(bare) }
  const speed = (what: string, value: number): Measure => ({
    what,
    value,
    unit: 'pages/s',
    yardstick,
  })
  return [
    { ...speed('read by workers that are running', speedOf(running)), target: { atLeast: 3 } },
    speed('read by workers that are started for it', speedOf(fresh)),
    speed('read into a library and split, workers included', pagesPerS),
    speed('only split, when the library has them', againPagesPerS),
    {
      what: 'processor time per page, workers that are started for it',
      value: cpuOf(fresh),
      unit: 'ms',
      yardstick: { what: 'bare PDF.js, warm', value: cpuOf(bare) },
    },
  ]
}

/** Times workers that have just read the same papers: they end when they are idle for some seconds. */
async function timeRunning(papers: readonly string[]): Promise<Reading> {
  const reader = createDocumentReader()
  await Array.fromAsync(ourPages(papers, reader))
  const reading = await timePages(ourPages(papers, reader))
  await reader.close()
  return reading
}

async function timePages(pageCounts: AsyncIterable<number>): Promise<Reading> {
  const startedAt = performance.now()
  const cpuBefore = cpuMs()
  let pages = 0
  for await (const count of pageCounts) pages += count
  const tookMs = performance.now() - startedAt
  await setTimeout(reapedMs)
  return { pagesPerS: (1_000 * pages) / tookMs, cpuMsPerPage: (cpuMs() - cpuBefore) / pages }
}

/** Until the system counts the workers that have just ended. */
const reapedMs = 200
/** The unit in which Linux counts processor time. */
const tickMs = 10

/** Processor time of this process and, on Linux, of the workers that have ended. */
function cpuMs(): number {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1_000
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + tickMs * Number(ticks), 0)
}

async function* ourPages(
  papers: readonly string[],
  reader?: DocumentReader,
): AsyncIterable<number> {
  const options = reader === undefined ? {} : { reader }
  const files = papers.map((path) => ({ path }))
  for await (const outcome of readPaths(files, options))
    yield outcome.ok ? outcome.document.pages.length : 0
}

async function* barePages(papers: readonly string[]): AsyncIterable<number> {
  for (const path of papers) {
    const file = await getDocumentProxy(new Uint8Array(readFileSync(path)), { verbosity: 0 })
    for (let number = 1; number <= file.numPages; number++)
      await (await file.getPage(number)).getTextContent()
    yield file.numPages
    await file.loadingTask.destroy()
  }
}

async function measureTitles(papers: readonly string[]): Promise<readonly Measure[]> {
  const found = new Map<string, string>()
  for await (const outcome of readPaths(papers.map((path) => ({ path }))))
    if (outcome.ok) found.set(outcome.path, outcome.document.title)
  const { wrong, right, papers: labelled } = compareTitles(found)
  for (const title of wrong) console.log(`wrong: ${title}`)
  const what = `share of ${labelled} titles that are right`
  return [{ what, value: right / labelled, target: { atLeast: 0.9 } }]
}

/** Compares words with those of poppler, page by page; nothing if it is not installed. */
async function measureWords(papers: readonly string[]): Promise<readonly Measure[]> {
  if (popplerPages(papers[0] as string, 'layout') === undefined) {
    console.log('pdftotext (poppler-utils) is not installed: words are not compared.')
    return []
  }
  const tallies = { drawn: newTally(), layout: newTally() }
  const recalls: number[] = []
  for await (const outcome of readPaths(papers.map((path) => ({ path })))) {
    if (!outcome.ok) continue
    const { path } = outcome
    const { text, pages } = outcome.document
    const texts = pages.map(({ start, end }) => text.slice(start, end))
    const words = newTally()
    compare(words, path, 'drawn', texts, 1)
    if (words.total > 0) recalls.push(words.found / words.total)
    compare(tallies.drawn, path, 'drawn', texts, 4)
    compare(tallies.layout, path, 'layout', texts, 4)
  }
  return [
    {
      what: 'share of the words of pdftotext, the median paper',
      value: median(recalls),
      target: { atLeast: 0.94 },
    },
    { what: 'the same, the worst paper', value: Math.min(...recalls) },
    { what: 'share of runs of four words of pdftotext, as drawn', value: shareOf(tallies.drawn) },
    { what: 'the same, in the order of poppler', value: shareOf(tallies.layout) },
  ]
}

async function measureColumns(): Promise<readonly Measure[]> {
  const results = await measureOrder()
  if (results === undefined) {
    console.log('No Chromium is installed: the order of printed columns is not measured.')
    return []
  }
  const value = Math.min(...results.map(({ score }) => score))
  const what = `order of two columns, the worst of ${results.length} layouts`
  return [{ what, value, target: { atLeast: 0.99 } }]
}

interface Tally {
  found: number
  total: number
}

function newTally(): Tally {
  return { found: 0, total: 0 }
}

function shareOf({ found, total }: Tally): number {
  return found / total
}

function compare(
  tally: Tally,
  path: string,
  order: PopplerOrder,
  texts: readonly string[],
  length: number,
): void {
  const reference = popplerPages(path, order) ?? []
  for (const [index, text] of texts.entries()) {
    const { found, total } = sharedRuns(reference[index] ?? '', text, length)
    tally.found += found
    tally.total += total
  }
}

async function measureBadFiles(folder: string, count: number): Promise<readonly Measure[]> {
  const { files } = await listFiles([folder])
  const bad = files.slice(0, count)
  let lastAt = performance.now()
  let longestMs = 0
  let read = 0
  for await (const outcome of readPaths(bad)) {
    longestMs = Math.max(longestMs, performance.now() - lastAt)
    lastAt = performance.now()
    if (outcome.ok) read++
  }
  return [
    { what: `of ${bad.length} bad files, read`, value: read },
    // A bad file may take as long as any file, and a little more for what it leaves behind.
    {
      what: 'longest wait for a bad file',
      value: longestMs,
      unit: 'ms',
      target: { atMost: 10_500 },
    },
  ]
}
