import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ScholiumError } from '../../src/kernel/errors.ts'
import { replayRun, resumeRun, startRun } from '../../src/kernel/run/run.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { executionOn, pureStep, workflowOf } from './fixture.ts'

/** Memory in use after each part of a long run, in bytes. */
export interface MemorySample {
  readonly events: number
  readonly rssBytes: number
  readonly heapBytes: number
}

/** Writes a run of `count` steps that is then cut off, and samples memory after every tenth. */
export async function growRun(path: string, count: number): Promise<readonly MemorySample[]> {
  const collectGarbage = garbageCollector()
  const samples: MemorySample[] = []
  const growing = workflowOf(async (context) => {
    for (let index = 1; index <= count; index++) {
      await pureStep(context, index)
      if (index % (count / 10) !== 0) continue
      collectGarbage()
      const { rss, heapUsed } = process.memoryUsage()
      samples.push({ events: index, rssBytes: rss, heapBytes: heapUsed })
    }
    throw new ScholiumError('cancelled', 'Cut off here.')
  })
  const store = openRunStore(path)
  await startRun(growing, {}, 'large', executionOn(store)).catch(expectCancelled)
  await store.close()
  return samples
}

/** How long a person waits for a long run, in milliseconds; each with the log opened anew. */
export interface LargeRunTimings {
  readonly listMs: number
  readonly showMs: number
  /** From asking for the resumption until the first step that is not in the log begins. */
  readonly firstNewCallMs: number
}

/** Lists, shows and resumes what {@link growRun} left, as a workflow does that goes on after its last boundary. */
export async function timeLargeRun(path: string): Promise<LargeRunTimings> {
  const listMs = await timed(async () => {
    const store = openRunStore(path)
    await store.list({ limit: 20 })
    await store.close()
  })
  const showMs = await timed(async () => {
    const store = openRunStore(path)
    for await (const event of store.events('large', { withOutput: false })) void event.seq
    await store.close()
  })
  const start = performance.now()
  let firstNewCallMs = Number.NaN
  const goingOn = workflowOf((context) =>
    context.step('new', 'pure', {}, async () => {
      firstNewCallMs = performance.now() - start
      return {}
    }),
  )
  const store = openRunStore(path)
  await resumeRun(goingOn, 'large', executionOn(store))
  await store.close()
  return { listMs, showMs, firstNewCallMs }
}

/** Steps a second that are answered from the log when a run of `count` is executed again. */
export async function timeReplay(path: string, count: number): Promise<number> {
  const workflow = workflowOf(async (context) => {
    for (let index = 1; index <= count; index++) await pureStep(context, index)
    return {}
  })
  const store = openRunStore(path)
  await startRun(workflow, {}, 'replayed', executionOn(store))
  const ms = await timed(() => replayRun(workflow, 'replayed', executionOn(store)))
  await store.close()
  return (count / ms) * 1_000
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

function expectCancelled(error: unknown): void {
  if (!(error instanceof ScholiumError) || error.code !== 'cancelled') throw error
}
