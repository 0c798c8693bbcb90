import { tableRule } from '../check/parse-claims.ts'

/**
 * Marks whose partners remain when a slice is removed: those that close something before it and those that open something
 * after it.
 */
export interface LeftMarks {
  readonly closing: string
  readonly opening: string
}

/** Replaces a slice of a text. */
export function replaceText(
  text: string,
  start: number,
  end: number,
  words: string,
  left: LeftMarks,
): string {
  return closeMarks(text.slice(0, start), left) + words + openMarks(text.slice(end), left)
}

/** Removes a slice of a text, including its line or list item if nothing else is on it. */
export function removeText(text: string, start: number, end: number, left: LeftMarks): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = findLineEnd(text, end)
  const before = text.slice(lineStart, start)
  const isFirst = marksOnly.test(before)
  if (isFirst && text.slice(end, lineEnd).trim() === '') {
    const head = closeMarks(text.slice(0, start), left)
    const tail = openMarks(text.slice(lineEnd + 1), left)
    return removeLine(head, before, tail, text)
  }
  const head = closeMarks(text.slice(0, start), left)
  const tail = openMarks(text.slice(end), left)
  if (isFirst) return head + tail.trimStart()
  if (text.slice(end, lineEnd).trim() === '') return head.trimEnd() + tail
  return head + tail.replace(/^[^\S\n]+/, '')
}

/** What may come before the first sentence of a line: quote and list marks, a checkbox, emphasis. */
const marksOnly = /^[\s>]*(?:(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)*[*_]*$/
const quoteMarks = /^(?:[^\S\n]{0,3}>[^\S\n]?)*/
const listMark = /^(?:[-*+•]|\d{1,9}[.)])\s/
const bullet = /^[-*+•]\s/
/** What starts a block and does not continue a paragraph. */
const blockStart = /^(?:[-*+•]\s|\d{1,9}[.)]\s|[|>]|#{1,6}\s|`{3}|~{3}|(?:[-*_]\s*){3,}$)/

function closeMarks(head: string, { closing }: LeftMarks): string {
  if (closing === '') return head
  const bare = head.trimEnd()
  return bare + closing + head.slice(bare.length)
}

function openMarks(tail: string, { opening }: LeftMarks): string {
  return opening === '' ? tail : tail.replace(/^[\s>]*/, (space) => space + opening)
}

/** Removes the rest of a line whose sentence is gone; `head` ends with the line's marks. */
function removeLine(head: string, marks: string, tail: string, text: string): string {
  const quote = quoteMarks.exec(marks)?.[0] ?? ''
  const next = withoutQuote(firstLine(tail), quote)
  if (/^\s*=+\s*$/.test(next)) return removeLine(head, marks, afterFirst(tail), text)
  // Indented this far it would not start a block after a line of text, and would be code on its own.
  const isFarIn = !listMark.test(marks.slice(quote.length).trimStart()) && measureIndent(next) > 3
  const goesOn = next.trim() !== '' && (isFarIn || !blockStart.test(next.trimStart()))
  if (goesOn) return head + next.trimStart() + tail.slice(firstLine(tail).length)
  const children = readChildren(marks.slice(quote.length), quote, tail)
  if (children !== undefined) return promoteChildren(head, marks, children)
  return removeLines(head.slice(0, head.length - marks.length), tail, text)
}

interface Children {
  /** The lines of a list item after its first, shifted to the column of its text. */
  readonly lines: readonly string[]
  /** The text after the item. */
  readonly rest: string
  readonly quote: string
}

/** The rest of a list item without its first line. */
function readChildren(marks: string, quote: string, tail: string): Children | undefined {
  if (!listMark.test(marks.trimStart())) return undefined
  const column = measureIndent(marks)
  const lines: string[] = []
  let from = 0
  for (; from < tail.length; from = findLineEnd(tail, from) + 1) {
    const line = withoutQuote(tail.slice(from, findLineEnd(tail, from)), quote)
    if (line.trim() !== '' && measureIndent(line) <= column) break
    lines.push(line)
  }
  while (lines.at(-1)?.trim() === '') lines.pop()
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1) return undefined
  const taken = findLinesEnd(tail, lines.length)
  const shift = Math.max(0, measureIndent(lines[first] ?? '') - marks.length)
  const shifted = lines.slice(first).map((line) => line.slice(Math.min(shift, measureIndent(line))))
  return { lines: shifted, rest: tail.slice(taken), quote }
}

/** Nested bullets replace the bullet they were under; other content follows the item's mark. */
function promoteChildren(head: string, marks: string, { lines, rest, quote }: Children): string {
  const own = marks.slice(quote.length)
  const [first = '', ...others] = lines
  const isList = bullet.test(own.trimStart()) && bullet.test(first.trimStart())
  if (isList && !listMark.test(own.trimStart().replace(bullet, '').trimStart())) {
    const back = measureIndent(first) - measureIndent(own)
    const outdented = lines.map((line) => quote + line.slice(Math.min(back, measureIndent(line))))
    return head.slice(0, head.length - marks.length) + outdented.join('\n') + rest
  }
  const behind = others.map((line) => (line.trim() === '' ? quote.trimEnd() : quote + line))
  return head + [first.trimStart(), ...behind].join('\n') + rest
}

/** Removes whole lines and the duplicate space between their neighbours. */
function removeLines(head: string, tail: string, text: string): string {
  const before = withoutEmptyTable(head, tail)
  if (tail.trim() === '')
    return before.trimEnd() + (text.endsWith('\n') && before !== '' ? '\n' : '')
  const isParted = before === '' || /\n[^\S\n]*\n$/.test(before)
  return before + (isParted ? tail.replace(/^(?:[^\S\n]*\n)+/, '') : tail)
}

/** The text before a removed row, without the header of a table that has no other row. */
function withoutEmptyTable(before: string, after: string): string {
  const lines = before.split('\n')
  const isRule = tableRule.test(lines.at(-2) ?? '')
  return isRule && !firstLine(after).includes('|')
    ? lines
        .slice(0, -3)
        .map((line) => `${line}\n`)
        .join('')
    : before
}

function withoutQuote(line: string, quote: string): string {
  return quote === '' ? line : line.replace(quoteMarks, '')
}

function measureIndent(line: string): number {
  return line.length - line.trimStart().length
}

function firstLine(text: string): string {
  return text.slice(0, findLineEnd(text, 0))
}

function afterFirst(text: string): string {
  return text.slice(findLineEnd(text, 0) + 1)
}

/** Where the last of the first `count` lines ends. */
function findLinesEnd(text: string, count: number): number {
  let end = -1
  for (let line = 0; line < count; line++) end = findLineEnd(text, end + 1)
  return Math.max(0, end)
}

function findLineEnd(text: string, from: number): number {
  const found = text.indexOf('\n', from)
  return found === -1 ? text.length : found
}
