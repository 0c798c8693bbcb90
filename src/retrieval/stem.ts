import { stemmer } from 'stemmer'

/**
 * The Porter stem of a lower-case English word, as SQLite's full-text index makes it; a word with other characters than a to z
 * is returned unchanged.
 * @see https://tartarus.org/martin/PorterStemmer/def.txt (M. F. Porter, An algorithm for suffix stripping, 1980)
 */
export function stem(word: string): string {
  return /^[a-z]+$/.test(word) ? stemmer(word) : word
}
