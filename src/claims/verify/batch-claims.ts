import type { ReadPassage } from '../../citations/claim.ts'
import { rankPassages } from '../check/rank-passages.ts'
import { createPassagePreparer, type PreparePassage } from '../check/source-passage.ts'
import { tokenize } from '../language/tokens.ts'
import { parseWords } from '../language/words.ts'
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

/** How many passages a claim is shown with, or one of each source that it cites if these are more. */
const maxPassagesPerClaim = 4

/** How many of a claim's passages the model should see: those that fit it best. */
export function countWanted({ claim, passages }: ClaimToJudge): number {
  return Math.min(passages.length, Math.max(maxPassagesPerClaim, claim.citations.length))
}

/**
 * Batches claims with the passages that fit them best: those in which code found evidence, then the best one of each source,
 * then others ({@link rankPassages}). The claims of a batch take turns, so that none uses up the space of the others; a claim
 * that gets nothing moves to the next batch.
 */
export function* batchClaims(
  claims: readonly ClaimToJudge[],
  size: BatchSize,
  prepare: PreparePassage = createPassagePreparer(),
): Generator<ClaimBatch> {
  let waiting = claims
  while (waiting.length > 0) {
    const tried = waiting.slice(0, size.claims)
    const picked = pickPassages(tried, size.characters, prepare)
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

function pickPassages(
  claims: readonly ClaimToJudge[],
  characters: number,
  prepare: PreparePassage,
): Set<ReadPassage> {
  const ranked = claims.map((claim) => pickBest(claim, prepare))
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

function pickBest(one: ClaimToJudge, prepare: PreparePassage): readonly ReadPassage[] {
  const { claim, passages } = one
  const words = parseWords(claim.text, tokenize(claim.text))
  // A prepared passage may come from an earlier reading.
  const byPrepared = new Map(passages.map((passage) => [prepare(passage), passage]))
  const ranked = rankPassages(words, [...byPrepared.keys()]).flatMap(
    (own) => byPrepared.get(own) ?? [],
  )
  const found = new Set(claim.evidence.map(({ passageId }) => passageId))
  const ofSources = claim.citations.flatMap((n) => ranked.find((passage) => passage.n === n) ?? [])
  const best = [...ranked.filter(({ passageId }) => found.has(passageId)), ...ofSources, ...ranked]
  return [...new Set(best)].slice(0, countWanted(one))
}
