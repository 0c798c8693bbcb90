import {
  createTableNotes,
  createTableText,
  findHeader,
  isValue,
  type Row,
} from '../tables/table-text.ts'
import type { DomElement } from './dom.ts'

/** A longer cell, in characters, is part of a layout. */
const maxCellChars = 600
/** Rows needed below the first to show that it names the columns, if the table has no header marks. */
const minRowsBelow = 2

/**
 * A table's rows as sentences with column names; `undefined` for a layout table (nested, single-column or with long
 * texts) and for one that would grow beyond the limits.
 */
export function tableSentences(
  table: DomElement,
  textOf: (cell: DomElement) => string,
): string | undefined {
  if (/^(?:presentation|none)$/.test(table.getAttribute('role') ?? '')) return undefined
  if (table.querySelector('table') !== null) return undefined
  const rows = buildGrid(table, textOf)
  if (rows === undefined || !rows.some(({ cellCount }) => cellCount > 1)) return undefined
  const isLong = (row: GridRow) =>
    [...row.cells.values()].some((text) => text.length > maxCellChars)
  return rows.some(isLong) ? undefined : toSentences(rows)
}

function toSentences(rows: readonly GridRow[]): string | undefined {
  const { first, end } = countHeaderRows(rows)
  const names = columnNames(rows.slice(first, end))
  const notes = createTableNotes()
  const table = createTableText(notes)
  table.start('', new Map())
  for (const [index, row] of rows.entries()) {
    if (index >= first && index < end) continue
    if (index === end) table.start('', names)
    if (isTitle(row)) {
      table.start('', new Map())
      table.add(row.cells, index + 1)
      table.start('', index < end ? new Map() : names)
    } else table.add(names.size === 0 ? withRowName(row) : row.cells, index + 1)
  }
  table.end()
  return notes.isFull ? undefined : table.text()
}

/** A row of one cell across several columns is a title for the rows below. */
function isTitle({ cellCount, cells, columnCount }: GridRow): boolean {
  return cellCount === 1 && cells.size === 1 && columnCount > 1
}

/** If only the first cell is a header, it names the row. */
function withRowName({ cells, isName }: GridRow): Row {
  const [[column, name] = [0, ''], ...others] = cells
  if (!isName.has(column) || others.length === 0 || others.some(([at]) => isName.has(at)))
    return cells
  const values = others.map(([, text]) => text).join('; ')
  return new Map([[column, `${name.replace(/:$/, '')}: ${values}`]])
}

/** The rows that name the columns: from `first` up to `end`; equal if there are none. */
function countHeaderRows(rows: readonly GridRow[]): { first: number; end: number } {
  const none = { first: 0, end: 0 }
  const first = rows.findIndex((row) => !isTitle(row))
  const isMarked = (row: GridRow | undefined) => row !== undefined && !isTitle(row) && isHeader(row)
  let end = first
  while (isMarked(rows[end])) end++
  if (end > first) return end < rows.length ? { first, end } : none
  if (rows.some(({ isName }) => isName.size > 0)) return none
  const found = findHeader(rows.map(({ cells }) => cells))
  const header = found === undefined ? undefined : rows[found]
  if (found === undefined || header === undefined) return none
  const below = rows.slice(found + 1)
  const isSeen = header.isBold ? !below.every(({ isBold }) => isBold) : hasValues(header, below)
  return isSeen ? { first: found, end: found + 1 } : none
}

function isHeader({ cells, isName, isInHead }: GridRow): boolean {
  return isInHead || [...cells.keys()].every((column) => isName.has(column))
}

/** Whether some column has only numbers and the like below a word in the first row. */
function hasValues({ cells }: GridRow, below: readonly GridRow[]): boolean {
  return [...cells.keys()].some((column) => {
    const values = below.flatMap((row) => row.cells.get(column) ?? [])
    return values.length >= minRowsBelow && values.every(isValue)
  })
}

/** The header text of each column, from the top: "2024", "2024 Sales". */
function columnNames(rows: readonly GridRow[]): Row {
  const names = new Map<number, string>()
  for (const { spread } of rows) {
    for (const [column, text] of spread) {
      const above = names.get(column)
      if (above === undefined) names.set(column, text)
      else if (!above.endsWith(text)) names.set(column, `${above} ${text}`)
    }
  }
  return names
}

