import { stripVTControlCharacters } from 'node:util'

/**
 * What no reader sees, or sees in another order than it stands: control characters but for tab and line feed, marks of direction,
 * characters without width, and the tag characters in which instructions can be hidden.
 * @see https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}]/gu

/** Text of a server without what cannot be seen, cut at `maxChars` with `…` where it was longer. */
export function cleanText(text: string, maxChars: number): string {
  // What is far beyond the cut is not worth looking at.
  const near = text.length > maxChars * 4 ? text.slice(0, maxChars * 4) : text
  const plain = stripVTControlCharacters(near.toWellFormed())
  const clean = plain.replaceAll(unseen, '').trim()
  return clean.length <= maxChars ? clean : `${clean.slice(0, maxChars - 1).toWellFormed()}…`
}

/** As {@link cleanText}, in one line. */
export function cleanLine(text: string, maxChars: number): string {
  return cleanText(cleanText(text, maxChars * 2).replaceAll(/\s+/g, ' '), maxChars)
}
