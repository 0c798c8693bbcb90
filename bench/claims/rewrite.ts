/** A source of random numbers from 0 up to 1. */
export type Random = () => number

/** One way to rewrite a sentence; `undefined` where it does not apply. */
export type Rewrite = (
  sentence: string,
  random: Random,
  names: readonly string[],
) => string | undefined

/** Rewrites by the name of their kind. */
export type Rewrites = Readonly<Record<string, Rewrite>>

/** Numbers from a seed, always the same. @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c (mulberry32) */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** One of `list`. */
export function pick<T>(list: readonly T[], random: Random): T | undefined {
  return list[Math.floor(random() * list.length)]
}

/** A sentence with its first letter small. */
export function lowerFirst(sentence: string): string {
  return /^(?:[A-Z][a-z]|A )/.test(sentence)
    ? `${sentence[0]?.toLowerCase()}${sentence.slice(1)}`
    : sentence
}

/** One of a pattern's places changed; `undefined` where there is none. */
export function replaceOne(
  sentence: string,
  pattern: RegExp,
  random: Random,
  change: (found: string) => string,
  fits: (found: string) => boolean = () => true,
): string | undefined {
  const found = [...sentence.matchAll(pattern)].filter(([text]) => fits(text))
  const one = pick(found, random)
  if (one === undefined) return undefined
  const changed =
    sentence.slice(0, one.index) + change(one[0]) + sentence.slice(one.index + one[0].length)
  return changed === sentence ? undefined : changed.replace(/\s{2,}/g, ' ')
}
