import { type FormatReader, refuse, type Section } from '../../document.ts'
import {
  createXmlReader,
  findElement,
  findElements,
  type ReadXml,
  textContent,
  type XmlElement,
} from '../../xml.ts'
import {
  createTableNotes,
  createTableText,
  describeTableNotes,
  type Row,
  type TableText,
} from '../tables/table-text.ts'
import { readCoreProperties, toCsl } from './core-properties.ts'
import { formatCode, formatNumber, type NumberFormats } from './number-format.ts'
import {
  catchUnreadable,
  createTimeCheck,
  findLink,
  forEachPartOnce,
  openPackage,
  type PackageParts,
  timeUpNote,
} from './package-parts.ts'

/** Time per megabyte of a workbook, about 10 MB of XML. */
const msPerMb = 2_000

/** Reads an Excel workbook: each sheet a section, each row a sentence with column names. */
export const readXlsx: FormatReader = (bytes, request, allowMs) =>
  catchUnreadable(async () => {
    const limitMs = Math.max(request.timeoutMs, (bytes.length / 1_000_000) * msPerMb)
    allowMs(limitMs)
    const isTimeUp = createTimeCheck(limitMs)
    const parts = await openPackage(bytes)
    const workbook = await readWorkbook(parts)
    const { text, sections, notes } = await readSheets(parts, workbook, isTimeUp)
    if (sections.length === 0) {
      const hint = 'Check that it was saved completely.'
      return refuse({ reason: 'empty', detail: 'Its sheets are empty.', hint })
    }
    const properties = await readCoreProperties(parts)
    const title = properties.title ?? request.fallbackTitle
    const csl = toCsl(request.contentHash, 'dataset', title, properties)
    return { ok: true, content: { title, text, pages: [], sections, csl, notes } }
  })

interface Workbook {
  readonly sheets: readonly {
    readonly name: string
    readonly part: string
    readonly isHidden: boolean
  }[]
  readonly cells: Omit<CellContext, 'onMissingText'>
}

async function readWorkbook(parts: PackageParts): Promise<Workbook> {
  const root = await parts.relationships('')
  const name = root.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  const links = await parts.relationships(name)
  const target = (type: string) => links.find((link) => link.type === type)?.target ?? ''
  const workbook = await parts.xml(name)
  const sheets = findElements(workbook, 'sheet').flatMap((sheet) => {
    const { attributes } = sheet
    const link = findLink(sheet, links)
    if (link?.target === undefined || link.type !== 'worksheet') return []
    const isHidden = attributes.state !== undefined && attributes.state !== 'visible'
    return [{ name: attributes.name ?? '', part: link.target, isHidden }]
  })
  const is1904 = findElement(workbook, 'workbookPr')?.attributes.date1904 ?? '0'
  const readXml = await createXmlReader()
  const strings = (await parts.text(target('sharedStrings'))) ?? ''
  const formats = await readFormats(parts, target('styles'), /^(?:1|true|on)$/.test(is1904))
  return { sheets, cells: { readXml, sharedStrings: readSharedStrings(strings, readXml), formats } }
}

async function readFormats(
  parts: PackageParts,
  name: string,
  is1904: boolean,
): Promise<NumberFormats> {
  const styles = await parts.xml(name)
  const defined = new Map(
    findElements(styles, 'numFmt').map(({ attributes }) => [
      attributes.numFmtId ?? '',
      attributes.formatCode ?? 'General',
    ]),
  )
  const cellStyles = findElements(findElement(styles, 'cellXfs')?.children ?? [], 'xf')
  const codes = cellStyles.map(({ attributes }) => formatCode(attributes.numFmtId ?? '0', defined))
  return { is1904, codeOf: (style) => codes[Number(style ?? 0)] ?? 'General' }
}

async function readSheets(parts: PackageParts, workbook: Workbook, isTimeUp: () => boolean) {
  const { once: sheets, notes: said } = forEachPartOnce('sheets', workbook.sheets)
  const tableNotes = createTableNotes()
  const table = createTableText(tableNotes)
  const sections: Section[] = []
  const empty: string[] = []
  let isCut = false
  let missingTexts = 0
  const onMissingText = () => {
    missingTexts++
  }
  const context = { ...workbook.cells, onMissingText }
  for (const { name: named, part, isHidden } of sheets) {
    if (tableNotes.isFull || isCut) break
    const start = table.length()
    const name = isHidden ? `${named} (hidden sheet)` : named
    const rows = readRows((await parts.text(part)) ?? '', context)
    const rowCount = writeRows(table, name, rows, isTimeUp)
    isCut = rowCount === 'time_up'
    if (rowCount === 0) empty.push(named)
    else sections.push({ title: name, level: 1, start })
  }
  const hidden = sheets.filter(({ isHidden }) => isHidden).map(({ name }) => name)
  const notes = [
    ...said,
    ...(empty.length > 0 ? [`empty sheets: ${empty.join(', ')}`] : []),
    ...(hidden.length > 0 ? [`hidden sheets were read as well: ${hidden.join(', ')}`] : []),
    ...(missingTexts > 0 ? [`cells whose text is missing from the file: ${missingTexts}`] : []),
    ...(isCut ? [timeUpNote('the first rows were')] : []),
    ...describeTableNotes(tableNotes),
  ]
  return { text: table.text(), sections, notes }
}

