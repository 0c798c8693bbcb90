import {
  type FoundAddress,
  mayStartAddress,
  readAngledAddress,
  readBareAddress,
  startsAddress,
} from './addresses.ts'
import type { Span } from './blocks.ts'
import { readBracket } from './brackets.ts'
import { toCitableUrl } from './canonical-url.ts'
import { isEscapable, isSpaceAt, isWord } from './characters.ts'
import { addToken, type Labels, type Scan, type Token } from './token.ts'

/**
 * Appends the citations in one span of a text to `tokens`, in order. Single pass with bounded backtracking: the time is
 * linear in the length of the span.
 */
export function scanSpan(text: string, span: Span, labels: Labels, tokens: Token[]): void {
  const to = span.end
  const scan: Scan = {
    text,
    to,
    labels,
    tokens,
    openings: [],
    citations: 0,
    unknown: 0,
    attachedEnd: -1,
    lastBracket: -1,
  }
  let runs: ReadonlyMap<number, number> | undefined
  for (let at = span.start; at < to; ) {
    const code = text.charCodeAt(at)
    if (code > 127 || special[code] !== 1) {
      at++
    } else if (code === 96) {
      runs ??= indexBacktickRuns(text, at, to)
      at = findCodeSpanEnd(text, at, to, runs)
    } else if (code === 92) {
      at += isEscapable(text.charCodeAt(at + 1)) ? 2 : 1
    } else if (code === 91) {
      const { citations, unknown } = scan
      scan.openings.push({ at, tokens: tokens.length, citations, unknown })
      scan.lastBracket = at++
    } else if (code === 93) {
      at = readBracket(scan, at)
    } else if (code === 60) {
      at = readAngle(scan, at)
    } else at = readAddress(scan, at)
  }
}

/** The characters at which something may start or end. */
const special = new Uint8Array(128)
for (const character of '[]\\`<hH') special[character.charCodeAt(0)] = 1

function readAddress(scan: Scan, at: number): number {
  const { text, to } = scan
  if (!startsAddress(text, at) || !mayStartAddress(text, at)) return at + 1
  const { url, end } = readBareAddress(text, at, to)
  return url === undefined ? end : addToken(scan, { kind: 'url', start: at, end, url })
}

function readAngle(scan: Scan, at: number): number {
  const { text, to } = scan
  if (startsAddress(text, at + 1)) {
    const found: FoundAddress | undefined = readAngledAddress(text, at, to)
    if (found?.url === undefined) return at + 1
    return addToken(scan, { kind: 'url', start: at, end: found.end, url: found.url })
  }
  const tag = readTag(text, at, to)
  if (tag === undefined) return at + 1
  for (const { start, end, number, url } of tag.attributes) {
    if (number !== undefined) {
      const kind = scan.labels.isMark(number) ? 'attribute' : 'unknown'
      addToken(scan, { kind, start, end, keys: [String(number)], tag: tag.name })
    } else if (url !== undefined)
      addToken(scan, { kind: 'attribute', start, end, url, tag: tag.name })
  }
  return tag.end
}

/** Where the last run of each length of backticks starts, so that no missing end is searched for. */
export function indexBacktickRuns(
  text: string,
  from: number,
  to: number,
): ReadonlyMap<number, number> {
  const last = new Map<number, number>()
  for (let at = text.indexOf('`', from); at >= 0 && at < to; ) {
    const end = findRunEnd(text, at, to)
    last.set(end - at, at)
    at = text.indexOf('`', end)
  }
  return last
}

/**
 * The offset after the code span, or after the run of backticks, that starts at `at`. `last` is {@link indexBacktickRuns}
 * of the span.
 */
export function findCodeSpanEnd(
  text: string,
  at: number,
  to: number,
  last: ReadonlyMap<number, number>,
): number {
  const opened = findRunEnd(text, at, to)
  const length = opened - at
  if ((last.get(length) ?? -1) <= at) return opened
  for (let from = text.indexOf('`', opened); ; ) {
    const end = findRunEnd(text, from, to)
    if (end - from === length) return end
    from = text.indexOf('`', end)
  }
}

