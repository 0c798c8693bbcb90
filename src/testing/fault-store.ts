import { ScholiumError } from '../kernel/errors.ts'
import type { NewEvent, RunEvent } from '../kernel/run/event.ts'
import type { Lease, NewRun, Owner, RunStore } from '../kernel/run/run-store.ts'

/** Where a process dies: at the append that holds the `event`-th event that it appends, before or after the commit. */
export interface CrashPoint {
  /** From 1. */
  readonly event: number
  readonly when: 'before' | 'after'
}

/** No system gives this number to a process, so nobody takes the owner for alive. */
export const nobody = 99_999_999

/** What a process does otherwise than the store beneath it. All else is passed on while it lives: see the proxy. */
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

  /** How many events it had committed after each of its appends: those of one append are stored together or not at all. */
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
    return this.alive().create(run, { ...owner, pid: nobody })
  }

  async acquire(runId: string, owner: Owner): Promise<Lease> {
    return this.alive().acquire(runId, { ...owner, pid: nobody })
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

  /** A member of the store beneath: a method that fails once the process is dead, also between the items of a stream. */
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

/** One process's view of a store: the store, and how it died. */
export type FaultStore = ProcessView & RunStore

/**
 * One process's view of a store, for faults inside of one test process. At its crash point it dies: from then on every call
 * fails, as if the process had been killed there. Its runs belong to a process that is not there, so the next one, on
 * another view of the same store, takes them over at once. The store beneath stays open when a view is closed.
 */
export const FaultStore = ProcessView as unknown as {
  /** A store that dies at a point. @param point absent: it lives */
  new (inner: RunStore, point?: CrashPoint): FaultStore
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** What a call to a dead process gives: a promise that rejects, and a stream that fails at its first item. */
function failing(): Promise<never> & AsyncIterable<never> {
  const rejected = Promise.reject(died())
  const next = () => rejected
  return Object.assign(rejected, { [Symbol.asyncIterator]: () => ({ next }) })
}

function died(): ScholiumError {
  return new ScholiumError('store_failed', 'The process died here: an injected fault.')
}
