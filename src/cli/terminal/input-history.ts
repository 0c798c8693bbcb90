import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const mostEntries = 1_000
const mostEntryLength = 20_000

/** What the history needs from its surroundings. */
interface HistoryHost {
  /** Creates the home if it is missing. */
  prepare?(): void
  /** Called once if inputs cannot be saved. */
  onProblem(text: string): void
}

/**
 * What the person typed in earlier sessions of a folder, saved in the home: one JSON string per line, readable by its
 * owner only.
 */
export class InputHistory {
  private readonly path: string
  private readonly entries: string[]
  private readonly prepare: () => void
  private readonly onProblem: (text: string) => void
  private hasFailed = false

  constructor(home: string, folder: string, { prepare = () => {}, onProblem }: HistoryHost) {
    const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
    this.path = join(home, 'code-history', `${name}.jsonl`)
    this.prepare = prepare
    this.onProblem = onProblem
    this.entries = this.read()
  }

  /** Oldest first. */
  get list(): readonly string[] {
    return this.entries
  }

  /** Saves an input, unless it begins with a space or repeats the last one. */
  add(text: string): void {
    if (text.startsWith(' ') || text.length > mostEntryLength || this.entries.at(-1) === text)
      return
    this.entries.push(text)
    this.write(() => {
      this.prepare()
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
      appendFileSync(this.path, `${JSON.stringify(text)}\n`, { mode: 0o600 })
    })
  }

  private read(): string[] {
    let text = ''
    try {
      text = readFileSync(this.path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.tell(error)
      return []
    }
    const all = text.split('\n').flatMap(toEntry)
    const kept = all.slice(-mostEntries)
    if (all.length > 2 * mostEntries) {
      const shorter = kept.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      this.write(() => {
        writeFileSync(this.path, shorter, { mode: 0o600 })
        chmodSync(this.path, 0o600)
      })
    }
    return kept
  }

  private write(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.tell(error)
    }
  }

  private tell(error: unknown): void {
    if (this.hasFailed) return
    this.hasFailed = true
    const why = error instanceof Error ? error.message : String(error)
    this.onProblem(`Input history is not saved for later sessions: ${why}`)
  }
}

/** A truncated line is skipped. */
function toEntry(line: string): readonly string[] {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'string' && entry !== '' ? [entry] : []
  } catch {
    return []
  }
}
