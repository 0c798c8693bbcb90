import { ScholiumError } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { ModelSource } from '../kernel/model/model.ts'
import type { Clock } from '../kernel/run/clock.ts'
import type { RunEvent } from '../kernel/run/event.ts'
import { startRun } from '../kernel/run/run.ts'
import type { RunStore } from '../kernel/run/run-store.ts'
import type { Execution, Workflow } from '../kernel/run/workflow.ts'
import { createMemoryStore } from './memory-store.ts'

/** For workflows that call no model: requesting one throws. */
const noModels: ModelSource = {
  forRole(role) {
    throw new ScholiumError('invalid_configuration', `The test has no model for ${role}.`, {
      hint: 'Give testExecution the models: { models }.',
    })
  },
}

/** The execution of a workflow in a test: no models, a clock without waiting, and whatever `changes` provides. */
export function testExecution(store: RunStore, changes: Partial<Execution> = {}): Execution {
  return {
    store,
    owner: { bootId: 'test', pid: 1, processStart: 'test' },
    clock: createQuickClock(),
    models: noModels,
    packageVersion: 'test',
    configuration: {},
    ...changes,
  }
}

/** The result of a run in a test, and its log, from which it can be replayed, resumed and forked. */
export interface TestRun<Result> {
  readonly runId: string
  readonly result: Result
  readonly events: readonly RunEvent[]
  readonly execution: Execution
}

/** Runs a workflow once to its end with a log in memory. Rejects with the error that stops it. */
export async function runInMemory<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  input: Input,
  changes: Partial<Execution> = {},
): Promise<TestRun<Result>> {
  const execution = testExecution(createMemoryStore(), changes)
  const { runId, result } = await startRun(workflow, input, 'test-run', execution)
  const events = await Array.fromAsync(execution.store.events(runId))
  return { runId, result, events, execution }
}

/** A clock for tests: it advances when it is read or waited for, and nobody really waits. */
export interface QuickClock extends Clock {
  /** The requested waits in milliseconds, in order. */
  readonly waitsMs: readonly number[]
  /** Advances the clock. */
  advance(deltaMs: number): void
}

/** Creates a {@link QuickClock}; each reading advances it by one millisecond. */
export function createQuickClock(startMs: number = Date.UTC(2026, 0, 1)): QuickClock {
  let nowMs = startMs
  const waitsMs: number[] = []
  return {
    waitsMs,
    now: () => nowMs++,
    async sleep(delayMs, signal) {
      signal.throwIfAborted()
      waitsMs.push(delayMs)
      nowMs += delayMs
    },
    advance(deltaMs) {
      nowMs += deltaMs
    },
  }
}
