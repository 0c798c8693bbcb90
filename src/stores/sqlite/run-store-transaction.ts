import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Durability } from '../../kernel/run/run-store.ts'

/** Runs transactions with the durability that each requests. */
export class Transactions {
  private readonly db: DatabaseSync
  private readonly begin: StatementSync
  private readonly commit: StatementSync
  private durability: Durability | undefined

  constructor(db: DatabaseSync) {
    this.db = db
    // Without it, a commit on macOS may still be in the drive's cache.
    db.exec('PRAGMA fullfsync = ON')
    this.begin = db.prepare('BEGIN IMMEDIATE')
    this.commit = db.prepare('COMMIT')
  }

  /** Returns the result of `work` after the commit. If it throws, nothing is stored. */
  run<T>(durability: Durability, work: () => T): T {
    this.choose(durability)
    this.begin.run()
    try {
      const result = work()
      this.commit.run()
      return result
    } catch (error) {
      // SQLite has already rolled back after some disk failures.
      if (this.db.isTransaction) this.db.exec('ROLLBACK')
      throw error
    }
  }

  private choose(durability: Durability): void {
    if (durability === this.durability) return
    this.db.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`)
    this.durability = durability
  }
}
