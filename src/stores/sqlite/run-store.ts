import type { DatabaseSync } from 'node:sqlite'
import { ScholiumError } from '../../kernel/errors.ts'
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
import { openDatabase } from './database.ts'
import { storeFailure } from './run-store-failure.ts'
import { busyToRemove, RunLeases } from './run-store-leases.ts'
import { EventTable, prepareEvent } from './run-store-log.ts'
import { checkRunId, isHeld, RunTable, toRunRecord } from './run-store-runs.ts'
import { prepareSchema } from './run-store-schema.ts'
import { Transactions } from './run-store-transaction.ts'

/**
 * Opens the log in a SQLite file, created with its folder if it does not exist.
 * @throws `store_failed` if the file cannot be opened or is not a log of this version
 */
export function openRunStore(path: string): RunStore {
  let db: DatabaseSync | undefined
  try {
    db = openDatabase(path)
    return new SqliteRunStore(db, path)
  } catch (error) {
    db?.close()
    throw storeFailure(error, path)
  }
}

/** A run store on an open database, which it closes with itself. */
export class SqliteRunStore implements RunStore {
  private readonly db: DatabaseSync
  private readonly path: string
  private readonly transactions: Transactions
  private readonly runs: RunTable
  private readonly log: EventTable
  private readonly leases: RunLeases
  /** Sizes of runs appended to here, computed on first request. */
  private readonly sizes = new Map<string, { readonly epoch: number; bytes: number }>()

  constructor(db: DatabaseSync, path: string) {
    this.db = db
    this.path = path
    this.transactions = new Transactions(db)
    prepareSchema(db, this.transactions, path)
    this.runs = new RunTable(db)
    this.log = new EventTable(db)
    this.leases = new RunLeases(db, this.runs, this.transactions)
  }

  async create(run: NewRun, owner: Owner): Promise<Lease> {
    return this.on(run.runId, () => this.leases.create(run, owner))
  }

  async acquire(runId: string, owner: Owner): Promise<Lease> {
    return this.on(runId, () => this.leases.acquire(runId, owner))
  }

  async append(
    lease: Lease,
    events: readonly NewEvent[],
    blobs: readonly NewBlob[],
    durability: Durability,
  ): Promise<readonly RunEvent[]> {
    const { runId, epoch } = lease
    return this.on(runId, () => {
      const prepared = events.map(prepareEvent)
      const stored = this.transactions.run(durability, () => {
        const head = this.leases.check(lease)
        const inserted = prepared.map((event, index) =>
          this.log.insert(runId, head.last_seq + index + 1, epoch, event),
        )
        const kept = blobs.map((blob) => this.log.keep(runId, blob))
        this.leases.keep(lease, head, statusAfter(events))
        const added = [...inserted.map(({ sizeBytes }) => sizeBytes), ...kept]
        return { inserted, sizeBytes: added.reduce((sum, one) => sum + one, 0) }
      })
      const size = this.sizes.get(runId)
      if (size !== undefined) size.bytes += stored.sizeBytes
      return stored.inserted.map(({ event }) => event)
    })
  }

  async sizeBytes(lease: Lease): Promise<number> {
    const { runId, epoch } = lease
    const known = this.sizes.get(runId)
    if (known?.epoch === epoch) return known.bytes
    const bytes = this.on(runId, () => this.log.sizeBytes(runId))
    this.sizes.set(runId, { epoch, bytes })
    return bytes
  }

  async check(lease: Lease): Promise<void> {
    this.on(lease.runId, () => this.leases.check(lease))
  }

  async release(lease: Lease, status: RunStatus): Promise<void> {
    this.sizes.delete(lease.runId)
    this.on(lease.runId, () => this.leases.release(lease, status))
  }

  async get(runId: string): Promise<RunRecord> {
    return this.on(runId, () => toRunRecord(this.runs.row(runId), Date.now()))
  }

  async list(page: RunPage = {}): Promise<readonly RunRecord[]> {
    const now = Date.now()
    return this.guard(() => this.runs.newest(page).map((row) => toRunRecord(row, now)))
  }

  async *events<Type extends EventType = EventType>(
    runId: string,
    filter: EventFilter<Type> = {},
  ): AsyncGenerator<EventOf<Type>> {
    const family = this.on(runId, () => this.runs.family(runId))
    for (const member of family) {
      const events = this.log.read(member, filter)
      for (;;) {
        const next = this.guard(() => events.next())
        if (next.done === true) break
        yield next.value
      }
    }
  }

  async output(runId: string, seq: number): Promise<Json | undefined> {
    return this.on(runId, () => {
      const own = this.log.output(runId, seq)
      if (own !== null) return own.output
      const member = this.runs.family(runId).find(({ throughSeq }) => seq <= throughSeq)
      return member === undefined ? undefined : this.log.output(member.runId, seq)?.output
    })
  }

  async blob(runId: string, hash: Hash): Promise<string | undefined> {
    return this.on(runId, () => {
      const own = this.log.blob(runId, hash)
      if (own !== undefined) return own
      const elders = this.runs.family(runId).slice(0, -1)
      return elders
        .map((elder) => this.log.blob(elder.runId, hash))
        .find((text) => text !== undefined)
    })
  }

  async remove(runId: string): Promise<void> {
    this.on(runId, () =>
      this.transactions.run('full', () => {
        const row = this.runs.row(runId)
        if (isHeld(row, Date.now())) throw busyToRemove(row)
        const children = this.runs.childrenOf(runId)
        if (children.length > 0) throw neededBy(runId, children)
        this.log.remove(runId)
      }),
    )
  }

  async close(): Promise<void> {
    this.leases.close()
    if (this.db.isOpen) this.guard(() => this.db.close())
  }

  private on<T>(runId: string, work: () => T): T {
    checkRunId(runId)
    return this.guard(work)
  }

  private guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw storeFailure(error, this.path)
    }
  }
}

/** The status implied by events alone, so that it is correct even if the process ends before it releases the run. */
function statusAfter(events: readonly NewEvent[]): RunStatus | undefined {
  let status: RunStatus | undefined
  for (const event of events) {
    if (event.type === 'run.resumed') status = 'running'
    if (event.type === 'run.waiting') status = 'waiting'
    if (event.type === 'run.finished')
      status = endStatuses.find((known) => known === event.data.status) ?? status
  }
  return status
}

const endStatuses: readonly RunStatus[] = ['answered', 'partial', 'unanswered', 'failed']

function neededBy(runId: string, forks: readonly string[]): ScholiumError {
  const named = forks.slice(0, maxNamed).join(', ')
  const more = forks.length > maxNamed ? ` and ${forks.length - maxNamed} more` : ''
  const who = forks.length === 1 ? 'its fork' : `its ${forks.length} forks`
  return new ScholiumError('run_busy', `Run ${runId} is needed by ${who} ${named}${more}.`, {
    hint: `Remove ${forks.length === 1 ? 'it' : 'them'} first: scholium runs remove ${forks.slice(0, maxNamed).join(' ')}`,
    details: { runId, forks: [...forks] },
  })
}

const maxNamed = 10
