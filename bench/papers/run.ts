// How much longer `papers` takes than the chain of model calls that it cannot do without, and what memory 100 papers take.
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { criticalPathMs } from '../ask/critical-path.ts'
import { start, talk } from '../ask/processes.ts'
import type { SeenCall } from '../ask/serve-model.ts'
import type { Order, Told } from './papers-process.ts'
import { copyPdfs } from './pdf-copies.ts'

const answerMs = 100
/** Homes for each number of papers, and runs over papers that are read already in each. */
const homes = 3
const laterRuns = 4
const target = 1.1
const targetBytes = 600_000_000

const data = process.env.SCHOLIUM_DATA
if (data === undefined) {
  console.error('SCHOLIUM_DATA must name the data folder.')
  process.exit(2)
}
const folder = join(data, '04-pdf')
const pdfs = readFileSync(join(folder, 'papers/INDEX.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => join(folder, line.split('|')[0] as string))

/** One run as it was measured. */
interface Measured extends Told {
  readonly criticalMs: number
  readonly calls: number
}

async function measure(
  server: ChildProcess,
  worker: ChildProcess,
  files: readonly string[],
  isAdded = false,
): Promise<Measured> {
  await talk(server, 'calls')
  const order: Order = { files, isAdded }
  const told = await talk<Told>(worker, order)
  const { calls } = await talk<{ calls: readonly SeenCall[] }>(server, 'calls')
  const isBad = told.status === 'failed' || told.kept < files.length / 2
  if (isBad) throw new Error(`${files.length} papers: ${told.status}, ${told.kept} kept.`)
  return { ...told, criticalMs: criticalPathMs(calls), calls: calls.length }
}

async function startWorker(home: string, baseUrl: string): Promise<ChildProcess> {
  const worker = start(new URL('papers-process.ts', import.meta.url), home, baseUrl)
  await talk(worker)
  return worker
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number
}

function row(name: string, measured: readonly Measured[], isJudged: boolean): boolean {
  const ratios = measured.map(({ wallMs, criticalMs }) => wallMs / criticalMs)
  const ratio = median(ratios)
  const isMet = ratio <= target
  const of = (value: (one: Measured) => number) => median(measured.map(value)).toFixed(0)
  const cells = [
    name.padEnd(40),
    of(({ calls }) => calls).padStart(5),
    `${of(({ criticalMs }) => criticalMs)} ms`.padStart(9),
    `${of(({ wallMs }) => wallMs)} ms`.padStart(8),
    `+${of(({ wallMs, criticalMs }) => wallMs - criticalMs)} ms`.padStart(8),
    `${of(({ cpuMs }) => cpuMs)} ms`.padStart(9),
    ratio.toFixed(3),
    `${Math.min(...ratios).toFixed(3)}–${Math.max(...ratios).toFixed(3)}`,
    isJudged ? (isMet ? 'met' : 'MISSED') : '',
  ]
  console.log(cells.join('  ').trimEnd())
  return isMet || !isJudged
}

/** What a number of papers came to, in processes that do it for the first time and in one that has done it before. */
async function measureCount(
  server: ChildProcess,
  baseUrl: string,
  count: number,
): Promise<boolean> {
  const coldUnread: Measured[] = []
  const warmUnread: Measured[] = []
  const coldRead: Measured[] = []
  const warmRead: Measured[] = []
  for (let number = 0; number < homes; number++) {
    const home = mkdtempSync(join(tmpdir(), 'scholium-bench-papers-'))
    const papers = copyPdfs(pdfs, join(home, 'first'), count)
    const others = copyPdfs(pdfs, join(home, 'other'), count, count)
    const worker = await startWorker(home, baseUrl)
    coldUnread.push(await measure(server, worker, papers))
    warmUnread.push(await measure(server, worker, others))
    for (let run = 0; run < laterRuns; run++) warmRead.push(await measure(server, worker, papers))
    worker.kill()
    const next = await startWorker(home, baseUrl)
    coldRead.push(await measure(server, next, papers))
    next.kill()
    rmSync(home, { recursive: true, force: true })
  }
  const isMet = row(`${count} papers, read before: later runs`, warmRead, true)
  row(`${count} papers, read before: first run`, coldRead, false)
  row(`${count} papers, to be read: later run`, warmUnread, false)
  row(`${count} papers, to be read: first run`, coldUnread, false)
  return isMet
}

/** A run has 20 new papers at most, so 100 come in five runs of one process, each going on from the one before. */
async function measureMemory(server: ChildProcess, baseUrl: string): Promise<boolean> {
  const home = mkdtempSync(join(tmpdir(), 'scholium-bench-papers-'))
  const worker = await startWorker(home, baseUrl)
  let last: Measured | undefined
  for (let first = 0; first < 100; first += 20) {
    const files = copyPdfs(pdfs, join(home, `from-${first}`), 20, first)
    last = await measure(server, worker, files, first > 0)
    const megabytes = (last.peakBytes / 1e6).toFixed(0)
    console.log(
      `${String(first + 20).padStart(3)} papers: ${megabytes} MB at the peak, ${last.kept} kept`,
    )
  }
  worker.kill()
  rmSync(home, { recursive: true, force: true })
  const isMet = (last?.peakBytes ?? Infinity) <= targetBytes
  console.log(`100 papers in at most ${targetBytes / 1e6} MB: ${isMet ? 'met' : 'MISSED'}`)
  return isMet
}

const part = process.argv[2]
const server = start(new URL('model-server.ts', import.meta.url), String(answerMs))
try {
  const { port } = await talk<{ port: number }>(server)
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const load = () =>
    loadavg()
      .map((value) => value.toFixed(1))
      .join(' ')
  console.log(`load before: ${load()}`)
  console.log(
    `${''.padEnd(40)}  calls   critical      wall     above  processor  ratio  (target ${target}) lowest–highest`,
  )
  let isGood = true
  for (const count of part === 'memory' ? [] : [20, 5])
    isGood = (await measureCount(server, baseUrl, count)) && isGood
  if (part !== 'time') isGood = (await measureMemory(server, baseUrl)) && isGood
  console.log(`load after: ${load()}`)
  process.exitCode = isGood ? 0 : 1
} finally {
  server.kill()
}
