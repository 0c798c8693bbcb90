import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import {
  type Execution,
  type Json,
  type JsonObject,
  type Replay,
  type RunContext,
  type RunEvent,
  replayRun,
  resumeRun,
  startRun,
  type Workflow,
} from '../../src/kernel/index.ts'
import type { RunStore } from '../../src/kernel/run/run-store.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import { currentOwner } from '../../src/stores/process-owner.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { createQuickClock, type QuickClock } from '../../src/testing/index.ts'

/** What a test's workflow does; its value is the run's result. */
export type Body = (context: RunContext, input: JsonObject) => Promise<Json>

/** A result; one with `{ status }` in it is listed under that status. */
export type Result = { readonly value: Json }

/** A workflow of one function. */
export function workflowOf(
  body: Body,
  changes: Partial<Workflow<JsonObject, Result>> = {},
): Workflow<JsonObject, Result> {
  return {
    name: 'test',
    version: '1',
    promptHashes: {},
    title: () => 'a test',
    run: async (context, input) => ({ value: await body(context, input) }),
    status: ({ value }) => (value === 'failed' ? 'failed' : 'answered'),
    ...changes,
  }
}

/** Runs of one test over a store of its own. */
export class Runs {
  readonly clock: QuickClock = createQuickClock()
  private folder = ''
  private opened: RunStore | undefined

  get store(): RunStore {
    return this.opened as RunStore
  }

  /** Over `store`, else over a new file. */
  async open(store?: RunStore): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'scholium-kernel-'))
    this.opened = store ?? openRunStore(join(this.folder, 'runs.db'))
  }

  async close(): Promise<void> {
    await this.opened?.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  execution(changes: Partial<Execution> = {}): Execution {
    return {
      store: this.store,
      owner: currentOwner(),
      clock: this.clock,
      models: createModelSource({ choices: {}, environment: {}, builtIn: {} }),
      packageVersion: '0',
      configuration: {},
      ...changes,
    }
  }

  async start(body: Body, changes: Partial<Execution> = {}, input: JsonObject = {}): Promise<Json> {
    return (await startRun(workflowOf(body), input, 'run', this.execution(changes))).result.value
  }

  async resume(body: Body, changes: Partial<Execution> = {}): Promise<Json> {
    return (await resumeRun(workflowOf(body), 'run', this.execution(changes))).result.value
  }

  replay(body: Body, changes: Partial<Execution> = {}): Promise<Replay<Result>> {
    return replayRun(workflowOf(body), 'run', this.execution(changes))
  }

  events(runId = 'run'): Promise<readonly RunEvent[]> {
    return Array.fromAsync(this.store.events(runId))
  }

  /** The log in short: `step.done test/a`. */
  async log(): Promise<readonly string[]> {
    return (await this.events()).map(({ type, key }) => (key === '' ? type : `${type} ${key}`))
  }
}

/** Gives each test of the surrounding `describe` runs of its own. */
export function useRuns(): () => Runs {
  let runs = new Runs()
  beforeEach(async () => {
    runs = new Runs()
    await runs.open()
  })
  afterEach(() => runs.close())
  return () => runs
}

/** Something that can be awaited and ended from outside. */
export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

/** A closed gate. */
export function createGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
