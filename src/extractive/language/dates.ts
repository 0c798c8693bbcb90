import { monthNames } from '../../claims/language/quantities.ts'

/** A date, as precise as the text gives it. */
export interface FoundDate {
  readonly year: number
  /** Sorts chronologically: "1912", "1912-04-15". */
  readonly key: string
}

const month = `(?<month>${monthNames.join('|')})`
const year = '(?<year>1\\d{3}|20\\d{2})(?!\\d|s\\b)'
const forms = [
  new RegExp(`\\b${month} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? ${year}`, 'gi'),
  new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th)? ${month},? ${year}`, 'gi'),
  new RegExp(`\\b${month},? ${year}`, 'gi'),
  new RegExp(`\\b${year}`, 'gi'),
]

/**
 * The only date in a text; of several dates in one year, the first. With `born`, the first date after "born"
 * or in the first brackets: "(15 April 1912 – 1990)". `undefined` if there is none or it is unclear which one
 * is meant.
 */
export function findDate(text: string, event: 'born' | undefined): FoundDate | undefined {
  if (event === 'born') {
    const life = /\bborn\b(.{0,60})/i.exec(text)?.[1] ?? /\(([^)]{4,80})/.exec(text)?.[1]
    return life === undefined ? undefined : findDates(life)[0]
  }
  const dates = findDates(text)
  const years = new Set(dates.map((date) => date.year))
  return years.size === 1 ? dates[0] : undefined
}

/** The dates of a text in order, each in its fullest form. */
function findDates(text: string): readonly FoundDate[] {
  const found: { at: number; end: number; date: FoundDate }[] = []
  for (const form of forms) {
    for (const match of text.matchAll(form)) {
      const [at, end] = [match.index, match.index + match[0].length]
      if (found.some((other) => at < other.end && end > other.at)) continue
      found.push({ at, end, date: toDate(match.groups ?? {}) })
    }
  }
  return found.toSorted((left, right) => left.at - right.at).map(({ date }) => date)
}

function toDate(groups: Readonly<Record<string, string | undefined>>): FoundDate {
  const { year: digits = '', month: name, day } = groups
  const number = name === undefined ? undefined : monthNames.indexOf(name.toLowerCase()) + 1
  const parts = [digits, number, day].filter((part) => part !== undefined)
  return { year: Number(digits), key: parts.map((part) => String(part).padStart(2, '0')).join('-') }
}

/** A date as printed in a text. */
interface DateSpan {
  readonly text: string
  readonly start: number
}

const monthPattern = monthNames
  .map((name) => name.replace(/^./, (letter) => letter.toUpperCase()))
  .join('|')
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

/** The dates in a text as printed; only their years if `onlyYears`. */
export function findDateSpans(text: string, onlyYears: boolean): readonly DateSpan[] {
  return [...text.matchAll(datePattern)].map((match) => {
    const found = onlyYears ? new RegExp(yearPattern).exec(match[0]) : null
    return { text: found?.[0] ?? match[0], start: match.index + (found?.index ?? 0) }
  })
}