/** Rows between two checks of the clock. */
const rowsPerLook = 1_000

/** Writes a sheet's rows; returns how many. */
function writeRows(
  table: TableText,
  name: string,
  rows: ReturnType<typeof readRows>,
  isTimeUp: () => boolean,
): number | 'time_up' {
  let count = 0
  for (const { cells, number } of rows) {
    if (cells.size === 0) continue
    if (count++ === 0) table.start(`${name}\n\n`)
    const isLate = count % rowsPerLook === 0 && isTimeUp()
    if (isLate || !table.add(cells, number)) {
      table.end()
      return isLate ? 'time_up' : count
    }
  }
  table.end()
  return count
}

/** Characters parsed at once, so that a large sheet is never in memory as one tree. */
const pieceUnits = 32_000

/** What is needed to read the cells of a workbook. */
interface CellContext {
  readonly readXml: ReadXml
  readonly sharedStrings: readonly string[]
  readonly formats: NumberFormats
  /** Called for a cell whose text is missing from the workbook. */
  readonly onMissingText: () => void
}

/**
 * The rows of a sheet in order, with their displayed numbers.
 * @throws if it is not XML
 */
function* readRows(
  xml: string,
  context: CellContext,
): Iterable<{ readonly number: number; readonly cells: Row }> {
  let number = 0
  for (const piece of splitPieces(xml, 'sheetData', 'row')) {
    for (const row of findElements(context.readXml(piece), 'row')) {
      const written = Number(row.attributes.r)
      number = Number.isSafeInteger(written) && written > 0 ? written : number + 1
      yield { number, cells: readCells(row, context) }
    }
  }
}

/**
 * The shared strings that cells refer to by index.
 * @throws if it is not XML
 */
function readSharedStrings(xml: string, readXml: ReadXml): readonly string[] {
  const strings: string[] = []
  for (const piece of splitPieces(xml, 'sst', 'si')) {
    for (const item of findElements(readXml(piece), 'si')) strings.push(readRuns(item))
  }
  return strings
}

/** The `item` elements of the first `list` element, in pieces of whole items. */
function* splitPieces(xml: string, list: string, item: string): Iterable<string> {
  const open = new RegExp(`<((?:[\\w.-]+:)?)${list}(?:\\s[^>]*)?>`).exec(xml)
  if (open === null || open[0].endsWith('/>')) return
  const [whole, prefix = ''] = open
  const start = open.index + whole.length
  const close = xml.lastIndexOf(`</${prefix}${list}>`)
  const end = close < start ? xml.length : close
  const mark = `</${prefix}${item}>`
  let from = start
  while (from < end) {
    const found = xml.indexOf(mark, from + pieceUnits)
    const to = found < 0 || found >= end ? end : found + mark.length
    yield xml.slice(from, to)
    from = to
  }
}

function readCells(row: XmlElement, context: CellContext): Row {
  const cells = new Map<number, string>()
  let column = -1
  for (const cell of findElements(row.children, 'c')) {
    column = columnIndex(cell.attributes.r) ?? column + 1
    const text = formatCell(cell, context)
    if (text !== '') cells.set(column, text)
  }
  return new Map([...cells].sort(([one], [other]) => one - other))
}

/** The column index of a reference: "C7" is 2. */
function columnIndex(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

function formatCell(cell: XmlElement, context: CellContext): string {
  const { t: type, s: style } = cell.attributes
  if (type === 'inlineStr') return readRuns(findElement(cell.children, 'is'))
  const value = textContent(findElement(cell.children, 'v'))
  if (value.trim() === '') return ''
  switch (type) {
    case 's':
      return readSharedString(value.trim(), context)
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

function readSharedString(place: string, { sharedStrings, onMissingText }: CellContext): string {
  const text = /^\d+$/.test(place) ? sharedStrings[Number(place)] : undefined
  if (text === undefined) onMissingText()
  return text ?? ''
}

/** The text of runs, without phonetic readings of East Asian words. */
function readRuns(item: XmlElement | undefined): string {
  const parts = (item?.children ?? []).filter(
    (child) => typeof child === 'string' || child.name !== 'rPh',
  )
  return findElements(parts, 't').map(textContent).join('')
}
