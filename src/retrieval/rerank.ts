import type { Dictionary } from './dictionary.ts'
import { readContentWords } from './words.ts'

/** A passage as numbers of a {@link Dictionary}: its words in order, without stop words. */
export interface IndexedWords {
  readonly title: Int32Array
  readonly body: Int32Array
}

/** The query, with the index's statistics. */
export interface Query {
  /** In the order of the question, with repetitions. */
  readonly words: readonly string[]
  /** In how many passages of the index each word or another form of it occurs. */
  readonly counts: ReadonlyMap<string, number>
  /** How many passages the index has. */
  readonly total: number
}

/** The weight of each signal added to BM25; tuned on the development queries of `bench/retrieval` only. */
const weights = { grams: 0.1, pairs: 0.3, related: 0.5 }
/** The maximum distance between the words of a pair, in words. */
const pairDistance = 5
/** How many top candidates supply related words, how many words, and how fast trust falls with the score. */
const related = { candidates: 10, words: 50, sharpness: 0.1 }
/** The weight of words of the title. */
const titleWeight = 2

/** Reads what {@link rerank} needs from a passage. It depends only on the passage and the dictionary, so it can be cached. */
export function readPassage(title: string, text: string, dictionary: Dictionary): IndexedWords {
  return {
    title: Int32Array.from(readContentWords(title), dictionary.idOf),
    body: Int32Array.from(readContentWords(text), dictionary.idOf),
  }
}

/**
 * Scores for the candidates, in their order: BM25 over the query's words, and how many of its pairs of words and of its
 * words' pieces stand in a candidate, and how much it shares of what the best candidates have in common. But for the
 * words, frequencies are counted among the candidates, so nothing has to be kept or brought up to date for them.
 *
 * @see https://doi.org/10.1561/1500000019 (Robertson and Zaragoza, The probabilistic relevance framework, 2009)
 * @see https://doi.org/10.1145/383952.383972 (Lavrenko and Croft, Relevance-based language models, 2001)
 */
export function rerank(
  query: Query,
  candidates: readonly IndexedWords[],
  dictionary: Dictionary,
): readonly number[] {
  const ids = query.words.map(dictionary.idOf)
  const stems = ids.map(dictionary.stemOf)
  const words = createSlots(stems, dictionary.stemCount())
  const signs = {
    words: scoreWords(candidates, query, words, dictionary),
    grams: scoreGrams(candidates, ids, dictionary),
    pairs: scorePairs(candidates, stems, words, dictionary),
  }
  const scores = signs.words.map(
    (score, index) =>
      score +
      weights.grams * (signs.grams[index] as number) +
      weights.pairs * (signs.pairs[index] as number),
  )
  const shared = scoreRelated(candidates, scores, words, dictionary)
  return scores.map((score, index) => score + weights.related * (shared[index] as number))
}

/** Slots from 1 for some numbers; 0 for all others. */
interface Slots {
  readonly of: Int32Array
  readonly count: number
}

function createSlots(numbers: Iterable<number>, size: number): Slots {
  const of = new Int32Array(size)
  let count = 0
  for (const number of numbers) if (of[number] === 0) of[number] = ++count
  return { of, count }
}

/** Counts in a candidate, by slot; slot 0 is for everything else. */
type Counts = Float64Array

function countWords(
  candidates: readonly IndexedWords[],
  slots: Slots,
  { stemOf }: Dictionary,
): Counts[] {
  return candidates.map(({ title, body }) => {
    const counts = new Float64Array(slots.count + 1)
    for (const id of title) increase(counts, slots.of[stemOf(id)] as number, titleWeight)
    for (const id of body) increase(counts, slots.of[stemOf(id)] as number, 1)
    return counts
  })
}

function increase(counts: Float64Array, slot: number, amount: number): void {
  counts[slot] = (counts[slot] as number) + amount
}

function computeInverseFrequency(found: number, total: number): number {
  return Math.log(1 + (total - found + 0.5) / (found + 0.5))
}

/** The inverse frequency of each slot among the candidates. */
function computeInverseFrequencies(counts: readonly Counts[], slotCount: number): Float64Array {
  const found = new Float64Array(slotCount + 1)
  for (const one of counts)
    for (let slot = 1; slot <= slotCount; slot++) if (one[slot]) increase(found, slot, 1)
  return found.map((count) => computeInverseFrequency(count, counts.length))
}

/** BM25 with k1 = 1.2 and b = 0.75, each slot times its weight. */
function sumBm25(
  counts: readonly Counts[],
  candidates: readonly IndexedWords[],
  slotWeights: Float64Array,
): number[] {
  const lengths = candidates.map(({ title, body }) => titleWeight * title.length + body.length)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  return counts.map((one, index) => {
    const damping = 1.2 * (0.25 + (0.75 * (lengths[index] as number)) / Math.max(1, mean))
    let sum = 0
    for (let slot = 1; slot < one.length; slot++) {
      const count = one[slot] as number
      if (count > 0) sum += ((slotWeights[slot] as number) * count * 2.2) / (count + damping)
    }
    return sum
  })
}

/** A repeated word of the question counts more, but less than proportionally; so do two forms of one word. */
function scoreWords(
  candidates: readonly IndexedWords[],
  { words, counts, total }: Query,
  slots: Slots,
  dictionary: Dictionary,
): number[] {
  const repeats = Map.groupBy(words, (word) => word)
  const slotWeights = new Float64Array(slots.count + 1)
  for (const [word, { length }] of repeats) {
    const slot = slots.of[dictionary.stemOf(dictionary.idOf(word))] as number
    increase(
      slotWeights,
      slot,
      Math.sqrt(length) * computeInverseFrequency(counts.get(word) ?? 0, total),
    )
  }
  return sumBm25(countWords(candidates, slots, dictionary), candidates, slotWeights)
}

