import { isRecord, readText } from '../../bibliography/csl-item.ts'
import { cutText } from '../../kernel/text/cut-text.ts'
import { decodeXmlText } from '../xml.ts'

export { isRecord }

/** A text as one line of at most `maxChars` UTF-16 code units; `undefined` if it is empty or not a text. */
export function toLine(value: unknown, maxChars = 500): string | undefined {
  const given = typeof value === 'string' ? value.slice(0, maxChars * 4) : value
  const text = readText(given)
  return text === undefined ? undefined : cutText(text, maxChars)
}

/** A non-negative whole number; `undefined` for anything else. */
export function toCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
    ? number + 0 // -0 would not survive JSON.
    : undefined
}

/** The first `most` members of a list; empty for anything else. */
export function toList(value: unknown, most: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : []
}

/** The records among the first `most` members of a list. */
export function toRecords(
  value: unknown,
  most: number,
): readonly Readonly<Record<string, unknown>>[] {
  return toList(value, most).filter(isRecord)
}

/** A short piece of HTML as one line: emphasis removed, entities decoded. */
export function markupToLine(value: unknown, maxChars: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const plain = value.slice(0, maxChars * 4).replace(/<\/?[a-z][^<>]{0,300}>/gi, '')
  return toLine(decodeXmlText(plain.replace(/&nbsp;/g, ' ')), maxChars)
}

type Present<Value> = {
  [Name in keyof Value as undefined extends Value[Name] ? never : Name]: Value[Name]
} & {
  [Name in keyof Value as undefined extends Value[Name] ? Name : never]?: Exclude<
    Value[Name],
    undefined
  >
}

/** A record without its `undefined` properties. */
export function omitUndefined<Value extends object>(record: Value): Present<Value> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined),
  ) as Present<Value>
}
