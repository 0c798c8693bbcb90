import type { JsonObject } from '../kernel/json.ts'
import { resumeRun, startRun } from '../kernel/run/run.ts'
import type { RunStore } from '../kernel/run/run-store.ts'
import type { Execution, Workflow } from '../kernel/run/workflow.ts'
import type { FaultSubject, FaultTrial } from './fault-runner.ts'
import type { Counts } from './fault-writes.ts'
import { createMemoryStore } from './memory-store.ts'
import { testExecution } from './test-execution.ts'

/** A workflow in a world of its own: what it pays and writes there in one trial is seen in no other. */
export interface TrialWorld<Input extends JsonObject, Result extends JsonObject> {
  /** The paid calls that were answered: see {@link FaultTrial}. */
  paidCalls?(): Counts
  /** The writes that took place: see {@link FaultTrial}. */
  writes?(): Counts
  readonly workflow: Workflow<Input, Result>
  readonly input: Input
  /** Models, clock and what else the workflow needs: see {@link testExecution}. */
  readonly execution?: Partial<Execution>
  /** Removes what the world made. */
  close?(): Promise<void>
}

/**
 * A workflow as a subject for {@link runFaults}, over a log in memory.
 * @param openWorld makes the world of one trial: an empty folder, a model server, counters
 * @param options how results are compared, and how many paid calls may be under way at once
 */
export function faultSubject<Input extends JsonObject, Result extends JsonObject>(
  openWorld: () => TrialWorld<Input, Result> | Promise<TrialWorld<Input, Result>>,
  options: Omit<FaultSubject<Result>, 'open'> = {},
): FaultSubject<Result> {
  return {
    ...options,
    async open() {
      const world = await openWorld()
      const { workflow, input, paidCalls, writes } = world
      const store = createMemoryStore()
      const drive = (view: RunStore) => testExecution(view, world.execution)
      return {
        store,
        ...(paidCalls === undefined ? {} : { paidCalls: () => paidCalls.call(world) }),
        ...(writes === undefined ? {} : { writes: () => writes.call(world) }),
        async start(view) {
          const runId = `trial-${(await store.list()).length + 1}`
          return (await startRun(workflow, input, runId, drive(view))).result
        },
        resume: async (view, runId) => (await resumeRun(workflow, runId, drive(view))).result,
        async close() {
          await store.close()
          await world.close?.()
        },
      }
    },
  }
}
