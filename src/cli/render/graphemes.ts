/** What people perceive as one character. */
export interface Grapheme {
  readonly segment: string
  /** Its offset in UTF-16 code units. */
  readonly index: number
}

/** Characters that never combine and take one column each: Latin, punctuation, arrows, lines and non-emoji symbols. */
const narrow =
  /^[[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2100-\u2bff]--\p{Emoji_Presentation}]*$/v

/** Whether a text takes one column per UTF-16 code unit. */
export function isNarrow(text: string): boolean {
  return narrow.test(text)
}

/** Created on first use: it loads the tables of all scripts, which takes longer than most commands. */
let segmenter: Intl.Segmenter | undefined

/** The characters of a text. */
export function splitGraphemes(text: string): Iterable<Grapheme> {
  if (isNarrow(text)) return Array.from(text, (segment, index) => ({ segment, index }))
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}
