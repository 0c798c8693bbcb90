/** What stands between the cells of a row. */
export type Delimiter = ',' | ';' | '\t' | '|'

const CANDIDATES: readonly Delimiter[] = [',', ';', '\t', '|']
const SAMPLE_UNITS = 64_000
const SAMPLE_ROWS = 50

/**
 * What parts the cells of a table's text: the mark of which most rows have the same number, outside of quotes. A file's
 * name ending in `.tsv` or `.tab` tells of tabs where rows do not.
 */
export function findDelimiter(text: string, path: string): Delimiter {
  const sample = text.slice(0, SAMPLE_UNITS)
  let best: { delimiter: Delimiter; score: number } | undefined
  for (const delimiter of CANDIDATES) {
    const score = agreement(countsOf(sample, delimiter))
    if (score > (best?.score ?? 0)) best = { delimiter, score }
  }
  return best?.delimiter ?? (/\.(?:tsv|tab)$/i.test(path) ? '\t' : ',')
}

/** How often the mark stands in each of the first rows. */
function countsOf(sample: string, delimiter: Delimiter): readonly number[] {
  const counts: number[] = []
  let count = 0
  let isQuoted = false
  for (let index = 0; index < sample.length && counts.length < SAMPLE_ROWS; index++) {
    const unit = sample[index]
    if (unit === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (unit === delimiter) count++
    else if (unit === '\n') {
      if (sample.slice(index - 1, index) !== '\n') counts.push(count)
      count = 0
    }
  }
  if (count > 0) counts.push(count)
  return counts
}

/** How many rows have the commonest count, more of it counting a little: 0 when the mark does not occur. */
function agreement(counts: readonly number[]): number {
  const times = new Map<number, number>()
  for (const count of counts) if (count > 0) times.set(count, (times.get(count) ?? 0) + 1)
  let score = 0
  for (const [count, rows] of times)
    score = Math.max(score, rows / counts.length + Math.min(count, 20) / 1_000)
  return score
}