function findRunEnd(text: string, at: number, to: number): number {
  let end = at
  while (end < to && text.charCodeAt(end) === 96) end++
  return end
}

/** An HTML or XML tag with its citing attributes. */
interface Tag {
  /** In lower case. */
  readonly name: string
  readonly end: number
  readonly attributes: readonly CitingAttribute[]
}

/** `idx="3"` with its number; `url`, `href` or `src` with its address, quoted or not. */
interface CitingAttribute {
  readonly start: number
  readonly end: number
  readonly number?: number
  readonly url?: string
}

/**
 * Reads the opening tag with the angle bracket at `index`. A tag that contains `<`, even in quotes, is not a tag, so that
 * no text is read twice.
 */
function readTag(text: string, index: number, to: number): Tag | undefined {
  let at = findNameEnd(text, index + 1, to)
  if (at === index + 1 || !/[a-z]/i.test(text.charAt(index + 1))) return undefined
  const name = text.slice(index + 1, at).toLowerCase()
  const attributes: CitingAttribute[] = []
  while (at < to) {
    const start = skipSpaces(text, at, to)
    const code = text.charCodeAt(start)
    if (code === 62) return { name, end: start + 1, attributes }
    if (code === 47) at = start + 1
    else {
      if (start === at && text.charCodeAt(at - 1) !== 47) return undefined
      const found = readAttribute(text, start, to)
      if (found === undefined) return undefined
      const citing = toCitingValue(text.slice(start, found.nameEnd), found)
      if (citing !== undefined) attributes.push({ start, end: found.end, ...citing })
      at = found.end
    }
  }
  return undefined
}

interface Attribute {
  readonly nameEnd: number
  readonly value: string
  readonly isQuoted: boolean
  readonly end: number
}

function readAttribute(text: string, start: number, to: number): Attribute | undefined {
  const end = findNameEnd(text, start, to)
  if (end === start) return undefined
  const equals = skipSpaces(text, end, to)
  if (text.charCodeAt(equals) !== 61 || equals >= to)
    return { nameEnd: end, value: '', isQuoted: false, end }
  const from = skipSpaces(text, equals + 1, to)
  const quote = text.charCodeAt(from)
  const isQuoted = quote === 34 || quote === 39
  for (let at = isQuoted ? from + 1 : from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (isQuoted ? code === quote : isSpaceAt(text, at) || code === 62) {
      if (!isQuoted && at === from) return undefined
      const value = text.slice(isQuoted ? from + 1 : from, at)
      return { nameEnd: end, value, isQuoted, end: isQuoted ? at + 1 : at }
    }
    if (code === 60 || (!isQuoted && (code === 34 || code === 39))) return undefined
  }
  return undefined
}

function toCitingValue(
  name: string,
  { value, isQuoted }: Attribute,
): { number: number } | { url: string } | undefined {
  if (name === 'idx')
    return isQuoted && /^\s*\d{1,9}\s*$/.test(value) ? { number: Number(value) } : undefined
  if (!/^(?:url|href|src)$/i.test(name) || /[\ue000-\uf8ff]/.test(value)) return undefined
  const url = toCitableUrl(decodeEntities(value.trim()))
  return url === undefined ? undefined : { url }
}

function decodeEntities(value: string): string {
  if (!value.includes('&')) return value
  return value
    .replaceAll('&quot;', '"')
    .replace(/&#(?:39|x27);/gi, "'")
    .replace(/&colon;|&#(?:58|x3a);/gi, ':')
    .replace(/&sol;|&#(?:47|x2f);/gi, '/')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function findNameEnd(text: string, start: number, to: number): number {
  let at = start
  while (at < to && (isWord(text.charCodeAt(at)) || '-:.@'.includes(text.charAt(at)))) at++
  return at
}

function skipSpaces(text: string, start: number, to: number): number {
  let at = start
  while (at < to && isSpaceAt(text, at)) at++
  return at
}
