import {
  createTableNotes,
  createTableText,
  findHeader,
  isValue,
  type Row,
} from '../tables/table-text.ts'
import type { DomElement } from './dom.ts'

/** A cell with more text than this, in characters, is a part of a page's layout. */
const maxCellChars = 600
/** Rows in which a table without marks must show that its first row names what stands below it. */
const minRowsBelow = 2

/**
 * A table's rows as sentences with the names of their columns, or `undefined` for one that only lays out a page: one with
 * a table in it, or with a single column, or with long texts; for one as well that would swell beyond what is read.
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

/** A row of one cell across several columns is a title of those below. */
function isTitle({ cellCount, cells, columnCount }: GridRow): boolean {
  return cellCount === 1 && cells.size === 1 && columnCount > 1
}

/** Where the first cell alone is marked as a name, what stands beside it is said of it. */
function withRowName({ cells, isName }: GridRow): Row {
  const [[column, name] = [0, ''], ...others] = cells
  if (!isName.has(column) || others.length === 0 || others.some(([at]) => isName.has(at)))
    return cells
  const values = others.map(([, text]) => text).join('; ')
  return new Map([[column, `${name.replace(/:$/, '')}: ${values}`]])
}

/** The rows that name the columns: from `first` up to `end`, which are the same where none does. */
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

/** Whether in some column only numbers and the like stand below the first row's word. */
function hasValues({ cells }: GridRow, below: readonly GridRow[]): boolean {
  return [...cells.keys()].some((column) => {
    const values = below.flatMap((row) => row.cells.get(column) ?? [])
    return values.length >= minRowsBelow && values.every(isValue)
  })
}

/** What the rows of a header say of each column, from the top: "2024", "2024 Sales". */
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

/** A row of a table with each cell in the column in which it is seen. */
interface GridRow {
  /** The cells that hold something. One across several columns is in the first of them; one across several rows in each row. */
  readonly cells: Row
  /** As {@link GridRow.cells}, with a cell across several columns in each of them. */
  readonly spread: Row
  /** The columns whose cells are marked as names (`th`). */
  readonly isName: ReadonlySet<number>
  /** How many cells it has, empty ones too. */
  readonly cellCount: number
  /** How many columns they take. */
  readonly columnCount: number
  /** Whether it stands in the table's head. */
  readonly isInHead: boolean
  /** Whether all its words are bold. */
  readonly isBold: boolean
}

/** A table with more columns lays something out; the limit keeps spans from swelling it. */
const maxColumns = 1_000
/** Cells that spans may add to a table. */
const maxAddedCells = 100_000

interface Cell {
  readonly text: string
  readonly isName: boolean
  /** How many rows it still reaches below the one that is read. */
  rowsLeft: number
  /** The first column that it takes. */
  readonly column: number
}

/**
 * The rows of a table that hold something, or `undefined` for one that spans swell.
 *
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

/** A span as it is written; 0, which means all rows that follow, and what is no number count as 1. */
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
