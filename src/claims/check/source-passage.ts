import { setImmediate } from 'node:timers/promises'
import type { ReadPassage } from '../../citations/claim.ts'
import {
  type Abbreviation,
  applyAbbreviations,
  findAbbreviations,
} from '../language/abbreviations.ts'
import type { MeaningCache } from '../language/lexicon.ts'
import { splitSentences } from '../language/sentences.ts'
import { type Forms, type Token, tokenize } from '../language/tokens.ts'
import { parseWords, type Word } from '../language/words.ts'

/** A sentence of a passage; `start` and `end` are offsets in the passage's text. */
export interface SourceSentence {
  readonly passage: SourcePassage
  readonly start: number
  readonly end: number
  readonly words: readonly Word[]
  readonly keys: ReadonlySet<string>
}

/** A passage prepared for comparison. */
export interface SourcePassage {
  readonly read: ReadPassage
  readonly sentences: readonly SourceSentence[]
  /** Its words and marks as an exact comparison sees them: {@link toExactStream}. */
  readonly exact: string
  /** Four numbers for each word or mark: its start and end in `exact`, then in the passage. */
  readonly marks: Int32Array
  /** The lemmas of words that are capitalised inside a sentence. */
  readonly names: ReadonlySet<string>
  /** The plain forms of all its words. */
  readonly plainWords: ReadonlySet<string>
  /** The abbreviations it defines. */
  readonly abbreviations: readonly Abbreviation[]
}

/** Prepares a passage for comparison, possibly from a cache. */
export type PreparePassage = (read: ReadPassage) => SourcePassage

/** Enough for 20 papers with 12 passages each; those of 100 papers are not all kept. */
const maxPrepared = 300

/** More than the words of many papers on one topic. Each entry may keep the text it was found in alive. */
const maxForms = 50_000

/** Creates a function that prepares each passage once. Of very many passages, the least recently used are dropped. */
export function createPassagePreparer(): PreparePassage {
  const prepared = new Map<string, SourcePassage>()
  let lexicon = createWordCache()
  return (read) => {
    if (lexicon.forms.size > maxForms) lexicon = createWordCache()
    const key = `${read.n} ${read.passageId}`
    const before = prepared.get(key)
    const known = before?.read.text === read.text ? before : prepareWithCache(read, lexicon)
    prepared.delete(key)
    prepared.set(key, known)
    const [oldest] = prepared.keys()
    if (prepared.size > maxPrepared && oldest !== undefined) prepared.delete(oldest)
    return known
  }
}

/** Prepares passages in advance, yielding to other work between them. */
export async function prepareAhead(
  passages: readonly ReadPassage[],
  prepare: PreparePassage,
): Promise<void> {
  for (const passage of passages) {
    await setImmediate()
    prepare(passage)
  }
}

/** Prepares a passage without a cache. */
export function preparePassage(read: ReadPassage): SourcePassage {
  return prepareWithCache(read, createWordCache())
}

/** The forms and meanings of words already seen, by how they are printed. */
interface WordCache {
  readonly forms: Forms
  readonly meanings: MeaningCache
}

function createWordCache(): WordCache {
  return { forms: new Map(), meanings: new Map() }
}

function prepareWithCache(read: ReadPassage, lexicon: WordCache): SourcePassage {
  const sentences: SourceSentence[] = []
  const tokens: PlacedTokens[] = []
  const names = new Set<string>()
  const abbreviations = findAbbreviations(read.text)
  const plainWords = new Set<string>()
  const held = { read, sentences, names, plainWords, abbreviations }
  const passage = { ...held, exact: '', marks: new Int32Array() }
  for (const { start, end } of splitSentences(read.text)) {
    const text = read.text.slice(start, end)
    const own = tokenize(text, lexicon.forms)
    const words = applyAbbreviations(parseWords(text, own, lexicon.meanings), abbreviations)
    sentences.push({ passage, start, end, words, keys: new Set(words.map(({ key }) => key)) })
    for (const word of words) if (word.isCapital && !word.isFirst) names.add(word.lemma)
    for (const token of own) if (token.isWord) plainWords.add(token.plain)
    tokens.push({ tokens: own, start })
  }
  return Object.assign(passage, toExactStream(tokens))
}

/**
 * The tokens' exact forms with a space between words, no space at marks, and no hyphens inside words, so that a word
 * divided at the end of a line stays the same word.
 */
function toExactStream(sentences: readonly PlacedTokens[]): Pick<SourcePassage, 'exact' | 'marks'> {
  const marks: number[] = []
  let exact = ''
  let isAfterWord = false
  let isApart = false
  let lastEnd = -1
  for (const { tokens, start } of sentences) {
    for (const [index, token] of tokens.entries()) {
      const isGlued = lastEnd === start + token.start
      lastEnd = start + token.end
      isApart ||= !isGlued
      if (token.exact === '' || (token.exact === '-' && isGlued && isHyphen(tokens, index)))
        continue
      if (isAfterWord && token.isWord && isApart) exact += ' '
      isApart = false
      isAfterWord = token.isWord
      const at = exact.length
      exact += token.exact
      marks.push(at, exact.length, start + token.start, lastEnd)
    }
  }
  return { exact, marks: Int32Array.from(marks) }
}

/** A sentence's tokens and its start in the passage. */
interface PlacedTokens {
  readonly tokens: readonly Token[]
  readonly start: number
}

function isHyphen(tokens: readonly Token[], index: number): boolean {
  const [before, hyphen, after] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  return (
    hyphen?.end === after?.start &&
    /\p{L}$/u.test(before?.exact ?? '') &&
    /^\p{L}/u.test(after?.exact ?? '')
  )
}

/** A half-open span of a passage. */
export interface PassageSpan {
  readonly passage: SourcePassage
  readonly start: number
  readonly end: number
}

/** Finds `tokens` verbatim. Case, quotation marks, and marks at either end do not matter. */
export function findExact(
  passage: SourcePassage,
  tokens: readonly Token[],
): PassageSpan | undefined {
  const { exact, marks } = passage
  const spoken = tokens.slice(tokens.findIndex(isSpoken), tokens.findLastIndex(isSpoken) + 1)
  const sought = toExactStream([{ tokens: spoken, start: 0 }]).exact
  if (sought === '') return undefined
  for (let at = exact.indexOf(sought); at !== -1; at = exact.indexOf(sought, at + 1)) {
    const start = findMark(marks, 0, at)
    const end = findMark(marks, 1, at + sought.length)
    if (start !== undefined && end !== undefined) return { passage, start, end }
  }
  return undefined
}

/** Where in the passage the mark starts (`which` 0) or ends (1) that does so at offset `at` of `exact`. */
function findMark(marks: Int32Array, which: 0 | 1, at: number): number | undefined {
  for (let index = which; index < marks.length; index += 4)
    if (marks[index] === at) return marks[index + 2]
  return undefined
}

function isSpoken({ exact }: Token): boolean {
  return /[\p{L}\p{N}%°]/u.test(exact)
}

/** The sentences that overlap a span. */
export function findSentencesAt({ passage, start, end }: PassageSpan): SourceSentence[] {
  return passage.sentences.filter((sentence) => sentence.start < end && sentence.end > start)
}
