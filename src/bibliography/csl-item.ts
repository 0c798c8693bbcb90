import {
  dateVariables,
  nameVariables,
  numberVariables,
  textVariables,
} from '../citations/csl-variables.ts'
import type { CslDate, CslItem, CslName } from '../citations/source.ts'

/**
 * Picks the valid CSL-JSON from a record: variables of the standard with values of the right kind, without control characters. A
 * record without a type becomes a `document`.
 */
export function toCslItem(record: Readonly<Record<string, unknown>>, id: string): CslItem {
  return {
    id,
    type: readText(record.type) ?? 'document',
    ...pickVariables(record, textVariables, (value) => readText(value)),
    ...pickVariables(record, numberVariables, numberOrText),
    ...pickVariables(record, nameVariables, readNames),
    ...pickVariables(record, dateVariables, readDate),
  }
}

/** Trimmed text on one line without control characters; `undefined` for anything that is not text, or is empty. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return undefined
  const text = value
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return text === '' ? undefined : text
}

/** Whether something is a plain object, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pickVariables<Name extends string, Value>(
  record: Readonly<Record<string, unknown>>,
  names: readonly Name[],
  read: (value: unknown) => Value | undefined,
): { readonly [name in Name]?: Value } {
  const found: { [name in Name]?: Value } = {}
  for (const name of names) {
    const value = Object.hasOwn(record, name) ? read(record[name]) : undefined
    if (value !== undefined) found[name] = value
  }
  return found
}

function numberOrText(value: unknown): string | number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : readText(value)
}

function readNames(value: unknown): readonly CslName[] | undefined {
  if (!Array.isArray(value)) return undefined
  const names = value.flatMap((name: unknown) => (isRecord(name) ? readName(name) : []))
  return names.length === 0 ? undefined : names
}

const nameParts = [
  'family',
  'given',
  'literal',
  'suffix',
  'dropping-particle',
  'non-dropping-particle',
] as const

function readName(record: Readonly<Record<string, unknown>>): readonly CslName[] {
  const name = pickVariables(record, nameParts, readText)
  const isNamed = (name.family ?? name.given ?? name.literal) !== undefined
  return isNamed ? [name] : []
}

function readDate(value: unknown): CslDate | undefined {
  if (!isRecord(value)) return undefined
  const written = value['date-parts']
  const parts = Array.isArray(written) ? written.slice(0, 2).map(readDateParts) : []
  const literal = readText(value.literal) ?? readText(value.raw)
  const season = Number(value.season)
  if (parts[0] === undefined || parts.some((part) => part.length === 0)) {
    return literal === undefined ? undefined : { literal }
  }
  return {
    'date-parts': parts,
    ...(season >= 1 && season <= 4 ? { season } : {}),
    ...(value.circa === undefined || value.circa === false ? {} : { circa: true }),
  }
}

/** Year, month and day, up to the first that is not a valid number. */
function readDateParts(value: unknown): readonly number[] {
  if (!Array.isArray(value)) return []
  const [year = Number.NaN, month = 0, day = 0] = value.slice(0, 3).map(wholeNumber)
  if (Number.isNaN(year)) return []
  // From 13 on, a month is an EDTF season; citeproc accepts values up to 24.
  if (!(month >= 1 && month <= 24)) return [year]
  return day >= 1 && day <= 31 ? [year, month, day] : [year, month]
}

function wholeNumber(value: unknown): number {
  const number = value === null || value === '' ? Number.NaN : Number(value)
  return Number.isInteger(number) ? number : Number.NaN
}
