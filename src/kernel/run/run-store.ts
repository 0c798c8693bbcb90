import type { Hash, Json } from '../json.ts'
import type { EventOf, EventType, NewEvent, RunEvent, RunStatus } from './event.ts'

/** The process that executes a run. Two owners are the same process only if all three values agree. */
export interface Owner {
  /** Changes when the machine is restarted. */
  readonly bootId: string
  readonly pid: number
  /** When the process started, in a system-specific format. */
  readonly processStart: string
}

/** The right to append to a run, valid until another owner takes a higher epoch. */
export interface Lease {
  readonly runId: string
  readonly epoch: number
}

/** What the store knows about a run without reading its log. Times are in milliseconds since 1970. */
export interface RunRecord {
  readonly runId: string
  readonly workflow: string
  /** One line for lists, such as the question or topic. */
  readonly title: string
  readonly status: RunStatus
  readonly createdAt: number
  readonly updatedAt: number
  readonly epoch: number
  readonly lastSeq: number
  /** For a fork: the run and the last sequence number of the prefix that it shares. */
  readonly parent?: { readonly runId: string; readonly seq: number }
}

/** The properties of a new run. */
export type NewRun = Pick<RunRecord, 'runId' | 'workflow' | 'title' | 'createdAt' | 'parent'>

/** `full`: on disk before the promise resolves, so it survives a power cut. `normal`: survives the process, not a power cut. */
export type Durability = 'normal' | 'full'

/** A JSON text of a run, stored under its hash. */
export interface NewBlob {
  readonly hash: Hash
  readonly text: string
}

/** Which runs to list. */
export interface RunPage {
  /** Maximum number of runs. Default: all. */
  readonly limit?: number
  /** Only runs that come after this one in the list; it may have been removed. */
  readonly after?: Pick<RunRecord, 'runId' | 'createdAt'>
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
 * Stores runs. Every implementation passes `test/contracts/run-store.ts`.
 *
 * All methods reject with `store_failed` if the medium fails, and with `run_not_found` for an unknown run.
 */
export interface RunStore {
  /** Creates a run at epoch 1, owned by `owner`. */
  create(run: NewRun, owner: Owner): Promise<Lease>
  /**
   * Takes a run over under the next epoch; the earlier owner can then no longer append.
   * @throws `run_busy` while another live process owns it
   */
  acquire(runId: string, owner: Owner): Promise<Lease>
  /**
   * Appends in order, in one transaction with `blobs`; resolves with the stored events after the commit.
   * @throws `fenced` if the lease's epoch is no longer the run's; nothing is stored then
   */
  append(
    lease: Lease,
    events: readonly NewEvent[],
    blobs: readonly NewBlob[],
    durability: Durability,
  ): Promise<readonly RunEvent[]>
  /** Rejects with `fenced` if the lease is lost. Called before each write. */
  check(lease: Lease): Promise<void>
  /** Size of the run's own events and blobs as JSON: keys, data and outputs, with each blob counted once. */
  sizeBytes(lease: Lease): Promise<number>
  /** Releases the run with its current status; harmless if the lease is lost. */
  release(lease: Lease, status: RunStatus): Promise<void>
  /** The record of a run. */
  get(runId: string): Promise<RunRecord>
  /** Newest first. A fork is a separate row with `parent`. */
  list(page?: RunPage): Promise<readonly RunRecord[]>
  /** A run's events in order, starting with the prefix that a fork shares. */
  events<Type extends EventType = EventType>(
    runId: string,
    filter?: EventFilter<Type>,
  ): AsyncIterable<EventOf<Type>>
  /** The output of one event, from its row or its blob; `undefined` if it has none. */
  output(runId: string, seq: number): Promise<Json | undefined>
  /** A text stored under its hash; `undefined` if there is none. */
  blob(runId: string, hash: Hash): Promise<string | undefined>
  /**
   * Removes a run with its events and blobs.
   * @throws `run_busy` while a live process owns it or a fork needs it
   */
  remove(runId: string): Promise<void>
  /** Closes the medium. */
  close(): Promise<void>
}
