import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDocumentProxy } from 'unpdf'
import { listFiles } from '../../src/sources/list-files.ts'
import { readPaths } from '../../src/sources/read-files.ts'
import { measureOrder } from './order.ts'
import { measurePapers } from './paper-speed.ts'
import { type PopplerOrder, popplerPages, sharedRuns } from './pdftotext.ts'
import { compareTitles } from './titles.ts'

// Measures reading PDFs: `SCHOLIUM_DATA=… node bench/pdf/run.ts`. Speed compared to bare pdf.js, words and order to
// poppler's pdftotext, order in columns that Chromium prints (where these are installed), titles to labels, and what
// becomes of bad files. It exits with 1 when a target is missed.

const ROUNDS = 3
const TARGET_PAGES_PER_S = 100
const TARGET_TITLES = 0.9
const TARGET_RECALL = 0.94
const TARGET_ORDER = 0.99
/** A bad file may take as long as any file, and a little more for what it leaves behind. */
const TARGET_LONGEST_MS = 10_500

const data = process.env.SCHOLIUM_DATA
if (data === undefined) {
  console.error('SCHOLIUM_DATA must name the data folder.')
  process.exit(2)
}
const folder = join(data, '04-pdf')
const papers = readFileSync(join(folder, 'papers/INDEX.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => join(folder, line.split('|')[0] as string))

await measureSpeed()
await measureReading()
await measureTitles()
await measureWords()
await measureColumns()
await measureBadFiles()

function expectTarget(what: string, isMet: boolean): void {
  if (isMet) return
  console.error(`Missed: ${what}`)
  process.exitCode = 1
}

async function measureSpeed(): Promise<void> {
  const rows: Record<string, string | number>[] = []
  const speeds: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const bare = await timePages(barePages())
    const ours = await timePages(ourPages())
    speeds.push(ours.pagesPerS)
    rows.push({
      round,
      'this reader, 2 workers (pages/s)': Math.round(ours.pagesPerS),
      'bare pdf.js, 1 thread (pages/s)': Math.round(bare.pagesPerS),
      ratio: (ours.pagesPerS / bare.pagesPerS).toFixed(2),
      'CPU a page, this reader (ms)': ours.cpuMsPerPage.toFixed(1),
      'CPU a page, bare (ms)': bare.cpuMsPerPage.toFixed(1),
    })
  }
  console.log(
    `\nSpeed over ${papers.length} papers (target: ${TARGET_PAGES_PER_S} pages/s on 2 cores)`,
  )
  console.log(
    '(the workers start anew each round, while bare pdf.js is warm from the second round on)',
  )
  console.table(rows)
  expectTarget('pages a second', median(speeds) >= TARGET_PAGES_PER_S)
}

async function measureReading(): Promise<void> {
  const { pagesPerS, againPagesPerS, ...found } = await measurePapers(papers)
  console.log('\nRead into a library and cut into chunks, as a run of papers does')
  console.table({
    papers: {
      'pages/s': Math.round(pagesPerS),
      'pages/s where the library has them': Math.round(againPagesPerS),
      ...found,
    },
  })
}

async function measureTitles(): Promise<void> {
  const found = new Map<string, string>()
  for await (const outcome of readPaths(papers.map((path) => ({ path }))))
    if (outcome.ok) found.set(outcome.path, outcome.document.title)
  const { wrong, ...result } = compareTitles(found)
  console.log(`\nTitles (target: ${TARGET_TITLES} right)`)
  console.table({ titles: { ...result, share: (result.right / result.papers).toFixed(3) } })
  for (const title of wrong) console.log(`wrong: ${title}`)
  expectTarget('titles', result.right >= TARGET_TITLES * result.papers)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}

async function timePages(pageCounts: AsyncIterable<number>): Promise<{
  readonly pagesPerS: number
  readonly cpuMsPerPage: number
}> {
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  let pages = 0
  for await (const count of pageCounts) pages += count
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    pagesPerS: (1_000 * pages) / (performance.now() - startedAt),
    cpuMsPerPage: (user + system) / 1_000 / pages,
  }
}

