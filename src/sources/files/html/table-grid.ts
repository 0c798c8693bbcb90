import type { Row } from '../tables/table-text.ts'
import type { DomElement } from './dom.ts'

/** A row of a table with each cell in the column in which it is seen. */
export interface GridRow {
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
const MAX_COLUMNS = 1_000
/** Cells that spans may add to a table. */
const MAX_ADDED_CELLS = 100_000

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
export function gridOf(
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
        rowsLeft: spanOf(child, 'rowspan') - 1,
        column,
      }
      const end = column + spanOf(child, 'colspan')
      if (end > MAX_COLUMNS) return undefined
      for (; column < end; column++) if (!taken.has(column)) taken.set(column, cell)
      addedCells += end - cell.column - 1
    }
    if (addedCells > MAX_ADDED_CELLS) return undefined
    reaching = taken
    const row = rowOf(element, taken)
    if (row.cells.size > 0) rows.push(row)
  }
  return rows
}

function rowOf(element: DomElement, taken: ReadonlyMap<number, Cell>): GridRow {
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
function spanOf(cell: DomElement, name: 'rowspan' | 'colspan'): number {
  const written = Number.parseInt(cell.getAttribute(name) ?? '1', 10)
  return written > 1 ? Math.min(written, name === 'colspan' ? MAX_COLUMNS : 65_534) : 1
}

function isBold(row: DomElement): boolean {
  const lengthOf = (element: DomElement) => (element.textContent ?? '').replace(/\s/g, '').length
  const bold = [...row.querySelectorAll('b,strong')].filter(
    (element) => element.parentNode?.closest('b,strong') == null,
  )
  const length = lengthOf(row)
  return length > 0 && bold.reduce((sum, element) => sum + lengthOf(element), 0) >= length
}
