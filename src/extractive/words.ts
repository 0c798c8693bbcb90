import { stemOf } from './stem.ts'

/** A word or a number of a text. */
export interface Word {
  /** As it stands in the text. */
  readonly text: string
  /** Lower case without accents; a possessive "'s" is left out, and the separators of thousands. */
  readonly plain: string
  readonly stem: string
  /** Offset in UTF-16 code units. */
  readonly start: number
  readonly isNumber: boolean
  /** Whether it begins with a capital letter. */
  readonly isCapital: boolean
  /** Whether only spaces or a hyphen stand between this word and the one before. */
  readonly isJoined: boolean
}

const wordPattern = /\p{N}+(?:[.,/]\p{N}+)*|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:['’]\p{L}+)?/gu

/** The words and numbers of a text in order. Scripts without spaces give pairs of characters. */
export function readWords(text: string): readonly Word[] {
  const words: Word[] = []
  let lastEnd = 0
  for (const match of text.matchAll(wordPattern)) {
    const found = match[0]
    const isJoined = /^[\s-]*$/.test(text.slice(lastEnd, match.index))
    lastEnd = match.index + found.length
    if (isUnspaced(found)) words.push(...pairsOf(found, match.index))
    else words.push(wordOf(found, match.index, isJoined))
  }
  return words
}

function wordOf(text: string, start: number, isJoined: boolean): Word {
  const isNumber = /^\p{N}/u.test(text)
  const plain = isNumber
    ? text.replaceAll(/,(?=\d{3}(?!\d))/g, '')
    : fold(text).replace(/['’]s?$/, '')
  const stem = isNumber ? plain : stemOf(plain)
  return { text, plain, stem, start, isNumber, isCapital: /^\p{Lu}/u.test(text), isJoined }
}

/** Letters that no decomposition takes apart. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ħ: 'h',
}

/** Lower case without accents, so that "Rømer" and "Romer" are one word. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (/^[\x20-\x7e]*$/.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[øłđðþßæœıħ]/g, (letter) => plainLetters[letter] ?? letter)
}

function isUnspaced(word: string): boolean {
  return word.length > 1 && /^[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]/.test(word)
}

function pairsOf(run: string, start: number): readonly Word[] {
  const characters = [...run]
  return characters.slice(1).map((character, index) => {
    const pair = `${characters[index]}${character}`
    return {
      text: pair,
      plain: pair,
      stem: pair,
      start: start + index,
      isNumber: false,
      isCapital: false,
      isJoined: true,
    }
  })
}

/** A text with each run of white space as one space and without control characters. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}\ufffd]+/gu, ' ').trim()
}
