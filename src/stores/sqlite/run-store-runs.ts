import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ScholiumError } from '../../kernel/errors.ts'
import type { RunStatus } from '../../kernel/run/event.ts'
import type { Lease, NewRun, Owner, RunPage, RunRecord } from '../../kernel/run/run-store.ts'
import { checkLiveness } from '../process-owner.ts'

/** A row of `runs` with the sequence number and time of its last own event, null before the first. */
export interface RunRow {
  readonly run_id: string
  readonly workflow: string
  readonly title: string
  readonly status: RunStatus
  readonly created_at: number
  readonly epoch: number
  readonly owner: string | null
  readonly lease_until: number
  readonly parent_id: string | null
  readonly parent_seq: number | null
  readonly last_seq: number | null
  readonly last_ts: number | null
}

/** What an append needs to know about its run. */
export interface RunHead {
  readonly epoch: number
  readonly is_owned: 0 | 1
  readonly lease_until: number
  readonly last_seq: number
}

/** A run, and the last sequence number up to which its events belong to a family. */
export interface FamilyMember {
  readonly runId: string
  readonly throughSeq: number
}

const select = `
  SELECT runs.*, last.seq AS last_seq, last.ts AS last_ts FROM runs LEFT JOIN events AS last
  ON last.rowid = (SELECT rowid FROM events WHERE run_id = runs.run_id ORDER BY seq DESC LIMIT 1)`

const selectHead = `
  SELECT epoch, owner IS NOT NULL AS is_owned, lease_until,
    coalesce((SELECT max(seq) FROM events WHERE run_id = runs.run_id), parent_seq, 0) AS last_seq
  FROM runs WHERE run_id = ?`

const insert = `
  INSERT INTO runs (run_id, workflow, title, status, created_at, epoch, owner, lease_until, parent_id, parent_seq)
  VALUES (?, ?, ?, 'running', ?, 1, ?, ?, ?, ?)`

/** Runs that are listed after one that was created at a time. Of those of the same millisecond, the one created last is listed first. */
const whereLater = `
  WHERE created_at < ? OR created_at = ? AND runs.rowid < (SELECT rowid FROM runs WHERE run_id = ?)`

/** For SQLite, a negative limit means none. */
const noLimit = -1

/** Leases that this process gave up but could not release in the database: by database, run and epoch. */
const givenUp = new Set<string>()

/** The table of runs. Callers group their calls into transactions. */
export class RunTable {
  private readonly db: DatabaseSync
  private readonly findRow: StatementSync
  private readonly findHead: StatementSync
  private readonly findChildren: StatementSync
  private readonly findNewest: StatementSync
  private readonly findLater: StatementSync

  constructor(db: DatabaseSync) {
    this.db = db
    this.findRow = db.prepare(`${select} WHERE runs.run_id = ?`)
    this.findHead = db.prepare(selectHead)
    this.findChildren = db.prepare(
      'SELECT run_id FROM runs WHERE parent_id = ? ORDER BY created_at',
    )
    const order = 'ORDER BY created_at DESC, runs.rowid DESC LIMIT ?'
    this.findNewest = db.prepare(`${select} ${order}`)
    this.findLater = db.prepare(`${select} ${whereLater} ${order}`)
  }

  /** @throws `run_not_found` */
  row(runId: string): RunRow {
    const row = this.findRow.get(runId) as RunRow | undefined
    if (row === undefined) throw runNotFound(runId)
    return this.seen(row)
  }

  /** Makes this process, whose disk may be full, ignore its own ownership of a run. */
  giveUp(lease: Lease): void {
    givenUp.add(this.nameOf(lease.runId, lease.epoch))
  }

  /** @throws `run_not_found` */
  head(runId: string): RunHead {
    const head = this.findHead.get(runId) as RunHead | undefined
    if (head === undefined) throw runNotFound(runId)
    return head
  }

