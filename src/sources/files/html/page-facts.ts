import type { CslItem } from '../../../citations/source.ts'

/** What one part of a page says about the page. */
export interface PageFacts {
  /** A CSL type. */
  readonly type?: string | undefined
  readonly title?: string | undefined
  readonly author?: CslItem['author'] | undefined
  readonly issued?: CslItem['issued'] | undefined
  /** The journal, book or site it is part of. */
  readonly container?: string | undefined
  readonly publisher?: string | undefined
  readonly language?: string | undefined
  readonly url?: string | undefined
  readonly doi?: string | undefined
  readonly isbn?: string | undefined
}

/** A name as written; addresses are not names. */
export function parseName(written: string | undefined): NonNullable<CslItem['author']> {
  const name = written?.replace(/^(?:by|von|par|por)[\s:]+(?=\p{Lu})/iu, '').trim() ?? ''
  return name === '' || /^(?:https?:|www\.|@)/.test(name) ? [] : [{ literal: name }]
}

/** A name from tags that put the family name first, if written `Family, Given`; else as written. */
export function parseCatalogueName(written: string | undefined): NonNullable<CslItem['author']> {
  const [family = '', given = '', ...rest] = (written ?? '').split(/\s*,\s*/)
  const isSuffix = /^(?:jr|sr|ph\.?d|m\.?d|inc|ltd|llc|ii|iii|iv)\b/i.test(given)
  if (family === '' || given === '' || isSuffix || rest.length > 0) return parseName(written)
  return [{ family, given }]
}

/**
 * A page's own string as one line of plain text, at most `maxChars` characters: without tags and control characters,
 * with entities decoded. `undefined` for other values and empty text.
 */
export function cleanValue(value: unknown, maxChars: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = readEntities(value.slice(0, 4 * maxChars))
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, ' ')
    .replace(unseen, '')
    .replace(/\s+/g, ' ')
    .trim()
  return text === '' ? undefined : text.slice(0, maxChars).toWellFormed().trimEnd()
}

/** Controls, zero-width characters, direction marks and tag characters. */
const unseen =
  /(?!\s)\p{Cc}|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu

function readEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
}

/**
 * A date as CSL has it, as the day it names (no time zone is applied): ISO formats, `2019/11/18`, `20191118`, `18
 * November 2019`, `Nov. 18, 2019`, and `18.11.2019` if unambiguous; else `undefined`.
 */
export function parseDate(written: string | undefined): CslItem['issued'] {
  const text = written?.slice(0, 100).trim() ?? ''
  const parts = parseIso(text) ?? parseNamedMonth(text) ?? parseNumeric(text)
  return parts !== undefined && isDate(parts) ? { 'date-parts': [parts] } : undefined
}

function parseIso(text: string): number[] | undefined {
  const found =
    /^(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2}))?)?(?![\d/.-])/.exec(text) ??
    /^(\d{4})()(\d\d)(\d\d)(?!\d)/.exec(text)
  return found === null ? undefined : numbers([found[1], found[3], found[4]])
}

function parseNamedMonth(text: string): number[] | undefined {
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
  const month = months.findIndex((full) => full === known || full.slice(0, 3) === start)
  return month < 0 ? undefined : numbers([year, String(month + 1), day])
}

/** `18.11.2019` or `11/18/2019`, if one of the first two cannot be a month or both are equal. */
function parseNumeric(text: string): number[] | undefined {
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

const months =
  'january february march april may june july august september october november december'.split(' ')
