import type { SourceText } from './documents.ts'
import { type Random, shuffled } from './random.ts'

/** Names of one kind that stand in the texts, for exchanging one for another. */
export interface NamePools {
  readonly genes: readonly string[]
  readonly people: readonly string[]
  readonly works: readonly string[]
  /** Words that stand in lower case somewhere, so that they may be written small. */
  readonly smallWords: ReadonlySet<string>
}

/** What a rewrite may look at besides its sentence. */
export interface Material {
  readonly random: Random
  readonly source: SourceText
  readonly pools: NamePools
}

/** The sentence written anew, or undefined where the rule does not apply to it. */
export type Rewrite = (sentence: string, material: Material) => string | undefined

/** The replacement with the first letter as large as the original's. */
function cased(original: string, replacement: string): string {
  const [first = ''] = original
  const isLarge = first !== first.toLowerCase()
  return isLarge ? replacement.charAt(0).toUpperCase() + replacement.slice(1) : replacement
}

/** Whether a word takes "an". */
function startsWithVowel(word: string): boolean {
  if (/^(?:one|uni|use|usu|eu|ubi|u-)/i.test(word)) return false
  if (/^\d/.test(word)) return /^(?:8|11\b|18\b)/.test(word)
  if (/^[A-Z](?:[A-Z0-9]|\b)/.test(word)) return /^[AEFHILMNORSX]/.test(word)
  return /^(?:[aeiou]|hour|honest)/i.test(word)
}

/** Puts other words in place of a span; "a" before it becomes "an" where the new words need it. */
export function putAt(sentence: string, start: number, end: number, words: string): string {
  const after = sentence.slice(end)
  let before = sentence.slice(0, start)
  const next = words === '' ? after.trimStart() : words
  if (/\b[Aa]n? $/.test(before))
    before = before.replace(/\b([Aa])n? $/, (_, article: string) =>
      startsWithVowel(next) ? `${article}n ` : `${article} `,
    )
  return before + words + after
}

const everywhere = new WeakMap<RegExp, RegExp>()

/** The pattern for all places of a text; compiled once, since a few patterns see thousands of sentences. */
function toGlobal(pattern: RegExp): RegExp {
  const made = everywhere.get(pattern) ?? new RegExp(pattern, 'gu')
  everywhere.set(pattern, made)
  return made
}

/** Replaces one place where the pattern holds, any of them; the replacement gives undefined where it does not apply. */
export function replaceOne(
  sentence: string,
  pattern: RegExp,
  random: Random,
  replacement: (match: RegExpExecArray) => string | undefined,
): string | undefined {
  for (const match of shuffled([...sentence.matchAll(toGlobal(pattern))], random)) {
    const words = replacement(match)
    if (words === undefined || words === match[0]) continue
    return putAt(sentence, match.index, match.index + match[0].length, words)
  }
  return undefined
}

/** A rewrite by patterns: the first rule, in random order, that applies somewhere. `$1` in the words is the first group. */
export function byPatterns(rules: readonly (readonly [RegExp, string])[]): Rewrite {
  return (sentence, { random }) => {
    for (const [pattern, words] of shuffled(rules, random)) {
      const written = replaceOne(sentence, pattern, random, (match) =>
        cased(
          match[0],
          words.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? ''),
        ),
      )
      if (written !== undefined) return written.replace(/ {2,}/g, ' ')
    }
    return undefined
  }
}

/** A rewrite that exchanges one word or phrase by a table; not where the new word stands in the sentence already. */
export function byTable(
  table: ReadonlyMap<string, readonly string[]>,
  after = /^/,
  before = /$/,
): Rewrite {
  const keys = [...table.keys()].sort((one, other) => other.length - one.length)
  const pattern = new RegExp(`(?<![\\p{L}\\d-])(?:${keys.join('|')})(?![\\p{L}\\d-])`, 'giu')
  return (sentence, { random }) => {
    for (const match of shuffled([...sentence.matchAll(pattern)], random)) {
      const end = match.index + match[0].length
      if (!after.test(sentence.slice(end)) || !before.test(sentence.slice(0, match.index))) continue
      const choices = table.get(match[0].toLowerCase()) ?? []
      const small = sentence.toLowerCase()
      const word = shuffled(choices, random).find((choice) => !small.includes(choice.toLowerCase()))
      if (word === undefined) continue
      const isName = /^[A-Z](?![a-z])/.test(match[0]) && match.index > 0
      return putAt(sentence, match.index, end, isName ? word : cased(match[0], word))
    }
    return undefined
  }
}

/** The first of several rewrites, in random order, that applies. */
export function anyOf(...rewrites: readonly Rewrite[]): Rewrite {
  return (sentence, material) => {
    for (const rewrite of shuffled(rewrites, material.random)) {
      const written = rewrite(sentence, material)
      if (written !== undefined) return written
    }
    return undefined
  }
}

/** The sentence with its first letter small, where its first word is no name. */
export function smallStart(
  sentence: string,
  { pools }: Pick<Material, 'pools'>,
): string | undefined {
  const first = /^[A-Za-z'-]+(?=[ ,]|$)/.exec(sentence)?.[0] ?? ''
  if (/^[B-Z]$|^[A-Z].*[A-Z]/.test(first) || !pools.smallWords.has(first.toLowerCase()))
    return undefined
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** The sentence with its first letter large. */
export function largeStart(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
