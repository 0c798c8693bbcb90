import {
  type FoundAddress,
  mayStartAddress,
  readAddressOrPath,
  readBareAddress,
  readLinkTarget,
  readTitle,
  skipSpace,
  startsAddress,
} from './addresses.ts'
import { unescapeMarkdown } from './characters.ts'

/** A line that defines a label: as an address, or as another label. */
export interface Definition {
  /** As {@link labelKey} gives it. */
  readonly key: string
  /** Whether it is written `[!CITE_1!]: …`. */
  readonly isMark: boolean
  readonly url?: string
  /** The key of the other label. */
  readonly alias?: string
  readonly label?: string
  readonly note?: string
}

/** Longer labels are not labels; CommonMark's limit, in characters. */
export const maxLabelChars = 999

/**
 * The key by which labels are compared: `[3]` and `[!CITE_3!]` are the number "3", `[^a]` is the footnote "^a"; names
 * ignore case and extra spaces.
 */
export function labelKey(label: string): string {
  const number = parseLabelNumber(label)
  return number === undefined
    ? label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase()
    : String(number)
}

/** The number of a label: up to four digits, or a mark's content `!CITE_3!`. */
export function parseLabelNumber(label: string): number | undefined {
  const code = label.charCodeAt(0)
  if (code === 33) {
    const [, digits] = /^!CITE_(\d{1,9})!$/.exec(label) ?? []
    return digits === undefined ? undefined : Number(digits)
  }
  return code >= 48 && code <= 57 && /^\d{1,4}$/.test(label) ? Number(label) : undefined
}

/**
 * Reads the definition in a line between `start` and `end`: `[1]: https://…`, `[name]: <https://…> "title"`, `[!CITE_1!]:
 * [!CITE_4!]`, `[1] https://… # note`, `[^1]: words, https://…`; in a reference list also `[1] words. https://…`.
 */
export function readDefinition(
  text: string,
  start: number,
  end: number,
  isReference: boolean,
): Definition | undefined {
  if (text.charCodeAt(start) !== 91) return undefined
  const close = findLabelEnd(text, start + 1, end)
  if (close === undefined) return undefined
  const label = text.slice(start + 1, close)
  const hasColon = text.charCodeAt(close + 1) === 58
  if (label.trim() === '' || !(hasColon || /^\d{1,4}$/.test(label))) return undefined
  const isNumbered = parseLabelNumber(label) !== undefined || label.startsWith('^')
  const from = skipSpace(text, close + (hasColon ? 2 : 1), end)
  if (from >= end) return undefined
  const said =
    readAlias(text, from, end, label.charCodeAt(0) === 33) ??
    readAddressFirst(text, from, end, hasColon ? isNumbered : false, isReference) ??
    ((hasColon && isNumbered) || isReference
      ? readWordsFirst(text, from, end, isReference)
      : undefined)
  return said && { key: labelKey(label), isMark: label.charCodeAt(0) === 33, ...said }
}

/** The closing bracket of a label whose content starts at `start`. */
export function findLabelEnd(text: string, start: number, to: number): number | undefined {
  const limit = Math.min(to, start + maxLabelChars + 1)
  for (let at = start; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code === 93) return at
    if (code === 91) return undefined
    if (code === 92) at++
  }
  return undefined
}

type DefinitionContent = Omit<Definition, 'key' | 'isMark'>

function readAlias(
  text: string,
  from: number,
  end: number,
  isAllowed: boolean,
): DefinitionContent | undefined {
  if (!isAllowed || text.charCodeAt(from + 1) !== 33) return undefined
  const [, number] = /^\[!CITE_(\d{1,9})!\]\s*$/.exec(text.slice(from, end)) ?? []
  return number === undefined ? undefined : { alias: String(Number(number)) }
}

function readAddressFirst(
  text: string,
  from: number,
  end: number,
  isNumbered: boolean,
  isReference: boolean,
): DefinitionContent | undefined {
  const linked = isNumbered || isReference ? readTitledLink(text, from, end) : undefined
  const found = linked ?? readAddress(text, from, end)
  if (found?.url === undefined) return undefined
  const after = readAfterAddress(text, found.end, end, isReference)
  if (after === undefined) return undefined
  return { url: found.url, ...(found.title && { label: found.title }), ...after }
}

/** `[title](https://…)` alone in place of an address. */
function readTitledLink(text: string, from: number, end: number): FoundAddress | undefined {
  const close = text.charCodeAt(from) === 91 ? findLabelEnd(text, from + 1, end) : undefined
  if (close === undefined || text.charCodeAt(close + 1) !== 40) return undefined
  const target = readLinkTarget(text, close + 1, end)
  return target && { ...target, title: trimWords(text.slice(from + 1, close)) }
}

function readAddress(text: string, from: number, end: number): FoundAddress | undefined {
  if (text.charCodeAt(from) === 60) return readAddressOrPath(text, from, end)
  const spaced = readAddressOrPath(text, from, end)
  if (spaced !== undefined && text.slice(from, spaced.end).includes('\\')) return spaced
  return startsAddress(text, from) ? readBareAddress(text, from, end) : undefined
}

function readWordsFirst(
  text: string,
  from: number,
  end: number,
  isReference: boolean,
): DefinitionContent | undefined {
  const at = findFirstAddress(text.slice(from, end)) + from
  const before = text.charAt(at - 1)
  if (at < from || !mayStartAddress(text, at)) return undefined
  if (/["'=]/.test(before) || /`|\]\(/.test(text.slice(from, at))) return undefined
  const start = before === '<' ? at - 1 : at
  const found = readAddress(text, start, end)
  if (found?.url === undefined) return undefined
  const after = readAfterAddress(text, found.end, end, isReference)
  const label = trimWords(text.slice(from, start))
  return after && { url: found.url, ...(label !== '' && { label }), ...after }
}

function findFirstAddress(line: string): number {
  const found = line.search(/https?:\/\//i)
  return found < 0 ? Number.NEGATIVE_INFINITY : found
}

/**
 * Reads what follows an address up to the end of the line: a title, a note, or only punctuation; in a reference list
 * anything.
 */
function readAfterAddress(
  text: string,
  from: number,
  end: number,
  isReference: boolean,
): { readonly label?: string; readonly note?: string } | undefined {
  const start = skipSpace(text, from, end)
  const title = start > from ? readTitle(text, start, end) : undefined
  const rest = text.slice(title?.end ?? start, end).trim()
  const [, noted] = /^[.,;)\]]*\s*#\s*(.*)$/.exec(rest) ?? []
  const label = title && title.title.trim() !== '' ? { label: title.title.trim() } : {}
  if (noted !== undefined) return noted === '' ? label : { ...label, note: noted }
  if (/^[.,;)\]]*$/.test(rest)) return label
  return isReference ? { ...label, note: rest.replace(/^[.,;)\]\s–—-]+/, '') } : undefined
}

function trimWords(words: string): string {
  const plain = unescapeMarkdown(words).replace(/\s+/g, ' ')
  let end = plain.length
  while (end > 0 && ' .,:;(–—-'.includes(plain.charAt(end - 1))) end--
  return plain.slice(0, end).trimStart()
}
