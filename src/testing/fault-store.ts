import { ScholiumError } from '../kernel/errors.ts'
import type { NewEvent, RunEvent, RunStatus } from '../kernel/event.ts'
import type { Hash, Json } from '../kernel/json.ts'
import type {
  Durability,
  EventFilter,
  Lease,
  NewBlob,
  NewRun,
  Owner,
  RunRecord,
  RunStore,
} from '../kernel/run-store.ts'

/** Where a process dies: at the append that holds the `event`-th event that it appends, before or after the commit. */
export interface CrashPoint {
  /** From 1. */
  readonly event: number
  readonly when: 'before' | 'after'
}

/** No system gives this number to a process, so nobody takes the owner for alive. */
const nobody = 99_999_999

/**
 * One process's view of a store, for faults inside of one test process. At its crash point it dies: from then on every call
 * fails, as if the process had been killed there. Its runs belong to a process that is not there, so the next one, on
 * another view of the same store, takes them over at once.
 */
export class FaultStore implements RunStore {
  private readonly inner: RunStore
  private readonly point: CrashPoint | undefined
  private appended = 0
  private cutEvents: readonly NewEvent[] | undefined

  /** @param inner where the runs really are; it stays open when this view is closed */
  constructor(inner: RunStore, point?: CrashPoint) {
    this.inner = inner
    this.point = point
  }

  /** How many events this process has committed. */
  get committedCount(): number {
    return this.appended
  }

  /** Whether the process has died. */
  get isDead(): boolean {
    return this.cutEvents !== undefined
  }

  /** The events of the append at which the process died; none while it lives. */
  get cut(): readonly NewEvent[] {
    return this.cutEvents ?? []
  }

  /** Whether those events were committed before the process died. */
  get isCutCommitted(): boolean {
    return this.isDead && this.point?.when === 'after'
  }

  async create(run: NewRun, owner: Owner): Promise<Lease> {
    return this.alive().create(run, { ...owner, pid: nobody })
  }

  async acquire(runId: string, owner: Owner): Promise<Lease> {
    return this.alive().acquire(runId, { ...owner, pid: nobody })
  }

  async append(
    lease: Lease,
    events: readonly NewEvent[],
    blobs: readonly NewBlob[],
    durability: Durability,
  ): Promise<readonly RunEvent[]> {
    const store = this.alive()
    const isLast = this.point !== undefined && this.appended + events.length >= this.point.event
    if (isLast && this.point?.when === 'before') this.die(events)
    const stored = await store.append(lease, events, blobs, durability)
    this.appended += events.length
    if (isLast) this.die(events)
    return stored
  }

  async check(lease: Lease): Promise<void> {
    return this.alive().check(lease)
  }

  async release(lease: Lease, status: RunStatus): Promise<void> {
    return this.alive().release(lease, status)
  }

  async get(runId: string): Promise<RunRecord> {
    return this.alive().get(runId)
  }

  async list(options?: { readonly limit?: number }): Promise<readonly RunRecord[]> {
    return this.alive().list(options)
  }

  async *events(runId: string, filter?: EventFilter): AsyncGenerator<RunEvent> {
    for await (const event of this.alive().events(runId, filter)) {
      this.alive()
      yield event
    }
  }

  async output(runId: string, seq: number): Promise<Json | undefined> {
    return this.alive().output(runId, seq)
  }

  async blob(runId: string, hash: Hash): Promise<string | undefined> {
    return this.alive().blob(runId, hash)
  }

  async remove(runId: string): Promise<void> {
    return this.alive().remove(runId)
  }

  async close(): Promise<void> {}

  private alive(): RunStore {
    if (this.isDead) throw died()
    return this.inner
  }

  private die(events: readonly NewEvent[]): never {
    this.cutEvents = events
    throw died()
  }
}

function died(): ScholiumError {
  return new ScholiumError('store_failed', 'The process died here: an injected fault.')
}
