import type { ReadPassage } from '../../citations/claim.ts'
import { tokenize } from '../language/tokens.ts'
import type { ClaimToJudge } from './opinions.ts'

/** Claims that a model is asked about together, with the passages it is shown. */
export interface ClaimBatch {
  readonly asked: readonly ClaimToJudge[]
  /** Each passage once, sorted by number and position. */
  readonly passages: readonly ReadPassage[]
  /** How many of each claim's passages are among them, in the order of the claims; 0 if each is too long. */
  readonly shown: readonly number[]
}

/** How much a model is shown at once. */
export interface BatchSize {
  readonly claims: number
  /** Of all passages together, in UTF-16 code units. */
  readonly characters: number
}

/**
 * Batches claims with their passages. For each claim, passages in which code found evidence come first, then those that
 * share most words with it. The claims of a batch take turns, so that none uses up the space of the others; a claim that
 * gets nothing moves to the next batch.
 * @param wordsIn reads the words of a passage; by default each passage is read once
 */
export function* batchClaims(
  claims: readonly ClaimToJudge[],
  size: BatchSize,
  wordsIn = memoizeWords(),
): Generator<ClaimBatch> {
  let waiting = claims
  while (waiting.length > 0) {
    const tried = waiting.slice(0, size.claims)
    const picked = pickPassages(tried, size.characters, wordsIn)
    const fitting = tried.filter((one) => one.passages.some((passage) => picked.has(passage)))
    // If nothing fits, the first claim's passages are all too long to show.
    const asked = fitting.length > 0 ? fitting : tried.slice(0, 1)
    yield {
      asked,
      passages: [...picked].sort((one, other) => one.n - other.n || one.start - other.start),
      shown: asked.map(({ passages }) => passages.filter((one) => picked.has(one)).length),
    }
    waiting = waiting.filter((one) => !asked.includes(one))
  }
}

/** The words of a passage in their plain forms. */
export type WordsIn = (passage: ReadPassage) => ReadonlySet<string>

/** Several claims share passages. */
function memoizeWords(): WordsIn {
  const known = new Map<ReadPassage, ReadonlySet<string>>()
  return (passage) => {
    const words = known.get(passage) ?? new Set(listPlainWords(passage.text))
    known.set(passage, words)
    return words
  }
}

function pickPassages(
  claims: readonly ClaimToJudge[],
  characters: number,
  wordsIn: WordsIn,
): Set<ReadPassage> {
  const ranked = claims.map((claim) => rankPassages(claim, wordsIn))
  const picked = new Set<ReadPassage>()
  let left = characters
  const longest = Math.max(0, ...ranked.map(({ length }) => length))
  for (let turn = 0; turn < longest; turn++) {
    for (const passages of ranked) {
      const passage = passages[turn]
      if (passage === undefined || picked.has(passage) || passage.text.length > left) continue
      picked.add(passage)
      left -= passage.text.length
    }
  }
  return picked
}

function rankPassages({ claim, passages }: ClaimToJudge, wordsIn: WordsIn): readonly ReadPassage[] {
  const found = new Set(claim.evidence.map(({ passageId }) => passageId))
  const words = new Set(listPlainWords(claim.text))
  const worth = new Map(
    passages.map((passage) => {
      const shared = words.intersection(wordsIn(passage)).size
      return [passage, shared + (found.has(passage.passageId) ? words.size + 1 : 0)] as const
    }),
  )
  return [...passages].sort((one, other) => (worth.get(other) ?? 0) - (worth.get(one) ?? 0))
}

function listPlainWords(text: string): readonly string[] {
  return tokenize(text).flatMap(({ isWord, plain }) => (isWord ? [plain] : []))
}
