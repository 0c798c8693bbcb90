import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ScholiumError } from '../../kernel/errors.ts'
import type { RunStatus } from '../../kernel/run/event.ts'
import type { Lease, NewRun, Owner } from '../../kernel/run/run-store.ts'
import { isHeld, type RunHead, type RunRow, type RunTable, readOwner } from './run-store-runs.ts'
import type { Transactions } from './run-store-transaction.ts'

/** How long a lease is valid without renewal if its owner cannot be checked, in milliseconds. */
export const leaseTimeoutMs = 30_000

/** An append renews a lease of at least this age in milliseconds, so that few appends write to the run's row. */
const renewAfterMs = 5_000

const renewEveryMs = 10_000

/** Leases: which process may append to which run. */
export class RunLeases {
  private readonly runs: RunTable
  private readonly transactions: Transactions
  private readonly updateEpoch: StatementSync
  private readonly updateEnd: StatementSync
  private readonly updateTime: StatementSync
  private readonly updateProgress: StatementSync
  private readonly held = new Map<string, Lease>()
  private timer: NodeJS.Timeout | undefined

  constructor(db: DatabaseSync, runs: RunTable, transactions: Transactions) {
    this.runs = runs
    this.transactions = transactions
    this.updateEpoch = db.prepare(
      `UPDATE runs SET epoch = epoch + 1, owner = ?, lease_until = ?,
         status = CASE status WHEN 'interrupted' THEN 'running' ELSE status END WHERE run_id = ?`,
    )
    const mine = 'WHERE run_id = ? AND epoch = ? AND owner IS NOT NULL'
    this.updateEnd = db.prepare(`UPDATE runs SET owner = NULL, lease_until = 0, status = ? ${mine}`)
    this.updateTime = db.prepare(`UPDATE runs SET lease_until = ? ${mine}`)
    this.updateProgress = db.prepare(
      'UPDATE runs SET lease_until = ?, status = coalesce(?, status) WHERE run_id = ?',
    )
  }

  create(run: NewRun, owner: Owner): Lease {
    this.transactions.run('full', () => this.runs.insert(run, owner, Date.now() + leaseTimeoutMs))
    return this.hold({ runId: run.runId, epoch: 1 })
  }

  acquire(runId: string, owner: Owner): Lease {
    const lease = this.transactions.run('normal', () => {
      const row = this.runs.row(runId)
      const now = Date.now()
      if (isHeld(row, now)) throw runBusy(row, now, owner)
      this.updateEpoch.run(JSON.stringify(owner), now + leaseTimeoutMs, runId)
      return { runId, epoch: row.epoch + 1 }
    })
    return this.hold(lease)
  }

  /**
   *
   * @throws `fenced` if the lease was lost or released
   */
  check(lease: Lease): RunHead {
    const head = this.runs.head(lease.runId)
    if (head.epoch === lease.epoch && head.is_owned === 1) return head
    this.drop(lease)
    throw fenced(lease, head)
  }

  /** Within an append: updates the run's status and the lease's time if they have changed enough. */
  keep(lease: Lease, head: RunHead, status: RunStatus | undefined): void {
    const now = Date.now()
    const isFresh = now + leaseTimeoutMs - head.lease_until < renewAfterMs
    if (isFresh && status === undefined) return
    this.updateProgress.run(now + leaseTimeoutMs, status ?? null, lease.runId)
  }

  release(lease: Lease, status: RunStatus): void {
    this.drop(lease)
    try {
      this.transactions.run('normal', () => {
        this.runs.head(lease.runId)
        this.updateEnd.run(status, lease.runId, lease.epoch)
      })
    } catch (error) {
      this.runs.giveUp(lease)
      throw error
    }
  }

  /** Stops renewing. Unreleased leases stay valid until their process ends. */
  close(): void {
    this.held.clear()
    clearInterval(this.timer)
  }

  private hold(lease: Lease): Lease {
    this.held.set(lease.runId, lease)
    this.timer ??= setInterval(() => this.renew(), renewEveryMs).unref()
    return lease
  }

  private drop(lease: Lease): void {
    if (this.held.get(lease.runId)?.epoch !== lease.epoch) return
    this.held.delete(lease.runId)
    if (this.held.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private renew(): void {
    try {
      this.transactions.run('normal', () => {
        for (const { runId, epoch } of this.held.values()) {
          this.updateTime.run(Date.now() + leaseTimeoutMs, runId, epoch)
        }
      })
    } catch {
      // Retried later; whoever writes to the log in between gets the error.
    }
  }
}

function runBusy(row: RunRow, nowMs: number, self: Owner): ScholiumError {
  const owner = readOwner(row) as Owner
  const { pid, bootId } = owner
  const leftSeconds = Math.ceil((row.lease_until - nowMs) / 1000)
  const isHere = bootId === self.bootId
  const isSelf = isHere && pid === self.pid && owner.processStart === self.processStart
  const where = isSelf
    ? `this process (${pid})`
    : `process ${pid}${isHere ? '' : ' of another machine or container'}`
  const hint = isSelf
    ? `Wait until it has ended in this process (${pid}).`
    : isHere
      ? `Wait until process ${pid} has ended, or end it.`
      : `Wait until process ${pid} there has ended. If it is already gone, try again in ${leftSeconds} s.`
  return new ScholiumError('run_busy', `Run ${row.run_id} is being executed by ${where}.`, {
    hint,
    retryable: true,
    details: { runId: row.run_id, pid },
  })
}

function fenced(lease: Lease, head: RunHead): ScholiumError {
  const { runId, epoch } = lease
  const how = head.epoch === epoch ? 'was released' : 'was taken over by another process'
  return new ScholiumError(
    'fenced',
    `Run ${runId} ${how}, so this one can no longer write to it.`,
    {
      hint: 'To see its progress: scholium runs show',
      details: { runId, epoch, currentEpoch: head.epoch },
    },
  )
}

/** The error for removing a run that a process is still executing. */
export function busyToRemove(row: RunRow): ScholiumError {
  const pid = readOwner(row)?.pid ?? 0
  return new ScholiumError('run_busy', `Run ${row.run_id} is being executed by process ${pid}.`, {
    hint: `Wait until process ${pid} has ended, or end it, then remove the run.`,
    retryable: true,
    details: { runId: row.run_id, pid },
  })
}
