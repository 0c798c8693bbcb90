import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type Json, sha256 } from '../../src/kernel/json.ts'
import type { NewEvent, RunEvent } from '../../src/kernel/run/event.ts'
import type { EventFilter, NewRun, Owner, RunStore } from '../../src/kernel/run/run-store.ts'
import { currentOwner } from '../../src/stores/process-owner.ts'

/** Opens a store; two stores of one place hold the same runs. `place` is a path in an empty folder. */
export type OpenRunStore = (place: string) => RunStore | Promise<RunStore>

/** The stores of one test. */
export interface Stores {
  /** A place of this test's own. */
  readonly place: string
  /** One more store of that place; it is closed after the test. */
  open(): Promise<RunStore>
}

/** Gives each test of the surrounding `describe` a new place. */
export function useStores(openStore: OpenRunStore): Stores {
  let folder = ''
  let opened: RunStore[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scholium-runs-'))
  })
  afterEach(async () => {
    for (const store of opened) await store.close()
    opened = []
    await rm(folder, { recursive: true, force: true })
  })
  return {
    get place() {
      return join(folder, 'runs')
    },
    async open() {
      const store = await openStore(join(folder, 'runs'))
      opened.push(store)
      return store
    },
  }
}

/** This process. */
export const self: Owner = currentOwner()

/** A process of this machine that is gone: no system gives out such a number. */
export const deadOwner: Owner = { ...self, pid: 99_999_999 }

/** A process that cannot be seen from here. */
export const distantOwner: Owner = { bootId: 'another machine', pid: 7, processStart: '1' }

/** A run to start. */
export function newRun(runId: string, changes: Partial<NewRun> = {}): NewRun {
  return { runId, workflow: 'ask', title: 'What is CRISPR?', createdAt: 1_000, ...changes }
}

/** The end of a step with this output. */
export function stepDone(key: string, output?: Json): NewEvent {
  const data = { name: 'model', effect: 'read', inputHash: sha256('input'), attempt: 1 } as const
  return { key, type: 'step.done', data, ts: 2_000, ...(output === undefined ? {} : { output }) }
}

/** Steps `from` to `to`, both included, each with its number as output. */
export function steps(from: number, to: number): readonly NewEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) =>
    stepDone(`step/${from + index}`, from + index),
  )
}

/** All events that a store yields. */
export async function read(
  store: RunStore,
  runId: string,
  filter?: EventFilter,
): Promise<readonly RunEvent[]> {
  return Array.fromAsync(store.events(runId, filter))
}
