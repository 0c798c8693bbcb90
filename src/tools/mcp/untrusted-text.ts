import { stripVTControlCharacters } from 'node:util'
import { cutText } from '../../kernel/text/cut-text.ts'

/**
 * Characters that are invisible or change the display order: controls other than tab and line feed, direction marks,
 * zero-width characters, and tag characters, which can hide instructions.
 * @see https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}]/gu

/** A server's text without invisible characters, cut to `maxChars` with `…`. */
export function cleanText(text: string, maxChars: number): string {
  // Text far beyond the cut is not processed.
  const near = text.length > maxChars * 4 ? text.slice(0, maxChars * 4) : text
  const plain = stripVTControlCharacters(near.toWellFormed())
  const clean = plain.replaceAll(unseen, '').trim()
  return cutText(clean, maxChars)
}

/** Like {@link cleanText}, on one line. */
export function cleanLine(text: string, maxChars: number): string {
  return cleanText(cleanText(text, maxChars * 2).replaceAll(/\s+/g, ' '), maxChars)
}
