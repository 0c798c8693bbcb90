import { redactSecrets } from '../../kernel/run/secrets.ts'
import { cleanText } from './untrusted-text.ts'

const keptBytes = 8_192
const shownLines = 8
const shownChars = 1_000

/** The end of what a process writes to its standard error. */
export class StderrTail {
  private readonly secrets: readonly string[]
  private kept = Buffer.alloc(0)

  constructor(secrets: readonly string[]) {
    this.secrets = secrets
  }

  push(chunk: Buffer): void {
    const all = Buffer.concat([this.kept, chunk.subarray(-keptBytes)])
    this.kept = Buffer.from(all.subarray(-keptBytes))
  }

  /** Its last lines, cleaned and without secrets; empty when there are none. */
  text(): string {
    const clean = cleanText(redactSecrets(this.kept.toString('utf8'), this.secrets), Infinity)
    const lines = clean.split('\n').map((line) => line.trimEnd())
    const shown = lines.filter((line) => line !== '').slice(-shownLines)
    return shown.join('\n').slice(-shownChars)
  }
}
