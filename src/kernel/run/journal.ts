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

/** Whether a journal writes the log or only reads what another execution wrote. */
export type JournalMode = 'live' | 'replay'

/** A step of an earlier execution, as logged. */
export interface RecordedStep {
  readonly seq: number
  readonly ts: number
  readonly type: StepEvent['type']
  readonly facts: StepFacts
  /** The event that holds the input, if the step's start was logged. */
  readonly startedSeq?: number
  /** Whether the run was retried from before it. It still counts when requested with the same input. */
  readonly isBeforeRetry?: true
}

/** The end of a node or turn, or a decision, from an earlier execution. */
export type Boundary<Type extends BoundaryType = BoundaryType> = PickEach<
  EventOf<Type>,
  'seq' | 'ts' | 'key' | 'type' | 'data'
>

/** An event for listeners only, before it is marked as transient. */
export type UnmarkedEvent = DistributiveOmit<TransientEvent, 'transient'>
type DistributiveOmit<Union, Name extends PropertyKey> = Union extends unknown
  ? Omit<Union, Name>
  : never

interface Pending {
  readonly event: NewEvent
  readonly blobs: readonly NewBlob[]
  readonly durability: Durability
  /** Transient events emitted while it waited: listeners receive them after it. */
  readonly followers: UnmarkedEvent[]
  resolve(event: RunEvent): void
  reject(reason: unknown): void
}

/** Maximum number of unawaited appends in the queue, so that code which never waits stays bounded. */
const maxUnawaited = 16

/** A larger append, in UTF-16 code units, is awaited, so that it counts against the log limit before more is done. */
const maxUnawaitedCharacters = 100_000

/**
 * One execution's view of a run's log: earlier records by key, and appending. Appends of one tick share a transaction; a
 * promise resolves after its commit. After a failed append nothing more can be appended: a process that lost its log must not
 * continue.
 */
export class Journal {
  readonly runId: string
  readonly mode: JournalMode
  private readonly store: RunStore
  private readonly lease: Lease | undefined
  private readonly listeners: Set<(event: LiveEvent) => void>
  private readonly steps = new Map<string, RecordedStep>()
  private readonly boundaries = new Map<string, Boundary>()
  /** Events in which a fork changed the state, by the key of the boundary after which the change applies. */
  private readonly changes = new Map<string, readonly number[]>()
  /** The last event that a fork shares with its parent; 0 for a run that is not a fork. */
  private sharedSeq = 0
  private readonly usedKeys = new Set<string>()
  private queue: Pending[] = []
  /** The last uncommitted append. */
  private last: Pending | undefined
  /** Texts to store with the next append; in a replay, all texts. */
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

  /** Processes one event of the log, in order. */
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

  /** The recorded step at a key, if it was started before. */
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

  /** The recorded decision at a key, also in a replay: a reached limit, or a question that was asked. */
  decision<Type extends BoundaryType>(type: Type, key: string): Boundary<Type> | undefined {
    return this.boundaries.get(`${type} ${key}`) as Boundary<Type> | undefined
  }

  /** All matching decisions, notices and boundaries, of earlier executions and of this one. */
  boundariesWhere<B extends Boundary>(holds: (boundary: Boundary) => boundary is B): readonly B[] {
    return [...this.boundaries.values()].filter(holds)
  }

  /** The recorded output of an event. */
  async output(seq: number): Promise<Json | undefined> {
    return this.store.output(this.runId, seq)
  }

  /** The recorded input of a step, if the log kept it. */
  async recordedInput(key: string): Promise<Json | undefined> {
    const step = this.steps.get(key)
    if (step?.facts.input !== undefined) return step.facts.input
    return step?.startedSeq === undefined ? undefined : this.output(step.startedSeq)
  }

  /** Marks a key as used by this execution. @throws `step_repeated` if it already was */
  claim(key: string): void {
    if (this.usedKeys.has(key)) {
      throw new ScholiumError('step_repeated', `The step key "${key}" was used twice in one run.`, {
        hint: 'Give each step in a loop its own name, for example with the index of the iteration.',
      })
    }
    this.usedKeys.add(key)
  }

  /** Number of steps that this execution requested. */
  get claimedCount(): number {
    return this.usedKeys.size
  }

  /** Recorded steps that this execution has not requested, without those before a retry or a fork. */
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
   * Like {@link append}, for events that only need to precede later ones: the caller can continue at once, and the event shares
   * the transaction of the next append, where a failing log is noticed.
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

  /** Committed size of this run's own part of the log in bytes; 0 in a replay. */
  async sizeBytes(): Promise<number> {
    return this.lease === undefined ? 0 : this.store.sizeBytes(this.lease)
  }

  /** Sends a transient event to listeners; it is not stored. */
  emit(event: UnmarkedEvent): void {
    if (this.last === undefined) this.tell({ transient: true, ...event })
    else this.last.followers.push(event)
  }

  /** Stores texts under their hashes, in the transaction of the next append. */
  keep(blobs: readonly NewBlob[]): void {
    for (const { hash, text } of blobs) this.kept.set(hash, text)
  }

  /** A text stored in this run. */
  async blob(hash: Hash): Promise<string | undefined> {
    return this.kept.get(hash) ?? this.store.blob(this.runId, hash)
  }

  /** Flushes one batch at a time, so that the order of the appends is the order of the log. */
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
        // A key is used once per execution, so this execution's own steps are never read again.
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

  /** A listener that throws is removed: it must not stop the run. */
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

  /** Drops failures and boundaries after a place. Finished steps are kept: they must not be repeated or paid for again. */
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
 * Drops steps from before a retry in a node that has not ended again: they come after the place where a fork starts.
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
