import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const freshMs = 10_000

/** The paths of a folder's files, for completion. The list is built in the background on first use. */
export class WorkspacePaths {
  private readonly folder: string
  private readonly list: () => Promise<readonly string[]>
  private readonly now: () => number
  private paths: readonly string[] = []
  private listedAtMs: number | undefined
  private isListing = false

  /** @param list lists all files of the folder that may be offered */
  constructor(folder: string, list: () => Promise<readonly string[]>, now: () => number) {
    this.folder = folder
    this.list = list
    this.now = now
  }

  /** Paths that match what was typed, the best first; folders end in `/`. */
  matching(typed: string, most: number): readonly string[] {
    void this.refresh()
    const slash = typed.lastIndexOf('/') + 1
    const siblings = this.entries(typed.slice(0, slash)).filter((path) =>
      path.toLowerCase().startsWith(typed.toLowerCase()),
    )
    const query = typed.toLowerCase()
    const found = this.paths
      .map((path) => ({ path, score: scorePath(path.toLowerCase(), query) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || one.path.length - other.path.length)
      .map(({ path }) => path)
    return [...new Set([...siblings, ...found])].slice(0, most)
  }

  /** Resolves when the list is complete. */
  async refresh(): Promise<void> {
    const isFresh = this.listedAtMs !== undefined && this.now() - this.listedAtMs < freshMs
    if (this.isListing || isFresh) return
    this.isListing = true
    try {
      this.paths = (await this.list()).filter(isPlain)
    } catch {
      // A folder that can no longer be listed keeps its files; a request will say what is wrong.
    } finally {
      this.listedAtMs = this.now()
      this.isListing = false
    }
  }

  /** The entries of a typed folder; nothing outside the workspace. */
  private entries(way: string): readonly string[] {
    if (way.startsWith('/') || way.split('/').includes('..')) return []
    try {
      const found = readdirSync(join(this.folder, way), { withFileTypes: true })
      return found
        .filter(({ name }) => name !== '.git' && isPlain(name))
        .map((entry) => `${way}${entry.name}${entry.isDirectory() ? '/' : ''}`)
        .sort()
    } catch {
      return []
    }
  }
}

/** A name with spaces would end the mention. */
function isPlain(name: string): boolean {
  return !/[\s\p{Cc}"'`()<>]/u.test(name)
}

/** 0 for no match; higher if the query is in the file's name, and highest at its beginning. */
function scorePath(path: string, query: string): number {
  if (query === '') return 0
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name.startsWith(query)) return 4
  if (name.includes(query)) return 3
  if (path.includes(query)) return 2
  return isSubsequence(path, query) ? 1 : 0
}

function isSubsequence(path: string, query: string): boolean {
  let at = 0
  for (const letter of query) {
    at = path.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
