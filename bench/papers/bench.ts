import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { criticalPathMs } from '../ask/critical-path.ts'
import type { SeenCall } from '../ask/serve-model.ts'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { libraryUrl } from '../library-url.ts'
import { start, talk } from '../processes.ts'
import { median } from '../timing.ts'
import type { Order, Told } from './papers-process.ts'
import { copyPdfs } from './pdf-copies.ts'

const answerMs = 100

interface Amounts {
  /** How many papers a run has. */
  readonly counts: readonly number[]
  readonly homes: number
  /** Runs in each home over papers that are in its library. */
  readonly laterRuns: number
  /** How many papers memory is measured with, 20 in each run. */
  readonly papersInMemory: number
}

const amounts: Readonly<Record<BenchSize, Amounts>> = {
  smoke: { counts: [2], homes: 1, laterRuns: 1, papersInMemory: 0 },
  quick: { counts: [5], homes: 1, laterRuns: 5, papersInMemory: 0 },
  full: { counts: [20, 5], homes: 2, laterRuns: 4, papersInMemory: 100 },
}

/** How much longer a review of papers takes than the chain of model calls that it cannot do without, and its memory. */
export const bench: Bench = {
  title: 'Papers',
  needs: ['SCHOLIUM_DATA'],
  async run({ size, folder, dataFolder }) {
    const { counts, papersInMemory, ...times } = amounts[size]
    const server = start(new URL('./model-server.ts', import.meta.url), String(answerMs))
    try {
      const { port } = await talk<{ readonly port: number }>(server)
      const pdfs = listPdfs(join(dataFolder, '04-pdf'))
      const place = { server, baseUrl: `http://127.0.0.1:${port}/v1`, folder, pdfs }
      const measures: Measure[] = []
      for (const count of counts) measures.push(...(await measureCount(place, count, times)))
      if (papersInMemory > 0) measures.push(await measureMemory(place, papersInMemory))
      return measures
    } finally {
      server.kill()
    }
  },
}

/** The papers of the data folder. */
function listPdfs(folder: string): readonly string[] {
  const index = readFileSync(join(folder, 'papers/INDEX.txt'), 'utf8').trim().split('\n')
  return index.map((line) => join(folder, line.split('|')[0] as string))
}

interface Place {
  readonly server: ChildProcess
  readonly baseUrl: string
  readonly folder: string
  readonly pdfs: readonly string[]
}

/** Runs over papers that are new to the library and over those that it has, in a new process and in one that has run before. */
async function measureCount(
  { server, baseUrl, folder, pdfs }: Place,
  count: number,
  { homes, laterRuns }: Pick<Amounts, 'homes' | 'laterRuns'>,
): Promise<readonly Measure[]> {
  const runs = {
    readLater: [] as Reviewed[],
    readFirst: [] as Reviewed[],
    newLater: [] as Reviewed[],
    newFirst: [] as Reviewed[],
  }
  for (let number = 0; number < homes; number++) {
    const home = join(folder, `${count}-${number}`)
    const papers = copyPdfs(pdfs, join(home, 'first'), count)
    const others = copyPdfs(pdfs, join(home, 'other'), count, count)
    const worker = await startWorker(home, baseUrl)
    runs.newFirst.push(await review(server, worker, papers))
    runs.newLater.push(await review(server, worker, others))
    for (let run = 0; run < laterRuns; run++)
      runs.readLater.push(await review(server, worker, papers))
    worker.kill()
    const next = await startWorker(home, baseUrl)
    runs.readFirst.push(await review(server, next, papers))
    next.kill()
  }
  const what = (which: string) => `${count} papers, ${which}; median`
  return [
    compare(what('in the library: a later run of a process'), runs.readLater, 1.1),
    compare(what('in the library: its first run'), runs.readFirst),
    compare(what('to be read: a later run'), runs.newLater),
    compare(what('to be read: its first run'), runs.newFirst),
    {
      what: what('in the library: processor time of a later run'),
      value: median(runs.readLater.map(({ cpuMs }) => cpuMs)),
      unit: 'ms',
    },
  ]
}

interface Reviewed extends Told {
  readonly criticalMs: number
}

async function review(
  server: ChildProcess,
  worker: ChildProcess,
  files: readonly string[],
  isAdded = false,
): Promise<Reviewed> {
  await talk(server, 'calls')
  const order: Order = { files, isAdded }
  const told = await talk<Told>(worker, order)
  const { calls } = await talk<{ calls: readonly SeenCall[] }>(server, 'calls')
  const isBad = told.status === 'failed' || told.kept < files.length / 2
  if (isBad) throw new Error(`${files.length} papers: ${told.status}, ${told.kept} kept.`)
  return { ...told, criticalMs: criticalPathMs(calls) }
}

async function startWorker(home: string, baseUrl: string): Promise<ChildProcess> {
  const worker = start(new URL('./papers-process.ts', import.meta.url), home, baseUrl, libraryUrl())
  await talk(worker)
  return worker
}

function compare(what: string, runs: readonly Reviewed[], atMost?: number): Measure {
  return {
    what,
    value: median(runs.map(({ wallMs }) => wallMs)),
    unit: 'ms',
    yardstick: {
      what: 'the longest chain of calls',
      value: median(runs.map(({ criticalMs }) => criticalMs)),
    },
    ...(atMost === undefined ? {} : { target: { atMost } }),
  }
}

/** A run accepts 20 new papers at most, so more take several runs of one process, each continuing the one before. */
async function measureMemory(
  { server, baseUrl, folder, pdfs }: Place,
  count: number,
): Promise<Measure> {
  const home = join(folder, 'memory')
  const worker = await startWorker(home, baseUrl)
  let peakBytes = 0
  for (let first = 0; first < count; first += 20) {
    const files = copyPdfs(pdfs, join(home, `from-${first}`), 20, first)
    peakBytes = (await review(server, worker, files, first > 0)).peakBytes
  }
  worker.kill()
  return {
    what: `${count} papers in ${count / 20} runs of one process: peak memory, with the threads that read PDFs`,
    value: peakBytes / 1_000_000,
    unit: 'MB',
    target: { atMost: 600 },
  }
}
