import { dirname } from 'node:path'
import type { PathOutcome } from '../../sources/read-tasks.ts'

/** Which members each archive was seen to have. */
export class Archives {
  private readonly files: ReadonlySet<string>
  private readonly members = new Map<string, string[]>()
  private readonly incomplete = new Set<string>()

  /** @param files the paths that are read, some of them archives */
  constructor(files: readonly string[]) {
    this.files = new Set(files)
  }

  /** Takes note of what was read, in any order. */
  see(read: PathOutcome): void {
    let archive = dirname(read.path)
    while (!this.files.has(archive)) {
      if (archive === dirname(archive)) return
      archive = dirname(archive)
    }
    const known = this.members.get(archive)
    if (known === undefined) this.members.set(archive, [read.path])
    else known.push(read.path)
    if (read.ok === undefined && read.isLoss) this.incomplete.add(archive)
  }

  /** The archives of which every member was seen. */
  whole(): readonly (readonly [archive: string, members: readonly string[]])[] {
    return [...this.members].filter(([archive]) => !this.incomplete.has(archive))
  }
}
