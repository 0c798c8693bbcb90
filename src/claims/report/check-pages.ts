import type { Claim, ReadPassage } from '../../citations/claim.ts'
import { isSupported } from '../verify/opinions.ts'

/** Pages that a citation names: `[1, pp. 3–5]` is `{ n: 1, first: 3, last: 5 }`. */
export interface CitedPages {
  readonly n: number
  readonly first: number
  readonly last: number
}

const pageCitation =
  /\[(\d{1,4}),\s?pp?\.?\s?(\d{1,5}(?:\s?[–—-]\s?\d{1,5})?(?:,\s?\d{1,5}(?:\s?[–—-]\s?\d{1,5})?){0,8})\]/gi

/** The pages in arabic numerals that a sentence's citations name, in order: `[1, p. 5]`, `[1, pp. 3-5, 8]`. */
export function readCitedPages(sentence: string): readonly CitedPages[] {
  return [...sentence.matchAll(pageCitation)].flatMap(([, n, list = '']) =>
    list.split(',').map((range) => {
      const [from = '', to = from] = range.split(/[–—-]/).map((part) => part.trim())
      const first = Number(from)
      // "123–5" ends at 125.
      const last = Number(from.slice(0, Math.max(0, from.length - to.length)) + to)
      return { n: Number(n), first, last: Math.max(first, last) }
    }),
  )
}

/**
 * A claim checked against the pages that its citations name. If these do not support it but other pages do, it is `altered`; if the
 * source has no such page, it is `not_found`. A source without pages is not compared.
 *
 * @param claim checked against everything that was read
 * @param passages what was read under the claim's numbers
 * @param firstPage the number printed on the first page of a source, where it is known
 * @param recheck checks the claim against some passages only
 */
export function checkPages(
  claim: Claim,
  cited: readonly CitedPages[],
  passages: readonly ReadPassage[],
  firstPage: (n: number) => number | undefined,
  recheck: (passages: readonly ReadPassage[]) => Claim,
): Claim {
  const paged = Map.groupBy(
    cited.filter(({ n }) => passages.some((one) => one.n === n && one.page !== undefined)),
    ({ n }) => n,
  )
  if (paged.size === 0) return claim
  const isNamed = ({ n, page = 0 }: { readonly n: number; readonly page?: number }): boolean => {
    const ranges = paged.get(n)
    const printed = page + (firstPage(n) ?? 1) - 1
    const isIn = (one: number) => ranges?.some(({ first, last }) => first <= one && one <= last)
    return ranges === undefined || isIn(page) === true || isIn(printed) === true
  }
  const isFailing = claim.verdict === 'altered' || claim.verdict === 'not_found'
  for (const [n, ranges] of paged) {
    const own = passages.filter((one) => one.n === n)
    if (isFailing || own.some(isNamed)) continue
    const count = Math.max(...own.map(({ page = 0 }) => page))
    const isBeyond = ranges.every(({ first }) => first > count || first === 0)
    const text = isBeyond
      ? `[${n}] has ${count} pages, not ${formatRanges(ranges)}.`
      : `No text was read on ${formatRanges(ranges)} of [${n}].`
    return { ...claim, verdict: 'not_found', reason: text }
  }
  if (!isSupported(claim)) return claim
  const onPages = recheck(passages.filter(isNamed))
  if (isSupported(onPages)) return onPages
  const elsewhere = claim.evidence.filter(({ n }) => paged.has(n))
  const wrong = elsewhere.find((one) => !isNamed(one))
  if (wrong === undefined || elsewhere.some((one) => one.n === wrong.n && isNamed(one)))
    return claim
  const named = formatRanges(paged.get(wrong.n) ?? [])
  const reason = `It is on p. ${wrong.page} of [${wrong.n}], not on ${named}.`
  return { ...claim, verdict: 'altered', reason }
}

/** "p. 3", "pp. 3–5, 8" */
function formatRanges(ranges: readonly CitedPages[]): string {
  const list = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`))
  const isOne = ranges.length === 1 && ranges[0]?.first === ranges[0]?.last
  return `${isOne ? 'p.' : 'pp.'} ${list.join(', ')}`
}
