import type { Opinion, Verdict } from '../../citations/claim.ts'
import { unmarkReferences } from '../../citations/format-passages.ts'
import { createOutcome } from '../check/outcome.ts'
import {
  findExact,
  type PassageSpan,
  type PreparePassage,
  preparePassage,
  type SourcePassage,
} from '../check/source-passage.ts'
import { type Token, tokenize } from '../language/tokens.ts'
import { type ClaimBatch, countWanted } from './batch-claims.ts'
import { type ClaimOpinion, type ClaimToJudge, toUnjudged } from './opinions.ts'

/** A model's verdict on one of the claims shown to it, numbered from 1. */
export interface ModelVerdict {
  readonly claim: number
  readonly verdict: 'supported' | 'partial' | 'contradicted' | 'not_found'
  /** The words of a passage that support the verdict. */
  readonly quote: string
  readonly reason: string
}

/**
 * Turns a model's verdicts into opinions after checking them. The quoted words must be contiguous in a passage that was
 * shown under one of the claim's numbers; they become its evidence. A verdict without such words does not count, nor does
 * `not_found` if not all of the passages that fit the claim best were shown.
 */
export function readVerdicts(
  verdicts: readonly ModelVerdict[],
  { asked, passages, shown }: ClaimBatch,
  judge: string,
  prepare: PreparePassage = preparePassage,
): readonly ClaimOpinion[] {
  const prepared = passages.map(prepare)
  return asked.flatMap((one, index) => {
    const given = verdicts.filter(({ claim }) => claim === index + 1)
    const [said] = given
    const isAmbiguous = given.some(({ verdict }) => verdict !== said?.verdict)
    if (said === undefined) return toUnjudged([one], judge, 'it gave no verdict on this sentence.')
    if (isAmbiguous) return toUnjudged([one], judge, 'it gave two verdicts on this sentence.')
    const opinion = toOpinion(said, one, shown[index] ?? 0, prepared)
    return typeof opinion === 'string'
      ? toUnjudged([one], judge, opinion)
      : [{ text: one.claim.text, judge, ...opinion }]
  })
}

/** The opinion for a verdict, or why it does not count. */
function toOpinion(
  { verdict, quote, reason }: ModelVerdict,
  one: ClaimToJudge,
  shown: number,
  prepared: readonly SourcePassage[],
): Omit<Opinion, 'judge'> | string {
  const said = toShortLine(reason, maxReasonChars)
  if (verdict === 'not_found') {
    const wanted = countWanted(one)
    if (shown < wanted)
      return `it was shown ${shown} of the ${wanted} passages that fit best, and none of them supports this.`
    return { verdict, evidence: [], reason: said || plainReasons[verdict] }
  }
  const cited = prepared.filter(({ read }) => one.claim.citations.includes(read.n))
  const place = findQuote(quote, cited)
  if (place === undefined) return explainRefusal(quote)
  return createOutcome(verdict, said || plainReasons[verdict], [place])
}

function explainRefusal(quote: string): string {
  const words = toShortLine(quote, maxQuoteChars)
  if (words === '') return 'it quoted no evidence for its verdict.'
  const isFew = tokenize(quote).filter(isSpoken).length < minWords
  return isFew
    ? `its quotation is too short: “${words}”.`
    : `its quotation is not in the passage: “${words}”.`
}

const plainReasons = {
  supported: 'The passage supports it in other words.',
  partial: 'The passage supports part of it.',
  contradicted: 'The passage says the opposite.',
  not_found: 'No passage supports it.',
} as const satisfies Partial<Record<Verdict, string>>

const maxReasonChars = 300
const maxQuoteChars = 120

function toShortLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line
}

/** Fewer words than this prove nothing, unless they are a whole sentence. */
const minWords = 3

/**
 * Finds the words of a quotation, contiguous, in a passage. Spaces, case and typography do not matter, nor whether the source's
 * own reference marks are as a model was shown them.
 * `undefined` if they are not there or too few.
 * @param fewest with fewer words it must be a whole sentence. Default 3
 */
export function findQuote(
  quote: string,
  passages: readonly SourcePassage[],
  fewest: number = minWords,
): PassageSpan | undefined {
  const tokens = tokenize(unmarkReferences(quote))
  const spoken = tokens.filter(isSpoken)
  const isLongEnough = spoken.length >= fewest
  for (const passage of passages) {
    const place = isLongEnough ? findExact(passage, tokens) : findSentence(passage, spoken)
    if (place !== undefined) return place
  }
  return undefined
}

/** The sentence that consists of these words. A number alone does not count. */
function findSentence(passage: SourcePassage, spoken: readonly Token[]): PassageSpan | undefined {
  const sought = joinExact(spoken)
  if (!/\p{L}/u.test(sought)) return undefined
  const found = passage.sentences.find(
    ({ start, end }) =>
      joinExact(tokenize(passage.read.text.slice(start, end)).filter(isSpoken)) === sought,
  )
  return found && { passage, start: found.start, end: found.end }
}

function joinExact(spoken: readonly Token[]): string {
  return spoken.map(({ exact }) => exact).join(' ')
}

function isSpoken({ exact }: Token): boolean {
  return /[\p{L}\p{N}]/u.test(exact)
}
