import { ScholiumError } from '../../src/kernel/errors.ts'
import { replayRun, resumeRun, startRun } from '../../src/kernel/run/run.ts'
import { openDatabase } from '../../src/stores/sqlite/database.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { type HeldMemory, measureHeldMemory } from '../memory.ts'
import { timeMs } from '../timing.ts'
import { executionOn, pureStep, workflowOf } from './fixture.ts'

/** Memory held after a part of a long run. */
export interface MemorySample extends HeldMemory {
  readonly events: number
}

/** A run that was cut off before its end. */
export interface GrownRun {
  readonly events: number
  /** After every tenth of the events. */
  readonly samples: readonly MemorySample[]
}

/** Writes a run of `count` steps that is then cut off, and samples memory after every tenth. */
export async function growRun(path: string, count: number): Promise<GrownRun> {
  const samples: MemorySample[] = []
  const growing = workflowOf(async (context) => {
    for (let index = 1; index <= count; index++) {
      await pureStep(context, index)
      if (index % (count / 10) === 0)
        samples.push({ events: index, ...(await measureHeldMemory()) })
    }
    throw new ScholiumError('cancelled', 'Cut off here.')
  })
  const store = openRunStore(path)
  await startRun(growing, {}, 'large', executionOn(store)).catch(expectCancelled)
  await store.close()
  return { events: count, samples }
}

/** How long a person waits for a long run, in milliseconds; each with the log opened anew. */
export interface LargeRunTimings {
  readonly listMs: number
  readonly showMs: number
  /** From asking for the resumption until the first step that is not in the log begins. */
  readonly firstNewCallMs: number
  /** Reading and parsing all rows of the same log by plain SQL. */
  readonly plainMs: number
}

/** Lists, shows and resumes what {@link growRun} left, as a workflow does that continues after its last boundary. */
export async function timeLargeRun(path: string): Promise<LargeRunTimings> {
  const listMs = await timeMs(async () => {
    const store = openRunStore(path)
    await store.list({ limit: 20 })
    await store.close()
  })
  const showMs = await timeMs(async () => {
    const store = openRunStore(path)
    for await (const event of store.events('large', { withOutput: false })) void event.seq
    await store.close()
  })
  const start = performance.now()
  let firstNewCallMs = Number.NaN
  const continued = workflowOf((context) =>
    context.step('new', 'pure', {}, async () => {
      firstNewCallMs = performance.now() - start
      return {}
    }),
  )
  const store = openRunStore(path)
  await resumeRun(continued, 'large', executionOn(store))
  await store.close()
  return { listMs, showMs, firstNewCallMs, plainMs: await timePlainRead(path) }
}

/** Executes a finished run of `count` steps again, each answered from the log; and reads the same rows by plain SQL. */
export async function timeReplay(
  path: string,
  count: number,
): Promise<{ readonly replayMs: number; readonly plainMs: number }> {
  const workflow = workflowOf(async (context) => {
    for (let index = 1; index <= count; index++) await pureStep(context, index)
    return {}
  })
  const store = openRunStore(path)
  await startRun(workflow, {}, 'replayed', executionOn(store))
  const replayMs = await timeMs(() => replayRun(workflow, 'replayed', executionOn(store)))
  await store.close()
  return { replayMs, plainMs: await timePlainRead(path) }
}

/** Reads all rows of a log by plain SQL and parses what is JSON in them, in milliseconds. */
export function timePlainRead(path: string): Promise<number> {
  return timeMs(() => {
    const db = openDatabase(path)
    for (const row of db.prepare('SELECT * FROM events ORDER BY seq').iterate()) {
      for (const value of Object.values(row)) {
        if (typeof value === 'string' && value.startsWith('{')) JSON.parse(value)
      }
    }
    db.close()
  })
}

function expectCancelled(error: unknown): void {
  if (!(error instanceof ScholiumError) || error.code !== 'cancelled') throw error
}
