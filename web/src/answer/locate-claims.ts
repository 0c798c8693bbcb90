import type { Claim } from '../api/answer.ts'

/** A claim's place in the answer, in UTF-16 code units. */
export interface PlacedClaim {
  readonly index: number
  readonly start: number
  readonly end: number
}

/** The places of claims, which are slices of the answer in its order. A claim that is not found has none. */
export function locateClaims(answer: string, claims: readonly Claim[]): readonly PlacedClaim[] {
  const placed: PlacedClaim[] = []
  let from = 0
  for (const [index, { text }] of claims.entries()) {
    const start = answer.indexOf(text, from)
    if (start < 0) continue
    from = start + text.length
    placed.push({ index, start, end: from })
  }
  return placed
}

/** Part of a text that belongs to one claim, or to none; `n` for the mark of a source. */
export interface Piece {
  readonly text: string
  readonly start: number
  readonly claim: number | undefined
  readonly n: number | undefined
  /** Whether the claim ends with this piece. */
  readonly isLast: boolean
}

/** Cuts the answer's slice from `start` to `end` where claims begin and end, and at the marks of sources. */
export function cutPieces(
  answer: string,
  { start, end }: { readonly start: number; readonly end: number },
  placed: readonly PlacedClaim[],
): readonly Piece[] {
  const cuts = new Set([start, end])
  for (const claim of placed) {
    if (claim.start > start && claim.start < end) cuts.add(claim.start)
    if (claim.end > start && claim.end < end) cuts.add(claim.end)
  }
  const marks = new Map<number, number>()
  for (const { 0: list, index } of answer.slice(start, end).matchAll(/\[[\d\s,;–-]{1,60}\]/g)) {
    for (const { 0: digits, index: at } of list.matchAll(/\d{1,5}/g)) {
      const from = start + index + at
      marks.set(from, Number(digits))
      cuts.add(from)
      cuts.add(from + digits.length)
    }
  }
  const places = [...cuts].sort((one, other) => one - other)
  return places.slice(0, -1).map((from, at) => {
    const to = places[at + 1] ?? end
    const claim = placed.find((one) => from >= one.start && to <= one.end)
    const n = marks.get(from)
    return {
      text: answer.slice(from, to),
      start: from,
      claim: claim?.index,
      n,
      isLast: claim?.end === to,
    }
  })
}
