import { isEmptyWord } from './word-families.ts'
import type { Word } from './words.ts'

/** A sentence as its words. */
interface WordedText {
  readonly text: string
  readonly words: readonly Word[]
}

/** A name in a sentence, with its offsets in the text and its position among the words. */
export interface NameSpan {
  readonly text: string
  readonly start: number
  readonly end: number
  /** The index of its first word in the sentence. */
  readonly index: number
  /** How many words it has. */
  readonly words: number
}

const capital = String.raw`\p{Lu}(?:[\p{L}\p{N}]|[-’'&](?=[\p{L}\p{N}])|\.(?=\p{Lu}|\s\p{Lu}))*`
const joiner = '(?:of|the|de|la|le|von|van|der|du|del|di|da|&)'
const pattern = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:\d{4} (?=\p{Lu}))?(?:\p{Lu}\. ?)*${capital}(?: (?:${joiner} ){0,2}${capital}| [IVX]+\b| \d+(?= \p{Lu}))*`,
  'gu',
)
const notName =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|[IVX]+|[A-Z])$/

/** The names in a sentence: runs of capitalised words, including "of" and the like inside them. */
export function findNameSpans({ text, words }: WordedText): readonly NameSpan[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const opening = /^(\S+) /.exec(match[0])?.[1] ?? match[0]
    const skipped =
      isEmptyWord(opening.toLowerCase()) && !/^He \p{Lu}/u.test(match[0]) ? opening.length + 1 : 0
    const [start, end] = [match.index + skipped, match.index + match[0].length]
    const name = text.slice(start, end)
    if (name === '' || notName.test(name)) return []
    const index = words.findIndex((word) => word.start >= start)
    const count = words.filter((word) => word.start >= start && word.start < end).length
    return { text: name, start, end, index, words: count }
  })
}

/**
 * Joins names in a list to one span ("A, B and C") and drops names that only locate the one before
 * ("Nashville, Tennessee").
 */
export function joinNameLists(text: string, names: readonly NameSpan[]): readonly NameSpan[] {
  const merged: NameSpan[] = []
  for (const name of names) {
    const last = merged.at(-1)
    const between = last === undefined ? '' : text.slice(last.end, name.start)
    if (last === undefined || !/^(?:, |,? and |,? & )$/.test(between)) merged.push(name)
    else merged[merged.length - 1] = joinSpans(text, last, name)
  }
  return merged.map((name) => withGivenName(text, name))
}

/** "Marie and Pierre Curie": adds the first of two people who share a family name. */
function withGivenName(text: string, name: NameSpan): NameSpan {
  const given = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}'’-]+ and $/u.exec(text.slice(0, name.start))
  if (given === null) return name
  const start = given.index
  return { ...name, start, text: text.slice(start, name.end) }
}

function joinSpans(text: string, first: NameSpan, last: NameSpan): NameSpan {
  const { start, index, words } = first
  return {
    text: text.slice(start, last.end),
    start,
    end: last.end,
    index,
    words: words + last.words,
  }
}

/** National adjectives without a typical ending. */
const irregular =
  /^(?:french|greek|dutch|swiss|czech|welsh|thai|iraqi|israeli|pakistani|kuwaiti|saudi|somali|afghan|filipino|uzbek|kazakh|turk|serb|croat|slovak|icelandic|german|roman|norman|american|mexican|korean|moroccan|african|jamaican|dominican)$/i
const ending = /^\p{Lu}\p{L}*(?:[ie]an|ish|ese)$/u

/** Whether a capitalised word is a national or regional adjective: "Polish", "French". */
export function isDemonym(word: string): boolean {
  return /^\p{Lu}/u.test(word) && (irregular.test(word) || ending.test(word))
}

/** The national adjectives in a text, each once, in lower case, without those inside longer names ("American Airlines"). */
export function findDemonyms(text: string): ReadonlySet<string> {
  const found =
    text.match(
      /(?<![\p{L}\p{N}])\p{Lu}\p{L}+(?![\p{L}])(?=[\s,-]+(?:and\s+)?(?:\p{Ll}|\p{Lu}\p{L}*(?:an|ish|ese|ch)\b))/gu,
    ) ?? []
  return new Set(found.filter(isDemonym).map((word) => word.toLowerCase()))
}
