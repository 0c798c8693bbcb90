import { join } from 'node:path'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { type GrownRun, growRun, timeLargeRun, timeReplay } from './large-run.ts'
import { timeSteps } from './steps.ts'

const amounts: Readonly<
  Record<BenchSize, { blocks: number; largeRunEvents: number; replayedSteps: number }>
> = {
  smoke: { blocks: 1, largeRunEvents: 500, replayedSteps: 200 },
  quick: { blocks: 8, largeRunEvents: 20_000, replayedSteps: 5_000 },
  full: { blocks: 16, largeRunEvents: 100_000, replayedSteps: 20_000 },
}

/** What the log costs: steps next to plain rows of the same size, the growth of memory, long runs, replay. */
export const bench: Bench = {
  title: 'The log',
  async run({ size, folder }) {
    const { blocks, largeRunEvents, replayedSteps } = amounts[size]
    const path = join(folder, 'large.db')
    const steps = await measureSteps(folder, blocks)
    const grown = await growRun(path, largeRunEvents)
    return [
      ...steps,
      ...measureMemory(grown),
      ...(await measureLargeRun(path, grown)),
      ...(await measureReplay(join(folder, 'replay.db'), replayedSteps)),
    ]
  },
}

async function measureSteps(folder: string, blocks: number): Promise<readonly Measure[]> {
  const { plainNormal, plainFull, pureStep, paidStep, writeStep } = await timeSteps(folder, blocks)
  const row = (what: string, stepUs: number, plainUs: number, atMost: number): Measure => ({
    what,
    value: stepUs,
    unit: 'µs',
    yardstick: { what: 'a plain row', value: plainUs },
    target: { atMost },
  })
  return [
    row('pure step, 10 KB, not flushed to disk; median', pureStep, plainNormal, 3),
    row('paid step (start and end), 10 KB, flushed; median', paidStep, plainFull, 2),
    row('write step, 10 KB, both events flushed; median', writeStep, plainFull, 3),
  ]
}

/** Growth from the second sample on: what is loaded and compiled once is in memory by then. */
function measureMemory({ samples }: GrownRun): readonly Measure[] {
  const [from, to] = [samples[1], samples.at(-1)]
  if (from === undefined || to === undefined) throw new Error('Too few samples of memory.')
  const perEvents = 10_000 / (to.events - from.events) / 1_000_000
  const events = `10,000 events (of ${to.events.toLocaleString('en')})`
  return [
    {
      what: `growth of resident memory per ${events}`,
      value: Math.max(0, (to.rssBytes - from.rssBytes) * perEvents),
      unit: 'MB',
      target: { atMost: 5 },
    },
    {
      what: `growth of the heap per ${events}`,
      value: Math.max(0, (to.heapBytes - from.heapBytes) * perEvents),
      unit: 'MB',
      target: { atMost: 1 },
    },
  ]
}

async function measureLargeRun(path: string, { events }: GrownRun): Promise<readonly Measure[]> {
  const { listMs, showMs, firstNewCallMs, plainMs } = await timeLargeRun(path)
  const yardstick = { what: 'its rows read by plain SQL', value: plainMs }
  const run = `a run of ${events.toLocaleString('en')} events of 10 KB`
  return [
    { what: `list ${run}`, value: listMs, unit: 'ms', target: { atMost: 1_000 } },
    { what: `show ${run}, without outputs`, value: showMs, unit: 'ms', target: { atMost: 1_000 } },
    {
      what: `resume ${run}: first new call`,
      value: firstNewCallMs,
      unit: 'ms',
      yardstick,
      target: { atMost: 0.6 },
    },
  ]
}

async function measureReplay(path: string, steps: number): Promise<readonly Measure[]> {
  const { replayMs, plainMs } = await timeReplay(path, steps)
  return [
    {
      what: `replay ${steps.toLocaleString('en')} steps of 10 KB, each`,
      value: (replayMs / steps) * 1_000,
      unit: 'µs',
      yardstick: { what: 'their rows read and parsed', value: (plainMs / steps) * 1_000 },
      target: { atMost: 1.5 },
    },
  ]
}
