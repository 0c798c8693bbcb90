import { ScholiumError } from '../kernel/errors.ts'
import type { NewEvent, RunEvent } from '../kernel/run/event.ts'
import type { Lease, NewRun, Owner, RunStore } from '../kernel/run/run-store.ts'

/** Where a process dies: at the append that contains the `event`-th event that it appends, before or after the commit. */
export interface CrashPoint {
  /** From 1. */
  readonly event: number
  readonly when: 'before' | 'after'
}

/** A pid that no system assigns, so the owner always counts as dead. */
export const deadPid = 99_999_999

/** What a process does differently from the underlying store. The proxy passes everything else on while the process lives. */
class ProcessView {
  private readonly inner: RunStore
  private readonly point: CrashPoint | undefined
  private readonly ends: number[] = []
  private cutEvents: readonly NewEvent[] | undefined

  constructor(inner: RunStore, point?: CrashPoint) {
    this.inner = inner
    this.point = point
    // biome-ignore lint/correctness/noConstructorReturn: no method of the store can then be forgotten here
    return new Proxy(this, {
      get: (view, name, receiver) =>
        name in view ? Reflect.get(view, name, receiver) : view.passOn(name),
    })
  }

  /** How many events this process has committed. */
  get committedCount(): number {
    return this.ends.at(-1) ?? 0
  }

  /** The number of committed events after each append: the events of one append are stored together or not at all. */
  get appendEnds(): readonly number[] {
    return this.ends
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
    return this.alive().create(run, { ...owner, pid: deadPid })
  }

  async acquire(runId: string, owner: Owner): Promise<Lease> {
    return this.alive().acquire(runId, { ...owner, pid: deadPid })
  }

  async append(...given: Parameters<RunStore['append']>): Promise<readonly RunEvent[]> {
    const [, events] = given
    const store = this.alive()
    const end = this.committedCount + events.length
    const isLast = this.point !== undefined && end >= this.point.event
    if (isLast && this.point?.when === 'before') this.die(events)
    const stored = await store.append(...given)
    this.ends.push(end)
    if (isLast) this.die(events)
    return stored
  }

  async close(): Promise<void> {}

  /** A member of the underlying store: a method that fails once the process is dead, also between the items of a stream. */
  private passOn(name: string | symbol): unknown {
    const member: unknown = Reflect.get(this.inner, name)
    if (typeof member !== 'function') return member
    return (...given: unknown[]) => {
      if (this.isDead) return failing()
      const outcome: unknown = member.apply(this.inner, given)
      return isStream(outcome) ? this.streamWhileAlive(outcome) : outcome
    }
  }

  private async *streamWhileAlive(items: AsyncIterable<unknown>): AsyncGenerator<unknown> {
    for await (const item of items) {
      this.alive()
      yield item
    }
  }

  private alive(): RunStore {
    if (this.isDead) throw died()
    return this.inner
  }

  private die(events: readonly NewEvent[]): never {
    this.cutEvents = events
    throw died()
  }
}

/** One process's view of a store: the store itself, and how the process died. */
export type FaultStore = ProcessView & RunStore

/**
 * One process's view of a store, to simulate crashes within one test process. At its crash point it dies: every later call fails,
 * as if the process had been killed. Its runs belong to a process that does not exist, so the next view of the same store takes
 * them over at once. Closing a view leaves the underlying store open.
 */
export const FaultStore = ProcessView as unknown as {
  /**
   * A view that dies at a point.
   * @param point absent: never
   */
  new (inner: RunStore, point?: CrashPoint): FaultStore
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** The result of a call to a dead process: a promise that rejects, and a stream that fails at its first item. */
function failing(): Promise<never> & AsyncIterable<never> {
  const rejected = Promise.reject(died())
  const next = () => rejected
  return Object.assign(rejected, { [Symbol.asyncIterator]: () => ({ next }) })
}

function died(): ScholiumError {
  return new ScholiumError('store_failed', 'The process died here: an injected fault.')
}
