import type { Hash, Json } from '../../kernel/json.ts'
import type { EventOf, EventType, NewEvent, RunEvent, RunStatus } from '../../kernel/run/event.ts'
import type {
  Durability,
  EventFilter,
  Lease,
  NewBlob,
  NewRun,
  Owner,
  RunPage,
  RunRecord,
  RunStore,
} from '../../kernel/run/run-store.ts'
import { isAbsent } from './is-absent.ts'
import { openRunStore } from './run-store.ts'
import { closedLog } from './run-store-failure.ts'

/**
 * A run store in a SQLite file that is opened on first use and created with its folder by the first run; until then it reads as
 * empty. `prepare` is called before the file is created. Its methods reject with `store_failed` like {@link openRunStore}.
 */
export function createLazyRunStore(path: string, prepare: () => void = () => {}): RunStore {
  return new LazyRunStore(path, prepare)
}

class LazyRunStore implements RunStore {
  private readonly path: string
  private readonly prepare: () => void
  private opened: RunStore | undefined
  private empty: RunStore | undefined
  private isClosed = false

  constructor(path: string, prepare: () => void) {
    this.path = path
    this.prepare = prepare
  }

  async create(run: NewRun, owner: Owner): Promise<Lease> {
    if (this.isClosed) throw closedLog()
    if (this.opened === undefined) this.prepare()
    this.opened ??= openRunStore(this.path)
    return this.opened.create(run, owner)
  }

  async acquire(runId: string, owner: Owner): Promise<Lease> {
    return this.there().acquire(runId, owner)
  }

  async append(
    lease: Lease,
    events: readonly NewEvent[],
    blobs: readonly NewBlob[],
    durability: Durability,
  ): Promise<readonly RunEvent[]> {
    return this.there().append(lease, events, blobs, durability)
  }

  async check(lease: Lease): Promise<void> {
    return this.there().check(lease)
  }

  async sizeBytes(lease: Lease): Promise<number> {
    return this.there().sizeBytes(lease)
  }

  async release(lease: Lease, status: RunStatus): Promise<void> {
    return this.there().release(lease, status)
  }

  async get(runId: string): Promise<RunRecord> {
    return this.there().get(runId)
  }

  async list(page: RunPage = {}): Promise<readonly RunRecord[]> {
    return this.there().list(page)
  }

  async *events<Type extends EventType = EventType>(
    runId: string,
    filter: EventFilter<Type> = {},
  ): AsyncGenerator<EventOf<Type>> {
    yield* this.there().events(runId, filter)
  }

  async output(runId: string, seq: number): Promise<Json | undefined> {
    return this.there().output(runId, seq)
  }

  async blob(runId: string, hash: Hash): Promise<string | undefined> {
    return this.there().blob(runId, hash)
  }

  async remove(runId: string): Promise<void> {
    return this.there().remove(runId)
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.opened?.close()
    await this.empty?.close()
  }

  /** The store, if its file now exists (another process may have created it), otherwise an empty one. */
  private there(): RunStore {
    if (this.isClosed) throw closedLog()
    if (this.opened !== undefined) return this.opened
    if (isAbsent(this.path)) {
      this.empty ??= openRunStore(':memory:')
      return this.empty
    }
    this.opened = openRunStore(this.path)
    return this.opened
  }
}
