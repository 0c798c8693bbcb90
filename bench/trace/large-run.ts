import { execFile } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildSpans, eventsForSpans, openTraceFile } from '../../src/observe/index.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import type { Measure } from '../bench.ts'
import { timePlainRead } from '../log/large-run.ts'
import { measureHeldMemory } from '../memory.ts'
import { timeMs } from '../timing.ts'
import { heardEvents, writeRun } from './made-run.ts'

const runId = 'large'

/** The spans of a long run from its log: their time, the heap meanwhile, and `trace show`, each next to its rows read by plain SQL. */
export async function measureSpans(home: string, events: number): Promise<readonly Measure[]> {
  const path = join(home, 'runs.db')
  await writeRun(path, runId, events)
  const store = openRunStore(path)
  const projectMs = await timeMs(async () => {
    for await (const span of buildSpans(eventsForSpans(store, runId))) void span.spanId
  })
  let spans = 0
  let earlyBytes = 0
  for await (const span of buildSpans(eventsForSpans(store, runId))) {
    void span.spanId
    if (++spans === Math.floor(events / 20)) earlyBytes = (await measureHeldMemory()).heapBytes
  }
  const growthBytes = (await measureHeldMemory()).heapBytes - earlyBytes
  await store.close()
  const plainMs = await timePlainRead(path)
  const run = `a run of ${events.toLocaleString('en')} events`
  const yardstick = (value: number) => ({ what: 'its rows read by plain SQL', value })
  return [
    {
      what: `the spans of ${run}, an event`,
      value: (projectMs / events) * 1_000,
      unit: 'µs',
      yardstick: yardstick((plainMs / events) * 1_000),
      target: { atMost: 3 },
    },
    growth(`the spans of ${run}`, growthBytes),
    {
      what: `\`scholium trace show\` of ${run}`,
      value: await timeShow(home),
      unit: 'ms',
      yardstick: yardstick(plainMs),
      target: { atMost: 6 },
    },
  ]
}

function timeShow(home: string): Promise<number> {
  const command = fileURLToPath(new URL('../../bin/scholium.js', import.meta.url))
  const args = [command, 'trace', 'show', runId, '--home', home]
  return timeMs(() => promisify(execFile)(process.execPath, args))
}

/** Writing a trace file, next to writing the same lines plainly, and the heap meanwhile. */
export async function measureTraceFile(
  folder: string,
  events: number,
): Promise<readonly Measure[]> {
  const trace = openTraceFile(join(folder, 'trace.jsonl'), (text) => {
    throw new Error(text)
  })
  const plain = openSync(join(folder, 'plain.jsonl'), 'w')
  let [heard, ourMs, plainMs, earlyBytes] = [0, 0, 0, 0]
  for (const event of heardEvents(events)) {
    const startedAt = performance.now()
    trace.hear(event)
    const heardAt = performance.now()
    writeSync(plain, `${JSON.stringify(event)}\n`)
    plainMs += performance.now() - heardAt
    ourMs += heardAt - startedAt
    if (++heard === Math.floor(events / 10)) earlyBytes = (await measureHeldMemory()).heapBytes
  }
  trace.close()
  closeSync(plain)
  const growthBytes = (await measureHeldMemory()).heapBytes - earlyBytes
  const file = `a trace file of ${events.toLocaleString('en')} events`
  return [
    {
      what: `${file}, an event`,
      value: (ourMs / heard) * 1_000,
      unit: 'µs',
      yardstick: { what: 'its JSON written plainly', value: (plainMs / heard) * 1_000 },
      target: { atMost: 2 },
    },
    growth(file, growthBytes),
  ]
}

/** From a tenth of the events to their end. */
function growth(what: string, bytes: number): Measure {
  return {
    what: `${what}: growth of the heap`,
    value: Math.max(0, bytes) / 1_000_000,
    unit: 'MB',
    target: { atMost: 5 },
  }
}
