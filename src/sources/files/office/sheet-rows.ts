import { findElement, findElements, type ReadXml, textIn, type XmlElement } from '../../xml.ts'
import type { Row } from '../tables/table-text.ts'
import { formatNumber, type NumberFormats } from './number-format.ts'

/** A part of so many characters is parsed at once, so that a large sheet never stands in memory as a tree. */
const PIECE_UNITS = 32_000

/** What the cells of a workbook's sheets need to be read. */
export interface CellContext {
  readonly readXml: ReadXml
  readonly sharedStrings: readonly string[]
  readonly formats: NumberFormats
  /** Told of a cell whose text is not in the workbook. */
  readonly onMissingText: () => void
}

/** The rows of a sheet in order, each with the number that its program shows. @throws for what is no XML */
export function* rowsOfSheet(
  xml: string,
  context: CellContext,
): Iterable<{ readonly number: number; readonly cells: Row }> {
  let number = 0
  for (const piece of piecesOf(xml, 'sheetData', 'row')) {
    for (const row of findElements(context.readXml(piece), 'row')) {
      const written = Number(row.attributes.r)
      number = Number.isSafeInteger(written) && written > 0 ? written : number + 1
      yield { number, cells: cellsOf(row, context) }
    }
  }
}

/** The texts that cells refer to by their place. @throws for what is no XML */
export function readSharedStrings(xml: string, readXml: ReadXml): readonly string[] {
  const strings: string[] = []
  for (const piece of piecesOf(xml, 'sst', 'si')) {
    for (const item of findElements(readXml(piece), 'si')) strings.push(runsOf(item))
  }
  return strings
}

/** The elements `item` in the first element `list`, in pieces that end with a whole item. */
function* piecesOf(xml: string, list: string, item: string): Iterable<string> {
  const open = new RegExp(`<((?:[\\w.-]+:)?)${list}(?:\\s[^>]*)?>`).exec(xml)
  if (open === null || open[0].endsWith('/>')) return
  const [whole, prefix = ''] = open
  const start = open.index + whole.length
  const close = xml.lastIndexOf(`</${prefix}${list}>`)
  const end = close < start ? xml.length : close
  const mark = `</${prefix}${item}>`
  let from = start
  while (from < end) {
    const found = xml.indexOf(mark, from + PIECE_UNITS)
    const to = found < 0 || found >= end ? end : found + mark.length
    yield xml.slice(from, to)
    from = to
  }
}

function cellsOf(row: XmlElement, context: CellContext): Row {
  const cells = new Map<number, string>()
  let column = -1
  for (const cell of findElements(row.children, 'c')) {
    column = columnOf(cell.attributes.r) ?? column + 1
    const text = textOfCell(cell, context)
    if (text !== '') cells.set(column, text)
  }
  return new Map([...cells].sort(([one], [other]) => one - other))
}

/** The column of a reference, from 0: "C7" is 2. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

function textOfCell(cell: XmlElement, context: CellContext): string {
  const { t: type, s: style } = cell.attributes
  if (type === 'inlineStr') return runsOf(findElement(cell.children, 'is'))
  const value = textIn(findElement(cell.children, 'v'))
  if (value.trim() === '') return ''
  switch (type) {
    case 's':
      return sharedString(value.trim(), context)
    case 'str':
    case 'e':
      return value
    case 'd':
      return value.replace('T', ' ').replace(/ 00:00:00(?:\.0+)?Z?$/, '')
    case 'b':
      return { 0: 'FALSE', false: 'FALSE', 1: 'TRUE', true: 'TRUE' }[value.trim()] ?? value
    default: {
      const { formats } = context
      const number = Number(value)
      if (!Number.isFinite(number)) return value
      return formatNumber(number, formats.codeOf(style), formats.is1904)
    }
  }
}

function sharedString(place: string, { sharedStrings, onMissingText }: CellContext): string {
  const text = /^\d+$/.test(place) ? sharedStrings[Number(place)] : undefined
  if (text === undefined) onMissingText()
  return text ?? ''
}

/** The text of runs, without the readings that stand above East Asian words. */
function runsOf(item: XmlElement | undefined): string {
  const parts = (item?.children ?? []).filter(
    (child) => typeof child === 'string' || child.name !== 'rPh',
  )
  return findElements(parts, 't').map(textIn).join('')
}
