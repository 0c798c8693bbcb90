/** A date as it stands in a text. */
export interface DateSpan {
  readonly text: string
  readonly start: number
}

const monthPattern =
  'January|February|March|April|May|June|July|August|September|October|November|December'
const yearPattern = String.raw`(?:1\d{3}|20\d{2})\b(?!s)`
const spanPatterns = [
  String.raw`\b(?:${monthPattern}) \d{1,2}(?:st|nd|rd|th)?,? ${yearPattern}`,
  String.raw`\b\d{1,2}(?:st|nd|rd|th)? (?:${monthPattern}),? ${yearPattern}`,
  String.raw`\b(?:${monthPattern}),? ${yearPattern}`,
  String.raw`\b\d{1,4}(?: (?:and|to|or) \d{1,4})? (?:BC|AD|BCE|CE)\b`,
  String.raw`\bAD \d{1,4}\b`,
  String.raw`\b(?:\d{1,2}(?:st|nd|rd|th)|[a-z]+th) century(?: (?:BC|AD|BCE|CE))?\b`,
  String.raw`\b(?:the )?(?:1\d{3}|20\d{2})s\b`,
  String.raw`\b${yearPattern}`,
]
const datePattern = new RegExp(spanPatterns.join('|'), 'g')

/** The dates in a text, each as full as it stands there; only their years where a yearPattern is asked for. */
export function dateSpans(text: string, onlyYears: boolean): readonly DateSpan[] {
  return [...text.matchAll(datePattern)].map((match) => {
    const found = onlyYears ? new RegExp(yearPattern).exec(match[0]) : null
    return { text: found?.[0] ?? match[0], start: match.index + (found?.index ?? 0) }
  })
}
