import { functionWords } from '../claims/language/function-words.ts'

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

/** Lower case without accents, ligatures, soft hyphens, invisible characters and contracted endings ("Crohn's", "isn't"). */
function fold(text: string): string {
  const lower = text.toLowerCase()
  const plain = nonAscii.test(lower) ? foldMarks(lower) : lower
  return plain.includes("'") ? plain.replace(/n't\b|'(?:s|d|ll|re|ve|m)\b/g, '') : plain
}

function foldMarks(lower: string): string {
  return lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u00ad\u200b-\u200d\ufeff]/g, '')
    .replace(/[’ʼ]/g, "'")
    .normalize('NFC')
}

/** Matches words of these characters that are not stop words; much faster than looking each word up. */
function contentWordPattern(start: string, rest: string, flags: string): RegExp {
  const stopWord = `(?:${[...functionWords].join('|')})(?!${rest})`
  return new RegExp(`(?<!${rest})(?!${stopWord})${start}${rest}*`, flags)
}

const nonAscii = /[^\0-\x7f]/
const asciiWord = contentWordPattern('[a-z0-9]', '[a-z0-9]', 'g')
const anyWord = contentWordPattern('[\\p{L}\\p{N}]', '[\\p{L}\\p{N}\\p{M}]', 'gu')
const mixed = /\d[a-z]|[a-z]\d/
const parts = /\d{2,}|[^\d]{2,}/g
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}]/u
const scriptRun =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}]+|[^\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}]+/gu
