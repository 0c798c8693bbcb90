const timeoutMs = 500
const linesAround = 3
const maxDiffCharacters = 40_000

/** How a text changes, for a person. */
export interface TextDiff {
  /** Unified; cut where it is long. A note instead where working it out would take too long. */
  readonly diff: string
  readonly addedLines: number | null
  readonly removedLines: number | null
}

/** How one text becomes another. `before` is `undefined` for a new file. */
export async function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string,
): Promise<TextDiff> {
  const { formatPatch, structuredPatch } = await import('diff')
  const from = before === undefined ? '/dev/null' : `a/${path}`
  const patch = structuredPatch(from, `b/${path}`, before ?? '', after, undefined, undefined, {
    context: linesAround,
    timeout: timeoutMs,
  })
  if (patch === undefined)
    return { diff: `(${path} changes too much to show how)`, addedLines: null, removedLines: null }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  // Before its first line stands a rule that means nothing.
  const diff = formatPatch(patch).replace(/^(?:=+\n)/, '')
  return {
    diff: diff.length > maxDiffCharacters ? `${diff.slice(0, maxDiffCharacters)}\n… (cut)\n` : diff,
    addedLines: lines.filter((line) => line.startsWith('+')).length,
    removedLines: lines.filter((line) => line.startsWith('-')).length,
  }
}