async function* ourPages(): AsyncIterable<number> {
  for await (const outcome of readPaths(papers.map((path) => ({ path }))))
    yield outcome.ok ? outcome.document.pages.length : 0
}

async function* barePages(): AsyncIterable<number> {
  for (const path of papers) {
    const file = await getDocumentProxy(new Uint8Array(readFileSync(path)), { verbosity: 0 })
    for (let number = 1; number <= file.numPages; number++) {
      await (await file.getPage(number)).getTextContent()
    }
    yield file.numPages
    await file.loadingTask.destroy()
  }
}

async function measureWords(): Promise<void> {
  if (popplerPages(papers[0] as string, 'layout') === undefined) {
    console.log('\nWords and order: not measured, pdftotext (poppler-utils) is not installed.')
    return
  }
  const tallies = { words: newTally(), drawn: newTally(), layout: newTally() }
  const recalls: number[] = []
  let next = 0
  for await (const outcome of readPaths(papers.map((path) => ({ path })))) {
    const path = papers[next++] as string
    if (!outcome.ok) continue
    const { text, pages } = outcome.document
    const texts = pages.map(({ start, end }) => text.slice(start, end))
    const words = newTally()
    compare(words, path, 'drawn', texts, 1)
    if (words.total > 0) recalls.push(words.found / words.total)
    tallies.words.found += words.found
    tallies.words.total += words.total
    compare(tallies.drawn, path, 'drawn', texts, 4)
    compare(tallies.layout, path, 'layout', texts, 4)
  }
  console.log("\nOf pdftotext's words and runs of four words, page by page, what the text has too")
  console.log('(running heads and page numbers, which are dropped, count as missing)')
  console.table({
    words: { share: share(tallies.words) },
    'words, the median paper': { share: median(recalls).toFixed(4) },
    'words, the worst paper': { share: Math.min(...recalls).toFixed(4) },
    'runs of 4, in drawn order': { share: share(tallies.drawn) },
    "runs of 4, in poppler's layout order": { share: share(tallies.layout) },
  })
  expectTarget('recall of words', median(recalls) >= TARGET_RECALL)
}

async function measureColumns(): Promise<void> {
  const results = await measureOrder()
  if (results === undefined) {
    console.log('\nOrder in printed columns: not measured, no Chromium is installed.')
    return
  }
  console.log(`\nNeighbouring markers in order, on printed pages (target: ${TARGET_ORDER})`)
  console.table(results.map((result) => ({ ...result, score: result.score.toFixed(4) })))
  for (const { name, score } of results) expectTarget(`order: ${name}`, score >= TARGET_ORDER)
}

interface Tally {
  found: number
  total: number
}

function newTally(): Tally {
  return { found: 0, total: 0 }
}

function share({ found, total }: Tally): string {
  return (found / total).toFixed(4)
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

async function measureBadFiles(): Promise<void> {
  const { files } = await listFiles([join(folder, 'nasty')])
  const reasons: Record<string, number> = {}
  const startedAt = performance.now()
  let lastAt = startedAt
  let longestMs = 0
  for await (const outcome of readPaths(files)) {
    longestMs = Math.max(longestMs, performance.now() - lastAt)
    lastAt = performance.now()
    const reason = outcome.ok ? 'read' : outcome.ok === false ? outcome.unreadable.reason : 'left'
    reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(
    `\n${files.length} bad files in ${seconds} s; longest wait for one ${Math.round(longestMs)} ms`,
  )
  console.table(
    Object.fromEntries(
      Object.entries(reasons).map(([reason, count]) => [reason, { files: count }]),
    ),
  )
  expectTarget('time for a bad file', longestMs <= TARGET_LONGEST_MS)
}
