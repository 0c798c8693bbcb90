import { packageVersion } from '../version.ts'
import type { Check } from './finding.ts'

/** Checks Node, the package, and SQLite with its full-text search. */
export function programCheck(): Check {
  return {
    name: 'the program',
    area: 'program',
    async run(_signal, tell) {
      const { DatabaseSync } = await import('node:sqlite')
      const db = new DatabaseSync(':memory:')
      try {
        const { version } = db.prepare('SELECT sqlite_version() AS version').get() as {
          version: string
        }
        const programs = `Scholium ${packageVersion}, Node ${process.versions.node}, SQLite ${version}`
        tell(
          hasFullText(db)
            ? { area: 'program', status: 'ok', text: `${programs} with full-text search` }
            : {
                area: 'program',
                status: 'problem',
                text: `${programs} without full-text search (FTS5)`,
                hint: 'Install Node from nodejs.org; its SQLite includes FTS5.',
              },
        )
      } finally {
        db.close()
      }
    },
  }
}

function hasFullText(db: import('node:sqlite').DatabaseSync): boolean {
  try {
    db.exec('CREATE VIRTUAL TABLE probe USING fts5(text)')
    return true
  } catch {
    return false
  }
}
