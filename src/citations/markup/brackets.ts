import { readLinkTarget } from './addresses.ts'
import { canonicalUrl } from './canonical-url.ts'
import { isAttached, isSpaceAt } from './characters.ts'
import { findLabelEnd, labelKey, maxLabelChars, parseLabelNumber } from './definition.ts'
import { addToken, type Labels, type Opening, type Scan, type Token } from './token.ts'

/**
 * Reads what ends with the closing bracket at `close`: a mark, numbers, a link with its target or label, the name of a
 * definition, an image, or nothing. Returns the offset after it.
 */
export function readBracket(scan: Scan, close: number): number {
  const opening = scan.openings.pop()
  if (opening === undefined) return close + 1
  const { text, to } = scan
  const bracket = toBracket(scan, opening, close)
  const cited = readNumbers(scan, bracket)
  if (cited !== undefined) return cited
  const next = close + 1 < to ? text.charCodeAt(close + 1) : 0
  const linked =
    next === 40 ? readTarget(scan, bracket) : next === 91 ? readLabel(scan, bracket) : undefined
  return linked ?? readName(scan, bracket)
}

interface Bracket {
  readonly opening: Opening
  readonly start: number
  readonly close: number
  readonly content: string
  /** Whether no other bracket is inside. */
  readonly isPlain: boolean
  /** Whether a citation is inside. */
  readonly isCiting: boolean
  /** Whether it is part of a word: `arr[1]`. */
  readonly isAttached: boolean
  readonly isImage: boolean
}

function toBracket(scan: Scan, opening: Opening, close: number): Bracket {
  const { text } = scan
  const start = opening.at
  const follows = scan.tokens.at(-1)?.end === start
  const attached = !follows && (scan.attachedEnd === start || isAttached(text, start))
  if (attached) scan.attachedEnd = close + 1
  return {
    opening,
    start,
    close,
    content: text.slice(start + 1, close),
    isPlain: scan.lastBracket === start && close - start <= maxLabelChars,
    isCiting: scan.citations > opening.citations,
    isAttached: attached,
    isImage: text.charCodeAt(start - 1) === 33 && !isEscaped(text, start - 1),
  }
}

function isEscaped(text: string, index: number): boolean {
  let at = index
  while (at > 0 && text.charCodeAt(at - 1) === 92) at--
  return (index - at) % 2 === 1
}

function readNumbers(scan: Scan, bracket: Bracket): number | undefined {
  const { start, close, content, isPlain } = bracket
  if (!isPlain) return undefined
  const end = close + 1
  const mark = content.charCodeAt(0) === 33 ? parseLabelNumber(content) : undefined
  if (mark !== undefined) {
    const kind = scan.labels.isMark(mark) ? 'mark' : 'unknown'
    return addToken(scan, { kind, start, end, keys: [String(mark)] })
  }
  if (bracket.isAttached || scan.text.charCodeAt(end) === 40) return undefined
  const numbers = parseNumbers(content)
  if (!numbers.some((n) => scan.labels.isNumber(n))) return undefined
  return addToken(scan, { kind: 'numbers', start, end, keys: numbers.map(String) })
}

const listOfNumbers = /^\d{1,4}(?:\s?[,;–—-]\s?\d{1,4}){0,31}$/
/** Larger ranges cite only their two ends. */
const maxRange = 100
/** The longest list: 32 numbers of four digits with spaces. */
const maxListChars = 250

/** The numbers that a bracket lists: `1`, `1, 2`, `1–3`; empty for anything else. */
export function parseNumbers(content: string): readonly number[] {
  const code = content.charCodeAt(0)
  const isNumeric = code >= 48 && code <= 57 && content.length <= maxListChars
  if (!isNumeric) return []
  if (content.length === 1) return [code - 48]
  if (!listOfNumbers.test(content)) return []
  const numbers = new Set<number>()
  for (const [, first, dash, last] of content.matchAll(/(\d+)(?:\s?([–—-])\s?(\d+))?/g)) {
    const [from, to] = [Number(first), Number(last ?? first)]
    numbers.add(from)
    if (dash !== undefined && to - from <= maxRange)
      for (let n = from + 1; n < to; n++) numbers.add(n)
    numbers.add(to)
  }
  return [...numbers]
}

