import { ScholiumError } from '../errors.ts'
import { countCharacters, type Hash, type Json, type JsonObject } from '../json.ts'
import {
  type BoundaryType,
  type EventOf,
  isBoundary,
  isOfStep,
  type LiveEvent,
  type NewEvent,
  type PickEach,
  type RunEvent,
  type StepEvent,
  type StepFacts,
  type TransientEvent,
} from './event.ts'
import type { Durability, Lease, NewBlob, RunStore } from './run-store.ts'

/** How a journal meets the log: writing it, or only reading what another execution wrote. */
export type JournalMode = 'live' | 'replay'

/** What the log says of a step that was begun before. */
export interface RecordedStep {
  readonly seq: number
  readonly ts: number
  readonly type: StepEvent['type']
  readonly facts: StepFacts
  /** Where the log keeps the input of a step whose start was stored. */
  readonly startedSeq?: number
  /** Whether the run was tried again from before it: it still holds where it is asked for with the same input. */
  readonly isBeforeRetry?: true
}

/** A node or a turn that ended before, or a decision of an earlier execution. */
export type Boundary<Type extends BoundaryType = BoundaryType> = PickEach<
  EventOf<Type>,
  'seq' | 'ts' | 'key' | 'type' | 'data'
>

/** What is told and not stored, before it is marked so. */
export type Told = DistributiveOmit<TransientEvent, 'transient'>
type DistributiveOmit<Union, Name extends PropertyKey> = Union extends unknown
  ? Omit<Union, Name>
  : never

interface Pending {
  readonly event: NewEvent
  readonly blobs: readonly NewBlob[]
  readonly durability: Durability
  /** What was told while it waited: listeners hear it after the event. */
  readonly followers: Told[]
  resolve(event: RunEvent): void
  reject(reason: unknown): void
}

/** Events that may wait without anybody waiting for them, so that code which never waits stays bounded. */
const maxUnawaited = 16

/** What has more characters than that is waited for: it counts for the limit on the log before more is done. */
const maxUnawaitedCharacters = 100_000

/**
 * One execution's view of a run's log: what was recorded before, by key, and the way to append. Appends of one tick share a
 * transaction; a promise resolves after its commit. After a failed append nothing more can be appended: the process that
 * lost its log must not go on as if it had one.
 */
export class Journal {
  readonly runId: string
  readonly mode: JournalMode
  private readonly store: RunStore
  private readonly lease: Lease | undefined
  private readonly listeners: Set<(event: LiveEvent) => void>
  private readonly steps = new Map<string, RecordedStep>()
  private readonly boundaries = new Map<string, Boundary>()
  /** Where a fork changed the state: the events that say so, by the key of the boundary after which the change holds. */
  private readonly changes = new Map<string, readonly number[]>()
  /** Up to which event a fork shares its parent's; 0 for a run that is none. */
  private sharedSeq = 0
  private readonly usedKeys = new Set<string>()
  private queue: Pending[] = []
  /** The last append that is not committed. */
  private last: Pending | undefined
  /** Texts that wait for the next append; all of them, in a replay. */
  private readonly kept = new Map<Hash, string>()
  private flushing: Promise<void> = Promise.resolve()
  private broken: unknown

  constructor(options: {
    runId: string
    store: RunStore
    /** Absent in a replay, which appends nothing. */
    lease?: Lease
    listeners?: readonly ((event: LiveEvent) => void)[]
  }) {
    this.runId = options.runId
    this.store = options.store
    this.lease = options.lease
    this.mode = options.lease === undefined ? 'replay' : 'live'
    this.listeners = new Set(options.listeners ?? [])
  }

  /** Takes in one event of the log, in order. */
  record(event: RunEvent): void {
    if (event.type === 'run.resumed') this.rewind(event)
    else if (event.type === 'run.forked') this.fork(event)
    else if (isOfStep(event)) {
      const { seq, ts, type, data: facts } = event
      const startedSeq = type === 'step.started' ? seq : this.steps.get(event.key)?.startedSeq
      const step = { seq, ts, type, facts }
      this.steps.set(event.key, startedSeq === undefined ? step : { ...step, startedSeq })
    } else if (isBoundary(event)) {
      const { seq, ts, key, type, data } = event
      this.boundaries.set(`${type} ${key}`, { seq, ts, key, type, data } as Boundary)
    }
  }

