import { joinAtHyphen, type Vocabulary } from './hyphens.ts'
import type { PdfLine } from './lines.ts'

/**
 * What separates a line from the previous one: nothing (a drop cap and its word), a space (text continues), a line break
 * (the previous line ended early: a list, a table row, a heading), a blank line (a paragraph).
 */
export type Break = 'none' | 'flow' | 'line' | 'paragraph'

/** A page's lines as text, with the start of each line and what precedes it. */
export interface JoinedLines {
  readonly text: string
  readonly starts: readonly number[]
  readonly breaks: readonly Break[]
}

/** A row of the page: a line and the cells to its right. */
interface Row {
  readonly first: PdfLine
  readonly index: number
  /** Its longest cell, which determines the size. */
  main: PdfLine
  x1: number
  cells: number
}

/** A vertical gap this many times the usual one separates paragraphs. */
const paragraphGap = 1.28
/** Rows around a row that show where its column ends. */
const neighbourRows = 7
/** A hyphenated word, or an address, is shorter. */
const tailUnits = 80
const separators: Readonly<Record<Break, string>> = {
  none: '',
  flow: ' ',
  line: '\n',
  paragraph: '\n\n',
}

/** The text of lines, with continuing lines joined, broken words rejoined and paragraphs separated. */
export function joinLines(lines: readonly PdfLine[], vocabulary: Vocabulary): JoinedLines {
  const rows = groupRows(lines)
  const leadingEm = usualLeadingEm(rows)
  const rowBreaks = rows.map((row, index) => {
    const before = rows[index - 1]
    return before === undefined ? 'none' : breakBetween(rows, index, before, row, leadingEm)
  })
  const breakAt = new Map(rows.map((row, index) => [row.index, rowBreaks[index] as Break]))
  const breaks = lines.map((_, index): Break => breakAt.get(index) ?? 'flow')
  const starts: number[] = []
  let text = ''
  let tail = ''
  for (const [index, line] of lines.entries()) {
    const kind = breaks[index] as Break
    const join =
      kind === 'flow' || kind === 'line' ? joinAtHyphen(tail, line.text, vocabulary) : undefined
    if (join !== undefined) {
      text = text.slice(0, text.length - join.dropped)
      breaks[index] = 'none'
    }
    text += index === 0 || text === '' ? '' : join === undefined ? separators[kind] : join.separator
    starts.push(text.length)
    text += line.text
    tail = line.text.length < tailUnits ? text.slice(-tailUnits) : line.text.slice(-tailUnits)
  }
  return { text, starts, breaks }
}

function groupRows(lines: readonly PdfLine[]): Row[] {
  const rows: Row[] = []
  for (const [index, line] of lines.entries()) {
    const row = rows.at(-1)
    if (line.continuesRow && row !== undefined) {
      row.x1 = Math.max(row.x1, line.x1)
      row.cells++
      if (line.text.length > row.main.text.length) row.main = line
    } else rows.push({ first: line, index, main: line, x1: line.x1, cells: 1 })
  }
  return rows
}

function breakBetween(
  rows: readonly Row[],
  index: number,
  before: Row,
  row: Row,
  leadingEm: number,
): Break {
  const [one, other] = [before.main, row.main]
  const size = Math.max(one.size, other.size)
  const down = one.y - other.y
  if (one.tilted !== other.tilted) return 'paragraph'
  if (isDropCap(one, other)) return 'none'
  if (down < -0.5 * size || !overlaps(before, row))
    return continuesParagraph(one, other) ? 'flow' : 'paragraph'
  if (down < 0.5 * size) return 'flow'
  const isResized = Math.abs(one.size - other.size) > 0.12 * size
  if (isResized && hasWords(one) && hasWords(other)) return 'paragraph'
  if (down > paragraphGap * leadingEm * size) return 'paragraph'
  if (before.cells > 1 && row.cells > 1) return 'line'
  if (isIndented(rows, index)) return 'paragraph'
  return couldHaveFit(rows, index, leadingEm) ? 'line' : 'flow'
}

/** The usual distance of baselines on the page, in font sizes. */
function usualLeadingEm(rows: readonly Row[]): number {
  const distances: number[] = []
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1]
    if (before === undefined || !overlaps(before, row)) continue
    const distanceEm = (before.first.y - row.first.y) / Math.max(before.first.size, row.first.size)
    if (distanceEm > 0.8 && distanceEm < 3) distances.push(distanceEm)
  }
  distances.sort((one, other) => one - other)
  return distances[Math.floor(distances.length / 2)] ?? 1.2
}

function overlaps(one: Row, other: Row): boolean {
  return Math.min(one.x1, other.x1) > Math.max(one.first.x0, other.first.x0)
}

function hasWords({ text }: PdfLine): boolean {
  return /\p{L}{3}/u.test(text)
}

/** A sentence that continues at the top of the next column. */
function continuesParagraph(one: PdfLine, other: PdfLine): boolean {
  const isSameSize = Math.abs(one.size - other.size) < 0.05 * one.size
  return (
    isSameSize &&
    one.text.length > 15 &&
    !/[.!?:]["”’)]?$/.test(one.text) &&
    /^\p{Ll}{2}/u.test(other.text)
  )
}

/** A large initial and the word it begins. */
function isDropCap(one: PdfLine, other: PdfLine): boolean {
  const gap = other.x0 - one.x1
  const isLarge = one.size > 1.7 * other.size && other.y >= one.y - 0.2 * one.size
  return (
    isLarge &&
    /^\p{Lu}$/u.test(one.text) &&
    /^\p{L}/u.test(other.text) &&
    Math.abs(gap) < other.size
  )
}

/** Whether a row is the indented first line of a paragraph: the rows before and after start left of it. */
function isIndented(rows: readonly Row[], index: number): boolean {
  const [before, row, after] = [rows[index - 1], rows[index], rows[index + 1]]
  if (before === undefined || row === undefined || after === undefined) return false
  const em = row.first.size
  const indent = row.first.x0 - after.first.x0
  const isNext = after.first.y < row.first.y && Math.abs(after.first.size - em) < 0.1 * em
  return isNext && indent > 0.8 * em && indent < 4 * em && row.first.x0 - before.first.x0 > 0.8 * em
}

/** Whether a row's first word would have fit on the previous row, so that the break is intended. */
function couldHaveFit(rows: readonly Row[], index: number, leadingEm: number): boolean {
  const [before, row] = [rows[index - 1] as Row, rows[index] as Row]
  const word = /^\S+/.exec(row.first.text)?.[0] ?? ''
  const { x0, x1, text, size } = row.first
  const wordWidth = ((x1 - x0) * word.length) / text.length
  return before.x1 + 0.25 * size + wordWidth < findColumnEnd(rows, index - 1, leadingEm)
}

/** The right edge of a row's column: as far as similar rows right above and below reach. */
function findColumnEnd(rows: readonly Row[], index: number, leadingEm: number): number {
  const row = rows[index] as Row
  const em = row.main.size
  let end = row.x1
  for (const direction of [-1, 1]) {
    let last = row
    for (let step = 1; step <= neighbourRows; step++) {
      const near = rows[index + direction * step]
      if (near === undefined || !overlaps(row, near)) break
      const down = direction * (last.main.y - near.main.y)
      if (down < 0 || down > paragraphGap * leadingEm * em) break
      const isAlike = Math.abs(near.main.size - em) < 0.1 * em
      if (isAlike && Math.abs(near.first.x0 - row.first.x0) < 3 * em) end = Math.max(end, near.x1)
      last = near
    }
  }
  return end
}
