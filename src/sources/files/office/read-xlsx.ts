import { type Reader, refused, type Section } from '../../document.ts'
import { createXmlReader, findElement, findElements } from '../../xml.ts'
import {
  createTableText,
  newTableNotes,
  sayTableNotes,
  type TableText,
} from '../tables/table-text.ts'
import { cslOfOffice, readCoreProperties } from './core-properties.ts'
import { formatCode, type NumberFormats } from './number-format.ts'
import { eachPartOnce, linkOf, openPackage, type PackageParts } from './package-parts.ts'
import { type CellContext, readSharedStrings, rowsOfSheet } from './sheet-rows.ts'
import { createTimeCheck, timeUpNote } from './time-check.ts'
import { orUnreadable } from './unreadable-part.ts'

/** Time that a megabyte of a workbook may take, which is some 10 MB of XML. */
const MS_PER_MB = 2_000

/** Reads an Excel workbook: each sheet a section, each row a sentence with the names of its columns. */
export const readXlsx: Reader = (bytes, request, allowMs) =>
  orUnreadable(async () => {
    const limitMs = Math.max(request.timeoutMs, (bytes.length / 1_000_000) * MS_PER_MB)
    allowMs(limitMs)
    const isTimeUp = createTimeCheck(limitMs)
    const parts = await openPackage(bytes)
    const workbook = await readWorkbook(parts)
    const { text, sections, notes } = await readSheets(parts, workbook, isTimeUp)
    if (sections.length === 0) {
      const hint = 'Check that it was saved completely.'
      return refused({ reason: 'empty', detail: 'Its sheets are empty.', hint })
    }
    const properties = await readCoreProperties(parts)
    const title = properties.title ?? request.fallbackTitle
    const csl = cslOfOffice(request.contentHash, 'dataset', title, properties)
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
    const link = linkOf(sheet, links)
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
  const { once: sheets, notes: said } = eachPartOnce('sheets', workbook.sheets)
  const tableNotes = newTableNotes()
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
    const rows = rowsOfSheet((await parts.text(part)) ?? '', context)
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
    ...sayTableNotes(tableNotes),
  ]
  return { text: table.text(), sections, notes }
}

/** How often the clock is looked at. */
const ROWS_PER_LOOK = 1_000

/** Writes a sheet's rows below its name; how many, none of an empty sheet. */
function writeRows(
  table: TableText,
  name: string,
  rows: ReturnType<typeof rowsOfSheet>,
  isTimeUp: () => boolean,
): number | 'time_up' {
  let count = 0
  for (const { cells, number } of rows) {
    if (cells.size === 0) continue
    if (count++ === 0) table.start(`${name}\n\n`)
    const isLate = count % ROWS_PER_LOOK === 0 && isTimeUp()
    if (isLate || !table.add(cells, number)) {
      table.end()
      return isLate ? 'time_up' : count
    }
  }
  table.end()
  return count
}