/** A row of a table, with each cell in the column where it is displayed. */
interface GridRow {
  /** The non-empty cells. A cell across several columns is in the first of them; one across several rows is in each row. */
  readonly cells: Row
  /** Like {@link GridRow.cells}, with a cell across several columns in each of them. */
  readonly spread: Row
  /** The columns whose cells are headers (`th`). */
  readonly isName: ReadonlySet<number>
  /** Number of cells, including empty ones. */
  readonly cellCount: number
  /** Number of columns they span. */
  readonly columnCount: number
  /** Whether it is in the table's head. */
  readonly isInHead: boolean
  /** Whether all its words are bold. */
  readonly isBold: boolean
}

/** A table with more columns is a layout; also limits the effect of spans. */
const maxColumns = 1_000
/** Maximum number of cells added by spans. */
const maxAddedCells = 100_000

interface Cell {
  readonly text: string
  readonly isName: boolean
  /** How many more rows it extends to. */
  rowsLeft: number
  /** Its first column. */
  readonly column: number
}

/**
 * The non-empty rows of a table; `undefined` if spans make it too large.
 * @see https://html.spec.whatwg.org/multipage/tables.html#forming-a-table
 */
function buildGrid(
  table: DomElement,
  textOf: (cell: DomElement) => string,
): readonly GridRow[] | undefined {
  const rows: GridRow[] = []
  let reaching = new Map<number, Cell>()
  let addedCells = 0
  for (const element of table.querySelectorAll('tr')) {
    const taken = new Map([...reaching].filter(([, cell]) => cell.rowsLeft > 0))
    for (const cell of new Set(taken.values())) cell.rowsLeft--
    addedCells += taken.size
    let column = 0
    for (const child of element.children) {
      if (child.localName !== 'td' && child.localName !== 'th') continue
      while (taken.has(column)) column++
      const cell: Cell = {
        text: textOf(child),
        isName: child.localName === 'th',
        rowsLeft: readSpan(child, 'rowspan') - 1,
        column,
      }
      const end = column + readSpan(child, 'colspan')
      if (end > maxColumns) return undefined
      for (; column < end; column++) if (!taken.has(column)) taken.set(column, cell)
      addedCells += end - cell.column - 1
    }
    if (addedCells > maxAddedCells) return undefined
    reaching = taken
    const row = buildRow(element, taken)
    if (row.cells.size > 0) rows.push(row)
  }
  return rows
}

function buildRow(element: DomElement, taken: ReadonlyMap<number, Cell>): GridRow {
  const filled = [...taken]
    .filter(([, { text }]) => text !== '')
    .sort(([one], [other]) => one - other)
  const own = filled.filter(([column, cell]) => column === cell.column)
  return {
    cells: new Map(own.map(([column, { text }]) => [column, text])),
    spread: new Map(filled.map(([column, { text }]) => [column, text])),
    isName: new Set(own.flatMap(([column, { isName }]) => (isName ? [column] : []))),
    cellCount: new Set(taken.values()).size,
    columnCount: taken.size,
    isInHead: element.parentNode?.localName === 'thead',
    isBold: isBold(element),
  }
}

/** A span as written; 0 (all remaining rows) and invalid values count as 1. */
function readSpan(cell: DomElement, name: 'rowspan' | 'colspan'): number {
  const written = Number.parseInt(cell.getAttribute(name) ?? '1', 10)
  return written > 1 ? Math.min(written, name === 'colspan' ? maxColumns : 65_534) : 1
}

function isBold(row: DomElement): boolean {
  const lengthOf = (element: DomElement) => (element.textContent ?? '').replace(/\s/g, '').length
  const bold = [...row.querySelectorAll('b,strong')].filter(
    (element) => element.parentNode?.closest('b,strong') == null,
  )
  const length = lengthOf(row)
  return length > 0 && bold.reduce((sum, element) => sum + lengthOf(element), 0) >= length
}
