import { execFile } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildSpans, eventsForSpans, openTraceFile } from '../../src/observe/index.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { heardEvents, memoryInUse } from './made-run.ts'

/** What a projection took. */
export interface Projected {
  readonly eventsPerSecond: number
  readonly spans: number
  /** From a tenth of the run to its end. */
  readonly heapGrowthBytes: number
}

/** Projects a run out of its log, and looks at memory at a tenth and at the end. */
export async function projectRun(path: string, runId: string, count: number): Promise<Projected> {
  const store = openRunStore(path)
  const startMs = performance.now()
  for await (const span of buildSpans(eventsForSpans(store, runId))) void span.spanId
  const wallMs = performance.now() - startMs
  let spans = 0
  let early = 0
  for await (const span of buildSpans(eventsForSpans(store, runId))) {
    void span.spanId
    spans++
    if (spans === Math.floor(count / 20)) early = memoryInUse().heapBytes
  }
  const heapGrowthBytes = memoryInUse().heapBytes - early
  await store.close()
  return { eventsPerSecond: (count / wallMs) * 1_000, spans, heapGrowthBytes }
}

/** How long `scholium trace show` takes as a process of its own, in milliseconds. */
export async function timeShow(home: string, runId: string): Promise<number> {
  const bin = fileURLToPath(new URL('../../bin/scholium.js', import.meta.url))
  const startMs = performance.now()
  await promisify(execFile)(process.execPath, [bin, 'trace', 'show', runId, '--home', home])
  return performance.now() - startMs
}

/** What a trace file took. */
export interface Traced {
  readonly perEventUs: number
  readonly sizeBytes: number
  readonly heapGrowthBytes: number
}

/** Writes a trace file of so many events. */
export function traceEvents(path: string, count: number): Traced {
  rmSync(path, { force: true })
  const trace = openTraceFile(path, (text) => {
    throw new Error(text)
  })
  let early = 0
  let heard = 0
  let spentMs = 0
  for (const event of heardEvents(count)) {
    const startMs = performance.now()
    trace.hear(event)
    spentMs += performance.now() - startMs
    if (++heard === Math.floor(count / 10)) early = memoryInUse().heapBytes
  }
  trace.close()
  const heapGrowthBytes = memoryInUse().heapBytes - early
  return { perEventUs: (spentMs / heard) * 1_000, sizeBytes: statSync(path).size, heapGrowthBytes }
}
