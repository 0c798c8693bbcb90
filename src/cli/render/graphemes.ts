/** What people take for one character. */
export interface Grapheme {
  readonly segment: string
  /** Where it begins in its text, in UTF-16 units. */
  readonly index: number
}

/** Characters that join no others and take one column each: Latin, punctuation, arrows, lines and signs that are no emoji. */
const narrow =
  /^[[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2100-\u2bff]--\p{Emoji_Presentation}]*$/v

/** Whether a text takes as many columns as it has UTF-16 units, each of them a character. */
export function isNarrow(text: string): boolean {
  return narrow.test(text)
}

/** Made when a text first needs it: it reads the tables of all scripts, which takes longer than most commands. */
let segmenter: Intl.Segmenter | undefined

/** The characters of a text. */
export function splitGraphemes(text: string): Iterable<Grapheme> {
  if (isNarrow(text)) return Array.from(text, (segment, index) => ({ segment, index }))
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}
