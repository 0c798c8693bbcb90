const timeoutMs = 500
const linesAround = 3
const maxDiffCharacters = 200_000

/** A change of a text, for a person. */
export interface TextDiff {
  /** Unified. */
  readonly diff: string
  readonly addedLines: number
  readonly removedLines: number
  /** Whether the end is omitted because the diff is long. */
  readonly isCut: boolean
}

/** The unified diff between two texts. `before` is `undefined` for a new file. */
export async function createUnifiedDiff(
  path: string,
  before: string | undefined,
  after: string,
): Promise<TextDiff> {
  const { formatPatch, structuredPatch } = await import('diff')
  const from = before === undefined ? '/dev/null' : `a/${path}`
  const to = `b/${path}`
  const compared = structuredPatch(from, to, before ?? '', after, undefined, undefined, {
    context: linesAround,
    timeout: timeoutMs,
  })
  const patch = compared ?? {
    ...structuredPatch(from, to, '', ''),
    hunks: [replaceAllLines(before ?? '', after)],
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  const added = lines.filter((line) => line.startsWith('+'))
  const removed = lines.filter((line) => line.startsWith('-'))
  // The separator before the first line means nothing.
  const whole = showReturns(formatPatch(patch).replace(/^(?:=+\n)/, ''), [...added, ...removed])
  const isCut = whole.length > maxDiffCharacters
  return {
    diff: isCut ? `${whole.slice(0, maxDiffCharacters).toWellFormed()}\n… (cut)\n` : whole,
    addedLines: added.length,
    removedLines: removed.length,
    isCut,
  }
}

/** For texts that take too long to compare: everything removed, everything added. */
function replaceAllLines(before: string, after: string) {
  const [old, next] = [before, after].map((text) => text.replace(/\n$/, '').split('\n'))
  const [removed = [], added = []] = [old, next]
  return {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
  }
}

/** If only some of the changed lines end with a carriage return, that is part of the change and made visible. */
function showReturns(diff: string, changed: readonly string[]): string {
  const [first = '', ...others] = changed
  const isMixed = others.some((line) => line.endsWith('\r') !== first.endsWith('\r'))
  return isMixed ? diff.replaceAll('\r\n', '<U+000D>\n') : diff
}
