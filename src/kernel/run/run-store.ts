import type { Hash, Json } from '../json.ts'
import type { EventOf, EventType, NewEvent, RunEvent, RunStatus } from './event.ts'

/** The process that drives a run. Two owners are the same process only when all three agree. */
export interface Owner {
  /** Changes when the machine starts anew. */
  readonly bootId: string
  readonly pid: number
  /** When the process started, in the system's own form. */
  readonly processStart: string
}

/** The right to append to a run: holds until another owner takes a higher epoch. */
export interface Lease {
  readonly runId: string
  readonly epoch: number
}

/** What the store knows of a run without reading its log. Times in milliseconds since 1970. */
export interface RunRecord {
  readonly runId: string
  readonly workflow: string
  /** One line for lists: the question, the topic. */
  readonly title: string
  readonly status: RunStatus
  readonly createdAt: number
  readonly updatedAt: number
  readonly epoch: number
  readonly lastSeq: number
  /** For a fork: the run and the last sequence number of the prefix that it shares. */
  readonly parent?: { readonly runId: string; readonly seq: number }
}

/** What a new run is made of. */
export type NewRun = Pick<RunRecord, 'runId' | 'workflow' | 'title' | 'createdAt' | 'parent'>

/** `full`: on disk before the promise resolves, whatever happens to the machine. `normal`: survives the process, not a power cut. */
export type Durability = 'normal' | 'full'

/** A JSON text of a run under its hash. */
export interface NewBlob {
  readonly hash: Hash
  readonly text: string
}

/** Which events to read. */
export interface EventFilter<Type extends EventType = EventType> {
  /** Only events after this sequence number. */
  readonly afterSeq?: number
  readonly types?: readonly Type[]
  /** `false` leaves `output` out and is fast on large logs. Default `true`. */
  readonly withOutput?: boolean
}

/**
 * Where runs are kept. Every implementation passes `test/contracts/run-store.ts`.
 *
 * All methods reject with `store_failed` when the medium fails, and with `run_not_found` for an unknown run.
 */
export interface RunStore {
  /** Starts a run at epoch 1 owned by `owner`. */
  create(run: NewRun, owner: Owner): Promise<Lease>
  /**
   * Takes a run over under the next epoch, after which the earlier owner can append no more.
   * @throws `run_busy` while another live process owns it.
   */
  acquire(runId: string, owner: Owner): Promise<Lease>
  /**
   * Appends in order, in one transaction with `blobs`; resolves with the events as stored after the commit.
   * @throws `fenced` when the lease's epoch is no longer the run's; nothing is stored then.
   */
  append(
    lease: Lease,
    events: readonly NewEvent[],
    blobs: readonly NewBlob[],
    durability: Durability,
  ): Promise<readonly RunEvent[]>
  /** Rejects with `fenced` when the lease is lost. Asked before each write. */
  check(lease: Lease): Promise<void>
  /** How many bytes the run's own events and blobs have as JSON: their keys, data and outputs, a text that is kept twice once. */
  sizeBytes(lease: Lease): Promise<number>
  /** Gives the run up with the status it now has; harmless when the lease is lost. */
  release(lease: Lease, status: RunStatus): Promise<void>
  /** What is known of a run. */
  get(runId: string): Promise<RunRecord>
  /** Newest first. A fork follows as its own row with `parent`. */
  list(options?: { readonly limit?: number }): Promise<readonly RunRecord[]>
  /** A run's events in order, a fork's shared prefix first. */
  events<Type extends EventType = EventType>(
    runId: string,
    filter?: EventFilter<Type>,
  ): AsyncIterable<EventOf<Type>>
  /** The output of one event, read from its row or its blob; `undefined` when it has none. */
  output(runId: string, seq: number): Promise<Json | undefined>
  /** A text that a run kept under its hash; `undefined` for none. */
  blob(runId: string, hash: Hash): Promise<string | undefined>
  /** Removes a run with its events and blobs. @throws `run_busy` while it is owned by a live process or a fork needs it. */
  remove(runId: string): Promise<void>
  /** Closes the medium. */
  close(): Promise<void>
}