/** N-grams that are not in the query: slot 0, which is not scored. */
const none: readonly number[] = []

function scoreGrams(
  candidates: readonly IndexedWords[],
  ids: readonly number[],
  dictionary: Dictionary,
): number[] {
  const slots = createSlots(ids.flatMap(dictionary.gramsOf), dictionary.gramCount())
  const slotsByWord = new Array<readonly number[] | undefined>(dictionary.size())
  const slotsIn = (id: number): readonly number[] => {
    const known = slotsByWord[id]
    if (known !== undefined) return known
    const isWanted = dictionary.gramsOf(id).some((gram) => slots.of[gram] !== 0)
    const found = isWanted ? dictionary.gramsOf(id).map((gram) => slots.of[gram] as number) : none
    slotsByWord[id] = found
    return found
  }
  const counts = candidates.map(({ title, body }) => {
    const row = new Float64Array(slots.count + 1)
    for (const id of title) for (const slot of slotsIn(id)) increase(row, slot, titleWeight)
    for (const id of body) for (const slot of slotsIn(id)) increase(row, slot, 1)
    return row
  })
  return sumBm25(counts, candidates, computeInverseFrequencies(counts, slots.count))
}

function scorePairs(
  candidates: readonly IndexedWords[],
  stems: readonly number[],
  words: Slots,
  { stemOf }: Dictionary,
): number[] {
  const width = words.count + 1
  const wordSlots = stems.map((stem) => words.of[stem] as number)
  const found: number[] = []
  eachPair(wordSlots, width, (pair) => found.push(pair))
  const slots = createSlots(found, width * width)
  const counts = candidates.map(({ title, body }) => {
    const row = new Float64Array(slots.count + 1)
    const read = (part: Int32Array, weight: number): void => {
      const partSlots = part.map((id) => words.of[stemOf(id)] as number)
      eachPair(partSlots, width, (pair) => increase(row, slots.of[pair] as number, weight))
    }
    read(title, titleWeight)
    read(body, 1)
    return row
  })
  return sumBm25(counts, candidates, computeInverseFrequencies(counts, slots.count))
}

/** Visits the pairs of searched words, in either order, that are at most {@link pairDistance} apart. */
function eachPair(
  wordSlots: ArrayLike<number>,
  width: number,
  visit: (pair: number) => void,
): void {
  for (let index = 0; index < wordSlots.length; index++) {
    const first = wordSlots[index] as number
    if (first === 0) continue
    const end = Math.min(wordSlots.length, index + pairDistance + 1)
    for (let next = index + 1; next < end; next++) {
      const second = wordSlots[next] as number
      if (second !== 0) visit(Math.min(first, second) * width + Math.max(first, second))
    }
  }
}

/** BM25 over words that the best candidates share beyond the query's, weighted by how much they do. */
function scoreRelated(
  candidates: readonly IndexedWords[],
  scores: readonly number[],
  words: Slots,
  dictionary: Dictionary,
): number[] {
  const chosen = findRelatedStems(candidates, scores, words, dictionary)
  const slots = createSlots(
    chosen.map(([stem]) => stem),
    dictionary.stemCount(),
  )
  const counts = countWords(candidates, slots, dictionary)
  const idf = computeInverseFrequencies(counts, slots.count)
  const total = chosen.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [index, [, weight]] of chosen.entries()) {
    idf[index + 1] = ((idf[index + 1] as number) * weight * words.count) / total
  }
  return sumBm25(counts, candidates, idf)
}

function findRelatedStems(
  candidates: readonly IndexedWords[],
  scores: readonly number[],
  words: Slots,
  dictionary: Dictionary,
): readonly (readonly [stem: number, weight: number])[] {
  const { stemOf } = dictionary
  const score = (index: number): number => scores[index] as number
  const best = [...scores.keys()]
    .sort((left, right) => score(right) - score(left))
    .slice(0, related.candidates)
  const scale = related.sharpness * Math.max(score(best[0] ?? 0), Number.MIN_VALUE)
  const shares = new Map<number, number>()
  for (const index of best) {
    const { title, body } = candidates[index] as IndexedWords
    const trust = Math.exp((score(index) - score(best[0] as number)) / scale)
    const share = trust / (titleWeight * title.length + body.length)
    const read = (id: number, weight: number): void => {
      const stem = stemOf(id)
      if (words.of[stem] === 0 && !dictionary.isNumber(stem))
        shares.set(stem, (shares.get(stem) ?? 0) + weight)
    }
    for (const id of title) read(id, share * titleWeight)
    for (const id of body) read(id, share)
  }
  const found = countCandidates(candidates, dictionary)
  return [...shares]
    .filter(([stem]) => (found[stem] as number) > 1)
    .map(
      ([stem, share]) =>
        [stem, share * computeInverseFrequency(found[stem] as number, candidates.length)] as const,
    )
    .sort((left, right) => right[1] - left[1])
    .slice(0, related.words)
}

/** How many candidates contain each stem. */
function countCandidates(
  candidates: readonly IndexedWords[],
  { stemOf, stemCount }: Dictionary,
): Int32Array {
  const found = new Int32Array(stemCount())
  const lastSeen = new Int32Array(stemCount())
  for (const [index, { title, body }] of candidates.entries()) {
    for (const part of [title, body]) {
      for (const id of part) {
        const stem = stemOf(id)
        if (lastSeen[stem] === index + 1) continue
        lastSeen[stem] = index + 1
        found[stem] = (found[stem] as number) + 1
      }
    }
  }
  return found
}
