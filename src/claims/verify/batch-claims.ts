import type { ReadPassage } from '../../citations/claim.ts'
import { tokenize } from '../language/tokens.ts'
import type { ClaimToJudge } from './opinions.ts'

/** Claims that a model is asked about at once, with the passages that it is shown. */
export interface ClaimBatch {
  readonly asked: readonly ClaimToJudge[]
  /** Each once, by their numbers and places. */
  readonly passages: readonly ReadPassage[]
  /** How many of a claim's passages are among them, in the order of the claims; 0 where each is too long to be shown. */
  readonly shown: readonly number[]
}

/** How much a model is shown at once. */
export interface BatchSize {
  readonly claims: number
  /** Of all passages together, in UTF-16 code units. */
  readonly characters: number
}

/**
 * The claims in batches with their passages: for each claim those first in which code found something like it, then those that
 * share most words with it. The claims of a batch take turns, so that none uses up the room of the others; one for which nothing
 * is left comes into the next.
 * @param wordsIn reads the words of a passage. Default: of each once
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
    // Where nothing of the whole batch fits, its first claim has no passage that could ever be shown.
    const asked = fitting.length > 0 ? fitting : tried.slice(0, 1)
    yield {
      asked,
      passages: [...picked].sort((one, other) => one.n - other.n || one.start - other.start),
      shown: asked.map(({ passages }) => passages.filter((one) => picked.has(one)).length),
    }
    waiting = waiting.filter((one) => !asked.includes(one))
  }
}

/** The words of a passage, in their plain forms. */
export type WordsIn = (passage: ReadPassage) => ReadonlySet<string>

/** Several claims share their passages. */
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
