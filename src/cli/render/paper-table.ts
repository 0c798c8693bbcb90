import type { PapersAnswer } from '../../app.ts'
import { displayId } from '../../bibliography/identifiers.ts'
import { countColumns, cut, oneLine, pad } from './text.ts'

type Entry = PapersAnswer['papers'][number]

const mostTitleColumns = 60
const fewestTitleColumns = 20
const mostAuthors = 3

const header = ['', 'TITLE', 'AUTHORS', 'DATE', 'ID', 'STATUS', 'CONFIDENCE'] as const

/** The papers as a table, and below it why some are not used. A narrow terminal gets a list. */
export function paperTable(
  { papers }: Pick<PapersAnswer, 'papers'>,
  columns: number | undefined,
): readonly string[] {
  const rows = papers.map(toRow)
  const whole = fitted(rows, columns)
  const lines = whole ?? papers.flatMap((paper, index) => listed(paper, rows[index] ?? [], columns))
  return [...lines, ...papers.flatMap(reasonLine)]
}

function toRow(paper: Entry): readonly string[] {
  const { n, title, published, status } = paper
  return [
    n === undefined ? '' : `[${n}]`,
    cut(oneLine(title), mostTitleColumns),
    authorsText(paper),
    published.slice(0, 10),
    shortId(displayId(paper)),
    status,
    confidenceText(paper),
  ]
}

/** A failed analysis has no confidence. */
function confidenceText({ status, confidence }: Pick<Entry, 'status' | 'confidence'>): string {
  return confidence === undefined || status === 'failed' ? '' : confidence.toFixed(2)
}

/** At most three names, such as `Ashish Vaswani, Noam Shazeer, Niki Parmar …`. */
function authorsText({ authors }: Entry): string {
  const named = authors.slice(0, mostAuthors).map(oneLine).join(', ')
  return cut(authors.length > mostAuthors ? `${named} …` : named, 40)
}

/** Too many digits for a screen tell people nothing. */
function shortId(id: string): string {
  return cut(oneLine(id.replace(/^file:(.{8}).*$/s, 'file:$1')), 32)
}

/** Fits the rows into columns: titles are cut first, then names. `undefined` if there is no room. */
function fitted(
  rows: readonly (readonly string[])[],
  columns: number | undefined,
): readonly string[] | undefined {
  const all = [header, ...rows]
  const widths = header.map((_, at) => Math.max(...all.map((row) => countColumns(row[at] ?? ''))))
  const total = widths.reduce((sum, width) => sum + width + 2, -2)
  const over = columns === undefined ? 0 : Math.max(0, total - columns)
  const [title = 0, authors = 0] = [widths[1], widths[2]]
  const fromAuthors = Math.min(over, Math.max(0, authors - 12))
  const fromTitle = over - fromAuthors
  if (title - fromTitle < Math.min(title, fewestTitleColumns)) return undefined
  widths[1] = title - fromTitle
  widths[2] = authors - fromAuthors
  return all.map((row) =>
    row
      .map((cell, at) => pad(cut(cell, widths[at] ?? 0), widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function listed(
  paper: Entry,
  [, title = '', authors = '', date = '', id = '']: readonly string[],
  columns: number | undefined,
): readonly string[] {
  const { n, status } = paper
  const room = columns ?? Number.POSITIVE_INFINITY
  const facts = [authors, date, id, status, confidenceText(paper)].filter((one) => one !== '')
  return [
    cut(`${n === undefined ? '-' : `[${n}]`} ${title}`, room),
    cut(`    ${facts.join(' · ')}`, room),
  ]
}

function reasonLine({ title, status, reason }: Entry): readonly string[] {
  if (reason === undefined || status === 'kept') return []
  return [`  ${status}: “${cut(oneLine(title), mostTitleColumns)}” ${oneLine(reason)}`]
}