  /** What the log says of a step, if it was begun before. */
  recordedStep(key: string): RecordedStep | undefined {
    return this.steps.get(key)
  }

  /** A boundary that an earlier execution reached. A replay re-executes the code, so it knows none but a fork's parent's. */
  boundary<Type extends BoundaryType>(type: Type, key: string): Boundary<Type> | undefined {
    const boundary = this.decision(type, key)
    const isKnown = this.mode === 'live' || (boundary?.seq ?? 0) <= this.sharedSeq
    return isKnown ? boundary : undefined
  }

  /** The fields of the state that forks set after the boundary of this key, by fork; the later fork counts. */
  async changedFields(key: string): Promise<readonly JsonObject[]> {
    const seqs = this.changes.get(key) ?? []
    const fields = await Promise.all(seqs.map((seq) => this.output(seq)))
    return fields as readonly JsonObject[]
  }

  /** The recorded decision at a key, also in a replay: a limit that was reached, a question that was put. */
  decision<Type extends BoundaryType>(type: Type, key: string): Boundary<Type> | undefined {
    return this.boundaries.get(`${type} ${key}`) as Boundary<Type> | undefined
  }

  /** All decisions, notices and ends of which something holds, of earlier executions and of this one. */
  boundariesWhere<B extends Boundary>(holds: (boundary: Boundary) => boundary is B): readonly B[] {
    return [...this.boundaries.values()].filter(holds)
  }

  /** The recorded output of an event. */
  async output(seq: number): Promise<Json | undefined> {
    return this.store.output(this.runId, seq)
  }

  /** The input with which a step was recorded, where the log kept it. */
  async recordedInput(key: string): Promise<Json | undefined> {
    const step = this.steps.get(key)
    if (step?.facts.input !== undefined) return step.facts.input
    return step?.startedSeq === undefined ? undefined : this.output(step.startedSeq)
  }

  /** Marks a key as used by this execution. @throws `step_repeated` when it was already. */
  claim(key: string): void {
    if (this.usedKeys.has(key)) {
      throw new ScholiumError('step_repeated', `The step key "${key}" was used twice in one run.`, {
        hint: 'Give each step in a loop its own name, for example with the index of the iteration.',
      })
    }
    this.usedKeys.add(key)
  }

  /** How many steps this execution asked for. */
  get claimedCount(): number {
    return this.usedKeys.size
  }

  /** The recorded steps that this execution has not asked for, those before a retry or a fork left out. */
  unclaimed(): readonly string[] {
    return [...this.steps].flatMap(([key, step]) =>
      this.usedKeys.has(key) || step.isBeforeRetry || step.seq <= this.sharedSeq ? [] : [key],
    )
  }

  /** Appends one event; resolves after its commit. A replay appends nothing and resolves at once. */
  append(
    event: NewEvent,
    durability: Durability = 'normal',
    blobs: readonly NewBlob[] = [],
  ): Promise<RunEvent> {
    const unstored = { v: 1, runId: this.runId, seq: 0, epoch: 0 } as const
    if (this.mode === 'replay') return Promise.resolve({ ...unstored, ...event })
    return new Promise((resolve, reject) => {
      if (this.queue.length === 0) setImmediate(() => this.scheduleFlush())
      this.last = { event, blobs, durability, followers: [], resolve, reject }
      this.queue.push(this.last)
    })
  }

  /**
   * As {@link append}, for what needs to be in the log only before all that comes behind it: its caller may go on at once,
   * and shares the transaction of what is appended next. A log that fails is noticed there.
   */
  async appendAhead(event: NewEvent): Promise<void> {
    const appended = this.append(event)
    appended.catch(() => undefined)
    const isLarge = countCharacters(event.output, maxUnawaitedCharacters) > maxUnawaitedCharacters
    if (isLarge || this.queue.length >= maxUnawaited) await appended
  }

  /** Rejects with `fenced` when this process no longer owns the run. */
  async checkOwnership(): Promise<void> {
    if (this.lease !== undefined) await this.store.check(this.lease)
  }

