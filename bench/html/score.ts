/** How much of a text is right: shares from 0 to 1. */
export interface Score {
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** The part of the pages whose words are exactly those expected. */
  readonly exact: number
}

/** Counts of one page's shingles as parts of their sum, so that long pages do not weigh more. */
export interface Matches {
  readonly hits: number
  readonly extra: number
  readonly missed: number
  readonly isExact: boolean
}

/**
 * How a text matches the expected one by the shingles (runs) of `size` words they share, counted with repetitions.
 * @see https://github.com/scrapinghub/article-extraction-benchmark (its measure, with shingles of four)
 */
export function matchTexts(expected: string, found: string, size = 4): Matches {
  const wanted = shinglesOf(expected, size)
  const got = shinglesOf(found, size)
  let hits = 0
  let extra = 0
  let missed = 0
  for (const [shingle, count] of wanted) {
    const also = got.get(shingle) ?? 0
    hits += Math.min(count, also)
    missed += Math.max(0, count - also)
  }
  for (const [shingle, count] of got) extra += Math.max(0, count - (wanted.get(shingle) ?? 0))
  const sum = hits + extra + missed || 1
  const isExact = wordsOf(expected).join(' ') === wordsOf(found).join(' ')
  return { hits: hits / sum, extra: extra / sum, missed: missed / sum, isExact }
}

/** The mean precision and recall of the pages, and the F1 of these two means, as the benchmark counts it. */
export function scoreOf(pages: readonly Matches[]): Score {
  const found = pages.filter((page) => page.hits + page.extra > 0)
  const precision = mean(found.map(precisionOf))
  const recall = mean(pages.filter((page) => page.hits + page.missed > 0).map(recallOf))
  const f1 = (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1, exact: mean(pages.map((page) => (page.isExact ? 1 : 0))) }
}

function precisionOf({ hits, extra }: Matches): number {
  return hits / (hits + extra)
}

function recallOf({ hits, missed }: Matches): number {
  return hits / (hits + missed)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function shinglesOf(text: string, size: number): Map<string, number> {
  const words = wordsOf(text)
  const shingles = new Map<string, number>()
  if (words.length === 0) return shingles
  for (let index = 0; index < Math.max(1, words.length - size + 1); index++) {
    const shingle = words.slice(index, index + size).join(' ')
    shingles.set(shingle, (shingles.get(shingle) ?? 0) + 1)
  }
  return shingles
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? []
}
