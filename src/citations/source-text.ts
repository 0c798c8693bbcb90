import { type Abbreviation, abbreviationsIn, shortened } from './abbreviations.ts'
import type { ReadPassage } from './claim.ts'
import { splitSentences } from './sentences.ts'
import { type Token, tokensOf } from './tokens.ts'
import { type Word, wordsOf } from './words.ts'

/** A sentence of a passage; `start` and `end` count in the passage's text. */
export interface SourceSentence {
  readonly passage: SourcePassage
  readonly start: number
  readonly end: number
  readonly words: readonly Word[]
  readonly keys: ReadonlySet<string>
}

/** A passage made ready for comparison. */
export interface SourcePassage {
  readonly read: ReadPassage
  readonly sentences: readonly SourceSentence[]
  /** Its printed words and marks as a word-for-word comparison sees them: {@link exactStream}. */
  readonly exact: string
  /** Where each of them starts and ends in `exact` (`at`, `to`) and in the passage. */
  readonly marks: readonly Mark[]
  /** The lemmas of words with a capital inside a sentence. */
  readonly names: ReadonlySet<string>
  /** The short forms that it defines. */
  readonly abbreviations: readonly Abbreviation[]
}

interface Mark {
  readonly at: number
  readonly to: number
  readonly start: number
  readonly end: number
}

/** Makes a passage ready for comparison; one that remembers does so once for each. */
export type PreparePassage = (read: ReadPassage) => SourcePassage

/** Enough for 20 papers of which 12 passages each are shown; those of 100 are not held all at once. */
const mostPrepared = 300

/** Prepares each passage once, for all that is held against it; of very many those that were not asked for longest are forgotten. */
export function rememberPassages(): PreparePassage {
  const prepared = new Map<ReadPassage, SourcePassage>()
  return (read) => {
    const known = prepared.get(read) ?? sourcePassage(read)
    prepared.delete(read)
    prepared.set(read, known)
    const [oldest] = prepared.keys()
    if (prepared.size > mostPrepared && oldest !== undefined) prepared.delete(oldest)
    return known
  }
}

/** Reads a passage's sentences and words. */
export function sourcePassage(read: ReadPassage): SourcePassage {
  const sentences: SourceSentence[] = []
  const tokens: Token[] = []
  const names = new Set<string>()
  const abbreviations = abbreviationsIn(read.text)
  const passage = { read, sentences, names, abbreviations, exact: '', marks: [] as readonly Mark[] }
  for (const { start, end } of splitSentences(read.text)) {
    const text = read.text.slice(start, end)
    const own = tokensOf(text)
    const words = shortened(wordsOf(text, own), abbreviations)
    sentences.push({ passage, start, end, words, keys: new Set(words.map(({ key }) => key)) })
    for (const word of words) if (word.isCapital && !word.isFirst) names.add(word.lemma)
    for (const token of own)
      tokens.push({ ...token, start: start + token.start, end: start + token.end })
  }
  return Object.assign(passage, exactStream(tokens))
}

/**
 * The tokens' exact forms with a space between words, none beside marks, and without the hyphens inside words, so that a
 * word divided at a line's end is the same word.
 */
function exactStream(tokens: readonly Token[]): { exact: string; marks: Mark[] } {
  const marks: Mark[] = []
  const pieces: string[] = []
  let length = 0
  let before: Token | undefined
  let isApart = false
  for (const [index, token] of tokens.entries()) {
    const isGlued = tokens[index - 1]?.end === token.start
    isApart ||= !isGlued
    if (token.exact === '' || (token.exact === '-' && isGlued && isHyphen(tokens, index))) continue
    const space = before?.isWord && token.isWord && isApart ? ' ' : ''
    isApart = false
    const at = length + space.length
    length = at + token.exact.length
    pieces.push(space, token.exact)
    marks.push({ at, to: length, start: token.start, end: token.end })
    before = token
  }
  return { exact: pieces.join(''), marks }
}

function isHyphen(tokens: readonly Token[], index: number): boolean {
  const [before, hyphen, after] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  return (
    hyphen?.end === after?.start &&
    /\p{L}$/u.test(before?.exact ?? '') &&
    /^\p{L}/u.test(after?.exact ?? '')
  )
}

/** A half-open span of a passage in which some words stand one after another as they are. */
export interface Place {
  readonly passage: SourcePassage
  readonly start: number
  readonly end: number
}

/** Where `tokens` stand word for word; the case of the first letter, quotes, and marks at the ends do not matter. */
export function findExact(passage: SourcePassage, tokens: readonly Token[]): Place | undefined {
  const { exact, marks } = passage
  const sought = exactStream(
    tokens.slice(tokens.findIndex(isSpoken), tokens.findLastIndex(isSpoken) + 1),
  ).exact
  if (sought === '') return undefined
  for (const form of new Set([
    sought,
    withFirst(sought, 'toLowerCase'),
    withFirst(sought, 'toUpperCase'),
  ])) {
    for (let at = exact.indexOf(form); at !== -1; at = exact.indexOf(form, at + 1)) {
      const first = marks.find((mark) => mark.at === at)
      const last = marks.find((mark) => mark.to === at + form.length)
      if (first !== undefined && last !== undefined)
        return { passage, start: first.start, end: last.end }
    }
  }
  return undefined
}

function isSpoken({ exact }: Token): boolean {
  return /[\p{L}\p{N}%°]/u.test(exact)
}

function withFirst(word: string, change: 'toLowerCase' | 'toUpperCase'): string {
  return word.slice(0, 1)[change]() + word.slice(1)
}

/** The sentences that a place touches. */
export function sentencesAt({ passage, start, end }: Place): SourceSentence[] {
  return passage.sentences.filter((sentence) => sentence.start < end && sentence.end > start)
}
