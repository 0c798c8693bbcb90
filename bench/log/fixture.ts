import { createHooks } from '../../src/kernel/agent/hooks.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { Budget } from '../../src/kernel/limits/limits.ts'
import type { ModelSource } from '../../src/kernel/model/model.ts'
import { systemClock } from '../../src/kernel/run/clock.ts'
import { Journal } from '../../src/kernel/run/journal.ts'
import { RunContext } from '../../src/kernel/run/run-context.ts'
import type { RunStore } from '../../src/kernel/run/run-store.ts'
import type { Execution, Workflow } from '../../src/kernel/run/workflow.ts'
import { currentOwner } from '../../src/stores/process-owner.ts'

/** What each step gives: 10 KB of JSON, as the passages that a search found. */
export const stepOutput = {
  passages: Array.from({ length: 20 }, (_, index) => ({
    n: index,
    text: 'Bacteria keep a record of the viruses they have met. '.repeat(9).slice(0, 484),
  })),
}

const noModels: ModelSource = {
  forRole() {
    throw new Error('No model is called here.')
  },
}

/** What `startRun` and its like need on this store. */
export function executionOn(store: RunStore): Execution {
  return {
    store,
    owner: currentOwner(),
    clock: systemClock,
    models: noModels,
    limits: { maxLogBytes: 4_000_000_000 },
    packageVersion: '0',
    configuration: {},
  }
}

/** A context of a new run on this store, as `startRun` makes it. */
export async function newContext(store: RunStore, runId: string): Promise<RunContext> {
  const run = { runId, workflow: 'bench', title: '', createdAt: systemClock.now() }
  const lease = await store.create(run, currentOwner())
  const services = {
    journal: new Journal({ runId, store, lease }),
    budget: new Budget({}),
    clock: systemClock,
    hooks: createHooks(),
    models: noModels,
    seed: runId,
    secrets: [],
    noticed: new Set<string>(),
  }
  return new RunContext({ services, path: 'bench', signal: new AbortController().signal })
}

/** A workflow of which only the code matters. */
export function workflowOf(
  run: (context: RunContext) => Promise<JsonObject>,
): Workflow<JsonObject, JsonObject> {
  return {
    name: 'bench',
    version: '1',
    promptHashes: {},
    title: () => '',
    run,
    status: () => 'answered',
  }
}

/** The step that each measurement repeats: a pure one, whose input is its number. */
export function pureStep(context: RunContext, index: number): Promise<typeof stepOutput> {
  return context.step(`step-${index}`, 'pure', { index }, async () => stepOutput)
}