  /**
   *
   * @throws `invalid_input` if the id is taken, or a fork starts after its parent's end; `run_not_found` if the parent does not
   * exist
   */
  insert(run: NewRun, owner: Owner, leaseUntil: number): void {
    const { runId, workflow, title, createdAt, parent } = run
    if (this.findHead.get(runId) !== undefined) {
      throw new ScholiumError('invalid_input', `Run ${runId} already exists.`, {
        hint: 'Give the new run another id.',
      })
    }
    if (parent !== undefined) this.checkPrefix(parent)
    // A title is only displayed. A lone surrogate, which UTF-8 cannot represent, and a null character, at which Node before 24.21
    // cuts a text off, become replacement characters.
    const values = [
      runId,
      workflow,
      title.replaceAll('\0', '\ufffd'),
      createdAt,
      JSON.stringify(owner),
      leaseUntil,
    ]
    this.db.prepare(insert).run(...values, parent?.runId ?? null, parent?.seq ?? null)
  }

  newest({ limit = noLimit, after }: RunPage): readonly RunRow[] {
    const rows =
      after === undefined
        ? this.findNewest.all(limit)
        : this.findLater.all(after.createdAt, after.createdAt, after.runId, limit)
    return (rows as unknown as readonly RunRow[]).map((row) => this.seen(row))
  }

  /** A run and the runs whose prefix it shares, oldest first. */
  family(runId: string): readonly FamilyMember[] {
    const members: FamilyMember[] = []
    let throughSeq = Number.MAX_SAFE_INTEGER
    let next: string | null = runId
    while (next !== null) {
      const row: RunRow = this.row(next)
      members.unshift({ runId: next, throughSeq })
      throughSeq = Math.min(throughSeq, row.parent_seq ?? 0)
      next = row.parent_id
    }
    return members
  }

  /** The runs that share a prefix of this one, oldest first. */
  childrenOf(runId: string): readonly string[] {
    return this.findChildren.all(runId).map((row) => row.run_id as string)
  }

  private seen(row: RunRow): RunRow {
    return givenUp.has(this.nameOf(row.run_id, row.epoch)) ? { ...row, owner: null } : row
  }

  private nameOf(runId: string, epoch: number): string {
    return `${epoch} ${runId} ${this.db.location()}`
  }

  private checkPrefix(parent: { readonly runId: string; readonly seq: number }): void {
    const { last_seq: last } = this.head(parent.runId)
    if (Number.isInteger(parent.seq) && parent.seq >= 0 && parent.seq <= last) return
    const message = `Run ${parent.runId} cannot be forked at ${parent.seq}: its events are numbered 1 to ${last}.`
    throw new ScholiumError('invalid_input', message, { hint: 'Give one of its events.' })
  }
}

/** Converts a row to a run record. */
export function toRunRecord(row: RunRow, nowMs: number): RunRecord {
  const isInterrupted = row.status === 'running' && !isHeld(row, nowMs)
  return {
    runId: row.run_id,
    workflow: row.workflow,
    title: row.title,
    status: isInterrupted ? 'interrupted' : row.status,
    createdAt: row.created_at,
    updatedAt: row.last_ts ?? row.created_at,
    epoch: row.epoch,
    lastSeq: row.last_seq ?? row.parent_seq ?? 0,
    ...(row.parent_id === null
      ? {}
      : { parent: { runId: row.parent_id, seq: row.parent_seq ?? 0 } }),
  }
}

/** The owner of a run, or `undefined`. */
export function readOwner(row: RunRow): Owner | undefined {
  return row.owner === null ? undefined : (JSON.parse(row.owner) as Owner)
}

/** Whether a process that may still be running has the run. The time of a lease counts only if the process cannot be checked. */
export function isHeld(row: RunRow, nowMs: number): boolean {
  const owner = readOwner(row)
  if (owner === undefined) return false
  const liveness = checkLiveness(owner)
  return liveness === 'alive' || (liveness === 'unknown' && row.lease_until > nowMs)
}

/**
 * Run ids appear in file names and command lines: letters, digits, `.`, `_` and `-`, at most 128, starting with a letter or
 * digit.
 * @throws `invalid_input` for any other
 */
export function checkRunId(runId: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(runId)) return
  throw new ScholiumError(
    'invalid_input',
    `"${runId.slice(0, 40).toWellFormed()}" is not a run id.`,
    {
      hint: 'List your runs with: scholium runs list',
    },
  )
}

function runNotFound(runId: string): ScholiumError {
  return new ScholiumError('run_not_found', `There is no run ${runId}.`, {
    hint: 'List your runs with: scholium runs list',
    details: { runId },
  })
}
