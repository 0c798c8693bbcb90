import type { CitedSource, Claim } from '../citations/claim.ts'
import { functionWords } from './language/function-words.ts'
import { tokenize } from './language/tokens.ts'
import { parseWords } from './language/words.ts'

/** The claims of an answer and the sources that their numbers stand for. */
export interface AnswerClaims {
  readonly claims: readonly Claim[]
  readonly citations: readonly CitedSource[]
}

/** A claim of one answer and its counterpart in another; one of the two is absent if there is no counterpart. */
export interface ClaimPair {
  readonly first?: Claim
  readonly second?: Claim
  /** In what a claim and its counterpart differ; empty if both say the same, from the same sources, with the same verdict. */
  readonly differences: readonly ('wording' | 'sources' | 'verdict')[]
}

/** The share of content words that a claim and its counterpart have in common, as Dice's coefficient. */
const minOverlap = 0.5

/**
 * Pairs the claims of two answers: those with the same words, then those that have most words in common (at least half of them).
 * The pairs are in the order of the first answer; claims that only the second has come last.
 * @see https://doi.org/10.2307/1932409 (Dice 1945)
 */
export function pairClaims(first: AnswerClaims, second: AnswerClaims): readonly ClaimPair[] {
  const counterparts = findCounterparts(first.claims, second.claims)
  const taken = new Set(counterparts.values())
  const paired = first.claims.map((claim, index): ClaimPair => {
    const other = second.claims[counterparts.get(index) ?? -1]
    if (other === undefined) return { first: claim, differences: [] }
    const differences = [
      ...(plainText(claim) === plainText(other) ? [] : (['wording'] as const)),
      ...(citedSources(claim, first) === citedSources(other, second) ? [] : (['sources'] as const)),
      ...(claim.verdict === other.verdict ? [] : (['verdict'] as const)),
    ]
    return { first: claim, second: other, differences }
  })
  const added = second.claims.filter((_, index) => !taken.has(index))
  return [...paired, ...added.map((claim): ClaimPair => ({ second: claim, differences: [] }))]
}

/** For each claim of the first list that has a counterpart in the second: the position of both. */
function findCounterparts(
  first: readonly Claim[],
  second: readonly Claim[],
): ReadonlyMap<number, number> {
  const keysOfSecond = second.map(contentKeys)
  const having = new Map<string, number[]>()
  for (const [index, keys] of keysOfSecond.entries())
    for (const key of keys) having.set(key, [...(having.get(key) ?? []), index])
  const candidates = first.flatMap((claim, one) => {
    const keys = contentKeys(claim)
    const shared = new Map<number, number>()
    for (const key of keys)
      for (const other of having.get(key) ?? []) shared.set(other, (shared.get(other) ?? 0) + 1)
    return [...shared].map(([other, count]) => {
      const isSame = plainText(claim) === plainText(second[other] as Claim)
      const overlap = (2 * count) / (keys.size + (keysOfSecond[other]?.size ?? 0))
      return { one, other, overlap: isSame ? 2 : overlap }
    })
  })
  const counterparts = new Map<number, number>()
  const taken = new Set<number>()
  const bestFirst = candidates
    .filter(({ overlap }) => overlap >= minOverlap)
    .sort((a, b) => b.overlap - a.overlap || a.one - b.one || a.other - b.other)
  for (const { one, other } of bestFirst) {
    if (counterparts.has(one) || taken.has(other)) continue
    counterparts.set(one, other)
    taken.add(other)
  }
  return counterparts
}

function contentKeys(claim: Claim): ReadonlySet<string> {
  const text = plainText(claim)
  const words = parseWords(text, tokenize(text))
  return new Set(words.filter(({ lemma }) => !functionWords.has(lemma)).map(({ key }) => key))
}

/** Its text without citation numbers, which each run assigns anew. */
function plainText({ text }: Claim): string {
  return text
    .replaceAll(/\s*\[\d+(?:\s*[,–-]\s*\d+)*\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function citedSources({ citations: numbers }: Claim, { citations }: AnswerClaims): string {
  return numbers
    .map((number) => citations.find(({ n }) => n === number)?.sourceId ?? '')
    .sort()
    .join(' ')
}
