import { splitGraphemes } from '../render/graphemes.ts'
import { countColumns } from '../render/text.ts'
import type { Edited } from './edit-text.ts'

/** A row of the screen with a part of the edited text. */
export interface EditorRow {
  /** The drawn text: tabs are spaces. */
  readonly text: string
  /** The range of offsets in the text. */
  readonly from: number
  readonly to: number
  /** Whether the line continues in the next row. */
  readonly isBroken: boolean
}

/** The rows of the edited text, and the cursor's position in them. */
export interface EditorLayout {
  readonly rows: readonly EditorRow[]
  readonly row: number
  readonly column: number
}

const tabColumns = 2

/** Lays out the edited text in rows of at most `columns`. */
export function layoutEditor({ text, cursor }: Edited, columns: number): EditorLayout {
  const rows: EditorRow[] = []
  let from = 0
  for (const line of text.split('\n')) {
    rows.push(...layoutRows(line, { from, cursor, columns: Math.max(2, columns) }))
    from += line.length + 1
  }
  const row = rowAt(rows, cursor)
  const { from: start, to } = rows[row] as EditorRow
  const column = columnsBefore(text.slice(start, Math.min(cursor, to)))
  return { rows, row, column }
}

/** The row of an offset: at a wrap, the one after it. */
function rowAt(rows: readonly EditorRow[], cursor: number): number {
  const found = rows.findLastIndex(({ from }) => from <= cursor)
  return Math.max(0, found)
}

function layoutRows(
  line: string,
  { from, cursor, columns }: { from: number; cursor: number; columns: number },
): readonly EditorRow[] {
  const rows: EditorRow[] = []
  let [text, start, used] = ['', from, 0]
  let at = from
  for (const { segment } of splitGraphemes(line)) {
    const drawn = drawnAs(segment)
    const width = countColumns(drawn)
    if (used + width > columns && text !== '') {
      rows.push({ text, from: start, to: at, isBroken: true })
      ;[text, start, used] = ['', at, 0]
    }
    text += drawn
    used += width
    at += segment.length
  }
  // After a full row, the cursor is in the next.
  const isFull = used >= columns && cursor === at
  rows.push({ text, from: start, to: at, isBroken: isFull })
  if (isFull) rows.push({ text: '', from: at, to: at, isBroken: false })
  return rows
}

/** A character as drawn; invisible and control characters are replaced by visible ones. */
function drawnAs(character: string): string {
  if (character === '\t') return ' '.repeat(tabColumns)
  return character.replaceAll(/[\p{Bidi_Control}\p{Cc}\p{Cs}]/gu, '\ufffd')
}

function columnsBefore(text: string): number {
  let columns = 0
  for (const { segment } of splitGraphemes(text)) columns += countColumns(drawnAs(segment))
  return columns
}

/**
 * The offset one row above or below the cursor, in the same column if possible; `undefined` beyond the first and last
 * row.
 */
export function moveRow(edited: Edited, step: -1 | 1, columns: number): number | undefined {
  const { rows, row, column } = layoutEditor(edited, columns)
  const target = rows[row + step]
  if (target === undefined) return undefined
  let [at, used] = [target.from, 0]
  for (const { segment } of splitGraphemes(edited.text.slice(target.from, target.to))) {
    const width = countColumns(drawnAs(segment))
    if (used + width > column) break
    used += width
    at += segment.length
  }
  // After the last character of a wrapped row, the cursor would be in the next.
  return at === target.to && target.isBroken && at > target.from ? lastIn(edited.text, target) : at
}

function lastIn(text: string, { from, to }: EditorRow): number {
  const all = [...splitGraphemes(text.slice(from, to))]
  return from + (all.at(-1)?.index ?? 0)
}
