import type { CslItem } from '../../../citations/source.ts'

/**
 * A written date as CSL has it, as the day it names (no time zone is applied): ISO forms, `2019/11/18`, `20191118`,
 * `18 November 2019`, `Nov. 18, 2019`, and `18.11.2019` where it can be no other day. `undefined` for the rest.
 */
export function writtenDate(written: string | undefined): CslItem['issued'] {
  const text = written?.slice(0, 100).trim() ?? ''
  const parts = isoParts(text) ?? namedParts(text) ?? numberParts(text)
  return parts !== undefined && isDate(parts) ? { 'date-parts': [parts] } : undefined
}

function isoParts(text: string): number[] | undefined {
  const found =
    /^(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2}))?)?(?![\d/.-])/.exec(text) ??
    /^(\d{4})()(\d\d)(\d\d)(?!\d)/.exec(text)
  return found === null ? undefined : numbers([found[1], found[3], found[4]])
}

function namedParts(text: string): number[] | undefined {
  const dayFirst = /\b(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?([a-z]{3,9})\.?,?\s+(\d{4})\b/i.exec(
    text,
  )
  if (dayFirst !== null) return withMonth(dayFirst[3], dayFirst[2], dayFirst[1])
  const monthFirst = /\b([a-z]{3,9})\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})\b/i.exec(text)
  return monthFirst === null ? undefined : withMonth(monthFirst[3], monthFirst[1], monthFirst[2])
}

function withMonth(year?: string, name = '', day?: string): number[] | undefined {
  const known = name.toLowerCase()
  const start = known === 'sept' ? 'sep' : known
  const month = MONTHS.findIndex((full) => full === known || full.slice(0, 3) === start)
  return month < 0 ? undefined : numbers([year, String(month + 1), day])
}

/** `18.11.2019` or `11/18/2019`, where one of the first two can be no month; or both are the same. */
function numberParts(text: string): number[] | undefined {
  const found = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})\b/.exec(text)
  if (found === null) return undefined
  const [first, second] = [Number(found[1]), Number(found[3])]
  if (first <= 12 && second <= 12 && first !== second && found[2] !== '.') return undefined
  const isMonthFirst = second > 12
  return [Number(found[4]), isMonthFirst ? first : second, isMonthFirst ? second : first]
}

function numbers(parts: readonly (string | undefined)[]): number[] {
  return parts.filter((part) => part !== undefined && part !== '').map(Number)
}

function isDate([year = 0, month = 1, day = 1]: readonly number[]): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return (
    year >= 1400 && year < 2200 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  )
}

const MONTHS =
  'january february march april may june july august september october november december'.split(' ')
