/*
 * What the log costs: node bench/log/run.ts [FOLDER]
 * FOLDER is on the disk to measure; default: the system's temporary folder. Needs 3 GB there for a minute.
 * Exits with 1 when a target is missed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { growRun, type MemorySample, timeLargeRun, timeReplay } from './large-run.ts'
import { type StepTimings, timeSteps } from './steps.ts'

interface Row {
  readonly what: string
  readonly measured: string
  readonly beside: string
  readonly target: string
  readonly isMissed: boolean
}

const blocks = 16
const largeRunEvents = 100_000
const replayedSteps = 20_000

const folder = await mkdtemp(join(process.argv[2] ?? tmpdir(), 'scholium-bench-log-'))
try {
  const rows = [
    ...stepRows(await timeSteps(folder, blocks)),
    ...memoryRows(await growRun(join(folder, 'large.db'), largeRunEvents)),
    ...(await largeRunRows(join(folder, 'large.db'))),
    await replayRow(join(folder, 'replay.db')),
  ]
  print(rows)
  if (rows.some(({ isMissed }) => isMissed)) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

function stepRows({ plainNormal, plainFull, pureStep, paidStep, writeStep }: StepTimings): Row[] {
  const row = (
    what: string,
    step: typeof pureStep,
    plain: typeof pureStep,
    targetUs?: number,
  ): Row => ({
    what,
    measured: `${step.medianUs.toFixed(0)} µs (mean ${step.meanUs.toFixed(0)})`,
    beside: `${(step.medianUs / plain.medianUs).toFixed(1)} × a plain row: ${plain.medianUs.toFixed(0)} µs (mean ${plain.meanUs.toFixed(0)})`,
    target: targetUs === undefined ? '' : `≤ ${targetUs} µs`,
    isMissed: targetUs !== undefined && step.medianUs > targetUs,
  })
  return [
    row('pure step, 10 KB, NORMAL', pureStep, plainNormal, 100),
    row('paid step, start and 10 KB, FULL', paidStep, plainFull, 250),
    row('write step, start and end both FULL', writeStep, plainFull),
  ]
}

/** The first two samples still hold what is loaded and compiled once. */
function memoryRows(samples: readonly MemorySample[]): Row[] {
  const [from, to] = [samples[1] as MemorySample, samples.at(-1) as MemorySample]
  const growth = (bytes: 'rssBytes' | 'heapBytes') =>
    ((to[bytes] - from[bytes]) / (to.events - from.events)) * (10_000 / 1_000_000)
  const row = (what: string, growthMb: number, endBytes: number, targetMb: number): Row => ({
    what,
    measured: `${growthMb.toFixed(1)} MB`,
    beside: `${(endBytes / 1_000_000).toFixed(0)} MB after ${to.events} events of 10 KB`,
    target: `≤ ${targetMb} MB`,
    isMissed: growthMb > targetMb,
  })
  return [
    row('RSS growth per 10,000 events', growth('rssBytes'), to.rssBytes, 5),
    row('heap growth per 10,000 events', growth('heapBytes'), to.heapBytes, 1),
  ]
}

async function largeRunRows(path: string): Promise<Row[]> {
  const { listMs, showMs, firstNewCallMs } = await timeLargeRun(path)
  const row = (what: string, ms: number): Row => ({
    what,
    measured: `${ms.toFixed(0)} ms`,
    beside: 'from opening the log',
    target: '< 1,000 ms',
    isMissed: !(ms < 1_000),
  })
  return [
    row('list with a run of 100,000 events', listMs),
    row('show that run (all events, no outputs)', showMs),
    row('resume it: first new call', firstNewCallMs),
  ]
}

async function replayRow(path: string): Promise<Row> {
  const perSecond = await timeReplay(path, replayedSteps)
  return {
    what: 'replay, steps of 10 KB',
    measured: `${Math.round(perSecond).toLocaleString('en')} a second`,
    beside: `${replayedSteps.toLocaleString('en')} steps`,
    target: '> 5,000',
    isMissed: !(perSecond > 5_000),
  }
}

function print(rows: readonly Row[]): void {
  console.log('| what | measured | beside | target | |\n|---|---|---|---|---|')
  for (const { what, measured, beside, target, isMissed } of rows) {
    const verdict = target === '' ? '' : isMissed ? 'MISSED' : 'ok'
    console.log(`| ${what} | ${measured} | ${beside} | ${target} | ${verdict} |`)
  }
}