  /** How much of the log is this run's own, as far as it is committed; 0 in a replay. */
  async sizeBytes(): Promise<number> {
    return this.lease === undefined ? 0 : this.store.sizeBytes(this.lease)
  }

  /** Tells listeners something that is not stored. */
  emit(event: Told): void {
    if (this.last === undefined) this.tell({ transient: true, ...event })
    else this.last.followers.push(event)
  }

  /** Keeps texts under their hashes, in the transaction of the next append. */
  keep(blobs: readonly NewBlob[]): void {
    for (const { hash, text } of blobs) this.kept.set(hash, text)
  }

  /** A text that was kept in this run. */
  async blob(hash: Hash): Promise<string | undefined> {
    return this.kept.get(hash) ?? this.store.blob(this.runId, hash)
  }

  /** One batch after the other, so that the order of the appends is the order of the log. */
  private scheduleFlush(): void {
    this.flushing = this.flushing.then(() => this.flush())
  }

  private async flush(): Promise<void> {
    const batch = this.queue
    const kept = [...this.kept].map(([hash, text]) => ({ hash, text }))
    this.queue = []
    try {
      if (this.broken !== undefined) throw this.broken
      const durability = batch.some((pending) => pending.durability === 'full') ? 'full' : 'normal'
      const events = batch.map((pending) => pending.event)
      const blobs = [...kept, ...batch.flatMap((pending) => pending.blobs)]
      const stored = await this.store.append(this.lease as Lease, events, blobs, durability)
      for (const { hash } of kept) this.kept.delete(hash)
      for (const [index, pending] of batch.entries()) {
        const event = stored[index] as RunEvent
        // A key is used once in an execution, so nobody asks for the steps that it did itself: memory stays flat.
        if (!isOfStep(event)) this.record(event)
        this.tell(event)
        this.tellFollowers(pending)
        pending.resolve(event)
      }
    } catch (error) {
      this.broken = error
      for (const pending of batch) {
        this.tellFollowers(pending)
        pending.reject(error)
      }
    }
  }

  private tellFollowers(pending: Pending): void {
    if (this.last === pending) this.last = undefined
    for (const event of pending.followers) this.tell({ transient: true, ...event })
  }

  /** A listener that fails is heard no more: telling must not stop the run. */
  private tell(event: LiveEvent): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(event)
      } catch (error) {
        this.listeners.delete(listener)
        const text = `A listener failed and will receive no more events: ${error instanceof Error ? error.message : error}`
        const data = { level: 'warning', component: 'listener', text } as const
        void this.append({ key: '', type: 'notice', data, ts: 'ts' in event ? event.ts : 0 }).catch(
          () => undefined,
        )
      }
    }
  }

  /** Forgets failures and boundaries after a place. What was finished stays: it must not be done, or paid, again. */
  private rewind({ data: { rewindToSeq: from } }: EventOf<'run.resumed'>): void {
    if (from === null) return
    for (const [key, step] of this.steps) {
      if (step.seq <= from) continue
      if (step.type === 'step.failed') this.steps.delete(key)
      else this.steps.set(key, { ...step, isBeforeRetry: true })
    }
    for (const [key, boundary] of this.boundaries)
      if (boundary.seq > from) this.boundaries.delete(key)
  }

  private fork({ seq, data }: EventOf<'run.forked'>): void {
    this.sharedSeq = seq - 1
    const key = data.boundary
    this.changes.set(key, [...(this.changes.get(key) ?? []), seq])
    dropSuperseded(this.steps, this.boundaries)
  }
}

/**
 * Forgets the steps that were done before a retry in a node that has not ended anew: they lie behind the place at which a fork
 * leaves the log, though it holds them.
 * @param boundaries by type and key
 */
function dropSuperseded(
  steps: Map<string, { readonly isBeforeRetry?: true }>,
  boundaries: ReadonlyMap<string, unknown>,
): void {
  for (const [key, { isBeforeRetry }] of steps) {
    const node = /^[^/]+\/[^/]+(?=\/)/.exec(key)?.[0]
    const isEnded = node === undefined || boundaries.has(`node.done ${node}`)
    if (isBeforeRetry && !isEnded) steps.delete(key)
  }
}
