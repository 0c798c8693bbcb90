import { functionWords } from '../claims/language/function-words.ts'
import { normalizeDigits } from '../claims/language/languages.ts'

/**
 * The searchable words of a text, in order: folded (case, accents, ligatures, contractions), without stop words. A word of
 * letters and digits is followed by its parts of two or more characters ("miR146a", "mir", "146"); a run of a script
 * without spaces gives overlapping pairs of characters.
 */
export function readContentWords(text: string): string[] {
  const folded = fold(text)
  const isAscii = !nonAscii.test(folded)
  const words = folded.match(isAscii ? asciiWord : anyWord) ?? []
  if (isAscii && !mixed.test(folded)) return words
  const found: string[] = []
  for (const word of words) {
    if (!unspaced.test(word)) addWithParts(word, found)
    else for (const run of word.match(scriptRun) ?? []) addRun(run, found)
  }
  return found
}

function addWithParts(word: string, found: string[]): void {
  found.push(word)
  if (mixed.test(word)) found.push(...(word.match(parts) ?? []))
}

function addRun(run: string, found: string[]): void {
  if (unspaced.test(run)) found.push(...toCharacterPairs([...run]))
  else addWithParts(run, found)
}

function toCharacterPairs(characters: readonly string[]): readonly string[] {
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** Lower case with ASCII digits, without accents, ligatures, soft hyphens, invisible characters and contracted endings ("Crohn's", "isn't"). */
function fold(text: string): string {
  const lower = normalizeDigits(text).toLowerCase()
  const plain = nonAscii.test(lower) ? foldMarks(lower) : lower
  return plain.includes("'") ? plain.replace(/n't\b|'(?:s|d|ll|re|ve|m)\b/g, '') : plain
}

function foldMarks(lower: string): string {
  return lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u00ad\u200b-\u200d\ufeff]/g, '')
    .replace(/[’ʼ]/g, "'")
    .replace(arabicMarks, '')
    .replace(/[\u0649\u06cc]/g, '\u064a')
    .replace(/\u0629/g, '\u0647')
    .replace(arabicPrefix, '')
    .normalize('NFC')
}

/** Matches words of these characters that are not stop words; much faster than looking each word up. */
function contentWordPattern(start: string, rest: string, flags: string): RegExp {
  const stopWord = `(?:${[...functionWords].join('|')})(?!${rest})`
  return new RegExp(`(?<!${rest})(?!${stopWord})${start}${rest}*`, flags)
}

/** Vowel signs, hamza above and below, and the mark that lengthens a word: texts have them or not. */
const arabicMarks = /[\u0640\u064b-\u065f\u0670]/g
/**
 * "And", prepositions and the article, which are written as part of a word that has at least three more letters.
 * @see L. S. Larkey, L. Ballesteros, M. E. Connell: Light Stemming for Arabic Information Retrieval, 2007 (light8)
 */
const arabicPrefix =
  /(?<![\p{sc=Arab}])(?:\u0648?(?:[\u0628\u0643\u0641]?\u0627\u0644|\u0644\u0644)|\u0648)(?=\p{sc=Arab}{3})/gu
const nonAscii = /[^\0-\x7f]/
const asciiWord = contentWordPattern('[a-z0-9]', '[a-z0-9]', 'g')
const anyWord = contentWordPattern('[\\p{L}\\p{N}]', '[\\p{L}\\p{N}\\p{M}]', 'gu')
const mixed = /\d[a-z]|[a-z]\d/
const parts = /\d{2,}|[^\d]{2,}/g
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}]/u
const scriptRun =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}]+|[^\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}]+/gu
