import { maxTextUnits } from '../../document.ts'

/** A row's cells by column index; empty ones may be missing. */
export type Row = ReadonlyMap<number, string>

/** Writes tables as lines that can be read on their own: "City: Paris; Inhabitants: 2,103,000." */
export interface TableText {
  /** Starts a table with an introduction. If `names` of its columns are given, no row is taken for a header. */
  start(lead: string, names?: Row): void
  /** Adds the next row; `number` is its displayed number. `false` once the text is full. */
  add(row: Row, number: number): boolean
  /** Ends the table; its first rows may have been held back to find the header. */
  end(): void
  /** The text so far. */
  text(): string
  length(): number
}

/** What a table's reader should report. */
export interface TableNotes {
  /** Rows with cells where the header has none. */
  readonly ragged: { count: number; firstNumber: number }
  /** Number of cells that were cut. */
  cutCells: number
  /** Whether rows are missing because the text reached its limit. */
  isFull: boolean
}

/** Maximum length of a cell, as in spreadsheets. */
const maxCellUnits = 32_767
/** Rows searched for a table's header. */
const headerWithinRows = 8
/** A longer cell is not a column name. */
const maxNameUnits = 80

interface NumberedRow {
  readonly cells: Row
  readonly number: number
}

/** Creates a writer of tables into one text. */
export function createTableText(notes: TableNotes): TableText {
  const pieces: string[] = []
  let lengthUnits = 0
  let held: NumberedRow[] | undefined = []
  let names: Row | undefined
  const write = (piece: string): void => {
    pieces.push(piece)
    lengthUnits += piece.length
  }
  const writeRow = ({ cells, number }: NumberedRow): void => {
    const line = formatRow(cells, names)
    if (line === '') return
    if (names !== undefined && [...cells.keys()].some((column) => !names?.has(column))) {
      if (notes.ragged.count++ === 0) notes.ragged.firstNumber = number
    }
    write(`${line}\n\n`)
  }
  const release = (): void => {
    const rows = held ?? []
    held = undefined
    const header = findHeader(rows.map(({ cells }) => cells))
    for (const [index, row] of rows.entries()) {
      if (index === header) names = row.cells
      else writeRow(row)
    }
  }
  return {
    start(lead, given) {
      held = given === undefined ? [] : undefined
      names = given
      if (lead !== '') write(lead)
    },
    add(row, number) {
      if (notes.isFull) return false
      const cells = tidyCell(row, notes)
      if (cells.size === 0) return true
      if (lengthUnits > maxTextUnits) {
        notes.isFull = true
        return false
      }
      if (held === undefined) writeRow({ cells, number })
      else if (held.push({ cells, number }) === headerWithinRows) release()
      return true
    },
    end: () => {
      if (held !== undefined) release()
    },
    text: () => pieces.join('').trimEnd(),
    length: () => lengthUnits,
  }
}

/** Non-empty cells, each on one line and not too long. */
function tidyCell(row: Row, notes: TableNotes): Row {
  const cells = new Map<number, string>()
  for (const [column, written] of row) {
    const isLong = written.length > maxCellUnits
    if (isLong) notes.cutCells++
    const cell = (isLong ? written.slice(0, maxCellUnits).toWellFormed() : written)
      .replace(/\s+/g, ' ')
      .trim()
    if (cell !== '') cells.set(column, cell)
  }
  return cells
}

/**
 * Finds the header among a table's first rows: the first row with as many cells as most rows, each a different short
 * name and not a number. Rows before it are titles. `undefined` if there is none, or nothing follows it.
 */
export function findHeader(rows: readonly Row[]): number | undefined {
  const widest = Math.max(0, ...rows.map((row) => row.size))
  const index = rows.findIndex((row) => row.size >= 2 && row.size > 0.6 * widest)
  const row = rows[index]
  if (row === undefined || index === rows.length - 1) return undefined
  const cells = [...row.values()]
  const isNames =
    cells.every((cell) => cell.length <= maxNameUnits && /\p{L}/u.test(cell) && !isValue(cell)) &&
    new Set(cells.map((cell) => cell.toLowerCase())).size === cells.length
  return isNames ? index : undefined
}

/** Whether a cell is a number with or without unit, a date or an address rather than a name. */
export function isValue(cell: string): boolean {
  return (
    /^[^\p{L}]*\d[\d\s.,:%/+-]*(?:e[+-]?\d+)?\s*(?:\p{L}{1,3}|%)?$/iu.test(cell) ||
    /^\d{4}-\d\d-\d\d/.test(cell) ||
    /^(?:https?:\/\/|\S+@\S+\.\S+$)/.test(cell) ||
    /^(?:true|false|yes|no|null|n\/a)$/i.test(cell)
  )
}

/** A small table as text; its first rows are searched for a header. */
export function tableText(rows: readonly Row[]): string {
  const table = createTableText(createTableNotes())
  table.start('')
  for (const [index, row] of rows.entries()) table.add(row, index + 1)
  table.end()
  return table.text()
}

/** A row as a sentence, so that it is quoted as a whole. */
function formatRow(cells: Row, names: Row | undefined): string {
  const parts = [...cells].map(([column, cell]) => {
    if (names === undefined) return cell
    const name = names.get(column)
    return name === undefined ? cell : `${name.replace(/:$/, '')}: ${cell}`
  })
  const line = parts.join('; ')
  return line === '' || /[.!?…]$/.test(line) ? line : `${line}.`
}

/** Empty notes, to be filled while tables are written. */
export function createTableNotes(): TableNotes {
  return { ragged: { count: 0, firstNumber: 0 }, cutCells: 0, isFull: false }
}

/** The notes as lines. */
export function describeTableNotes({ ragged, cutCells, isFull }: TableNotes): string[] {
  const rows = ragged.count === 1 ? 'a row has' : `${ragged.count} rows have`
  return [
    ...(ragged.count > 0
      ? [`${rows} more cells than the header (the first: row ${ragged.firstNumber})`]
      : []),
    ...(cutCells > 0 ? [`cells cut after ${maxCellUnits} characters: ${cutCells}`] : []),
    ...(isFull
      ? [`only the first rows were read: the text is longer than ${maxTextUnits} characters`]
      : []),
  ]
}
