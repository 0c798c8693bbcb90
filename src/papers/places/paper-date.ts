import { countOf, isRecord, lineOf } from '../../sources/lookup/values.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * A day, month or year in ISO 8601 from what services give as a date: ISO with or without a time, `2 January 2023`, `Jan 2, 2023`,
 * a year, seconds or milliseconds since 1970, or a record with year, month and day. Empty where it is no date.
 */
export function paperDate(value: unknown): string {
  if (typeof value === 'number') return fromNumber(value)
  if (isRecord(value)) {
    const part = (name: string) => (Object.hasOwn(value, name) ? countOf(value[name]) : undefined)
    return isoDate(part('year'), part('month'), part('day'))
  }
  const text = lineOf(value, 100) ?? ''
  const iso = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?(?!\d)/.exec(text)
  if (iso !== null) return isoDate(...numbersOf(iso.slice(1)))
  const year = Number(/\b(1\d{3}|2\d{3})\b/.exec(text)?.[1] ?? Number.NaN)
  const month = months.indexOf(
    /\b([a-z]{3})[a-z]*/gi.exec(withoutWeekday(text))?.[1]?.toLowerCase() ?? '',
  )
  if (month < 0) return /^\d{9,14}$/.test(text) ? fromNumber(Number(text)) : ''
  const day = Number(/(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?![\d:])/.exec(text)?.[1] ?? Number.NaN)
  return isoDate(year, month + 1, day)
}

/** A date as far as it is one: a day that its month does not have is left out. */
export function isoDate(year?: number, month?: number, day?: number): string {
  if (year === undefined || !(year >= 1000 && year <= 2999)) return ''
  if (month === undefined || !(month >= 1 && month <= 12)) return String(year)
  const yearAndMonth = `${year}-${String(month).padStart(2, '0')}`
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day === undefined || !(day >= 1 && day <= lastDay)) return yearAndMonth
  return `${yearAndMonth}-${String(day).padStart(2, '0')}`
}

/** A year as it stands, else seconds or milliseconds since 1970. */
function fromNumber(value: number): string {
  if (Number.isInteger(value) && value >= 1000 && value <= 2999) return String(value)
  // The first paper of arXiv came in 1991; milliseconds of later days have 12 digits and more.
  const timeMs = value >= 600_000_000_000 ? value : value * 1_000
  if (!(timeMs >= 600_000_000_000 && timeMs < 32_000_000_000_000)) return ''
  return new Date(timeMs).toISOString().slice(0, 10)
}

function withoutWeekday(text: string): string {
  return text.replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+/i, '')
}

function numbersOf(parts: readonly (string | undefined)[]): [number?, number?, number?] {
  return parts.filter((part) => part !== undefined).map(Number) as [number?, number?, number?]
}
