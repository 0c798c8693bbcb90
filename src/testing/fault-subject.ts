import type { JsonObject } from '../kernel/json.ts'
import { resumeRun, startRun } from '../kernel/run/run.ts'
import type { RunStore } from '../kernel/run/run-store.ts'
import type { Execution, Workflow } from '../kernel/run/workflow.ts'
import type { FaultSubject, FaultTrial } from './fault-runner.ts'
import type { Counts } from './fault-writes.ts'
import { createMemoryStore } from './memory-store.ts'
import { testExecution } from './test-execution.ts'

/** The surroundings of a workflow in one trial, with paid calls and writes that no other trial sees. */
export interface TrialWorld<Input extends JsonObject, Result extends JsonObject> {
  /** The paid calls that were answered: see {@link FaultTrial}. */
  paidCalls?(): Counts
  /** The writes that happened: see {@link FaultTrial}. */
  writes?(): Counts
  readonly workflow: Workflow<Input, Result>
  readonly input: Input
  /** Models, clock and anything else that the workflow needs: see {@link testExecution}. */
  readonly execution?: Partial<Execution>
  /** Removes everything the world created. */
  close?(): Promise<void>
}

/**
 * A workflow as a subject for {@link runFaults}, with its log in memory.
 * @param openWorld creates the world of one trial: an empty folder, a model server, counters
 * @param options how results are compared, and how many paid calls may be in progress at once
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
