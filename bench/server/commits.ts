// Loaded into a server before it starts: notes when each event of a log was committed, and writes that to a file at its end.
import { writeFileSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

const commits: [runId: string, seq: number, atMs: number][] = []
let open: [runId: string, seq: number][] = []

function after(statement: StatementSync, note: (values: readonly unknown[]) => void): void {
  const run = statement.run.bind(statement) as (...values: unknown[]) => unknown
  const noted = (...values: unknown[]) => {
    const changes = run(...values)
    note(values)
    return changes
  }
  Object.assign(statement, { run: noted })
}

const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function noted(this: DatabaseSync, sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest)
  if (sql === 'BEGIN IMMEDIATE')
    after(statement, () => {
      open = []
    })
  if (sql.startsWith('INSERT INTO events VALUES'))
    after(statement, ([runId, seq]) => open.push([runId as string, seq as number]))
  if (sql === 'COMMIT')
    after(statement, () => {
      const atMs = performance.timeOrigin + performance.now()
      for (const [runId, seq] of open) commits.push([runId, seq, atMs])
    })
  return statement
}

process.on('exit', () =>
  writeFileSync(process.env.BENCH_COMMITS as string, JSON.stringify(commits)),
)