/** `[words](https://… "title")`. If the words already cite, the target is a separate citation. */
function readTarget(scan: Scan, bracket: Bracket): number | undefined {
  const { start, close, content, opening, isCiting, isImage } = bracket
  const target = readLinkTarget(scan.text, close + 1, scan.to)
  if (target === undefined) return undefined
  const { url, title, end } = target
  const named = title === undefined ? {} : { title }
  if (url === undefined) {
    // "[words]([1])" is not a link: the parentheses may contain citations.
    if (isCiting || scan.unknown > opening.unknown || scan.text.slice(close, end).includes('['))
      return undefined
    scan.tokens.length = opening.tokens
    return end
  }
  if (isCiting && !isOwnAddress(scan, bracket, url))
    return addToken(scan, { kind: 'url', start: close + 1, end, url, ...named })
  if (isCiting) scan.citations = opening.citations
  scan.tokens.length = opening.tokens
  if (isImage) return addToken(scan, { kind: 'image', start: start - 1, end, words: content })
  const words = isCiting ? {} : { words: content }
  return addToken(scan, { kind: 'link', start, end, url, ...words, ...named })
}

/** Whether the words are only the address they are linked to. */
function isOwnAddress(scan: Scan, { opening, start, close }: Bracket, url: string): boolean {
  const only = scan.tokens[opening.tokens]
  return (
    scan.tokens.length === opening.tokens + 1 &&
    only?.kind === 'url' &&
    only.start === start + 1 &&
    only.end === close &&
    canonicalUrl(only.url ?? '') === canonicalUrl(url)
  )
}

/** `[words][label]` and `[label][]`. If the words already cite, the label is read separately. */
function readLabel(scan: Scan, bracket: Bracket): number | undefined {
  const { close, content, opening } = bracket
  const labelClose = findLabelEnd(scan.text, close + 2, scan.to)
  if (labelClose === undefined || bracket.isCiting) return undefined
  const label = scan.text.slice(close + 2, labelClose)
  const named = label === '' && bracket.isPlain ? content : label
  const key = named === '' ? undefined : resolveLabel(scan.labels, named, bracket.isAttached)
  if (key === undefined) return undefined
  scan.tokens.length = opening.tokens
  return addToken(scan, toLink(bracket, labelClose + 1, key))
}

function resolveLabel(labels: Labels, label: string, isWithinWord: boolean): string | undefined {
  const key = labelKey(label)
  const number = parseLabelNumber(label)
  if (number === undefined) return labels.isName(key) ? key : undefined
  if (label.charCodeAt(0) === 33) return labels.isMark(number) ? key : undefined
  return !isWithinWord && labels.isNumber(number) ? key : undefined
}

/** `[name]` and `[^note]`. */
function readName(scan: Scan, bracket: Bracket): number {
  const { start, close, content } = bracket
  const isWithinWord = bracket.isAttached && content.charCodeAt(0) !== 94
  if (!bracket.isPlain || isWithinWord || content === '' || parseLabelNumber(content) !== undefined)
    return close + 1
  if (hasLabel(scan, close) && content.charCodeAt(0) !== 94) return close + 1
  const key = labelKey(content)
  if (!scan.labels.isName(key) || isTask(scan.text, start, content)) return close + 1
  scan.tokens.length = bracket.opening.tokens
  return addToken(scan, toLink(bracket, close + 1, key))
}

/** Whether a label follows, defined or not; then a name before it is not a name, as in Markdown. */
function hasLabel({ text, to }: Scan, close: number): boolean {
  if (text.charCodeAt(close + 1) !== 91 || close + 1 >= to) return false
  const end = findLabelEnd(text, close + 2, to)
  return end !== undefined && parseLabelNumber(text.slice(close + 2, end)) === undefined
}

function toLink({ start, content, isImage }: Bracket, end: number, key: string): Token {
  if (isImage) return { kind: 'image', start: start - 1, end, words: content, keys: [key] }
  return content.charCodeAt(0) === 94 && labelKey(content) === key
    ? { kind: 'name', start, end, keys: [key] }
    : { kind: 'link', start, end, words: content, keys: [key] }
}

/** `- [x] done`. */
function isTask(text: string, start: number, content: string): boolean {
  return (
    /^[xX ]$/.test(content) &&
    /[-*+.)] $/.test(text.slice(start - 2, start)) &&
    isSpaceAt(text, start + 3)
  )
}
