import { displayId } from '../../bibliography/identifiers.ts'
import type { Evidence } from '../../citations/claim.ts'
import { printable } from '../../citations/markup/printable.ts'
import type { Finding, PaperEntry, PaperStance } from '../result.ts'
import {
  analysisParts,
  findStances,
  type ReportInput,
  type ReportPoint,
  reportPoints,
} from './report-facts.ts'
import { statusWords, verdictWords, yearOf } from './report-words.ts'

/**
 * The literature matrix: a row per paper, a column per point. It starts with a byte order mark, without which
 * spreadsheets misread UTF-8; every cell is quoted, and none can be a formula.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function papersMatrixCsv(input: ReportInput): string {
  const points = reportPoints(input)
  const heads = [
    ...['n', 'id', 'title', 'authors', 'year', 'status', 'confidence'],
    ...analysisParts.map(({ name }) => name.toLowerCase()),
    ...points.map(({ label, text }) => `${label}: ${text}`),
  ]
  const rows = input.papers.map((paper) => [
    ...paperCells(paper),
    ...findingCells(paper, input),
    ...points.map((point) => stanceCell(point, paper)),
  ])
  return `\ufeff${[heads, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')}`
}

function paperCells(paper: PaperEntry): readonly string[] {
  const { n, title, authors, status, confidence } = paper
  return [
    n === undefined ? '' : String(n),
    displayId(paper),
    title,
    authors.join('; '),
    yearOf(paper),
    statusWords[status].word,
    confidence === undefined ? '' : confidence.toFixed(2),
  ]
}

function findingCells(paper: PaperEntry, { analyses }: ReportInput): readonly string[] {
  const analysis = analyses.find(({ paperId }) => paperId === paper.id)
  return analysisParts.map(({ of }) =>
    analysis === undefined ? '' : of(analysis).map(findingText).join('\n'),
  )
}

function findingText({ text, verdict, evidence }: Finding): string {
  return `${spaced(text)} (${markText(verdict, evidence)})`
}

function stanceCell(point: ReportPoint, { id }: PaperEntry): string {
  return findStances(point, id)
    .map(({ stance }) => `${stance.stance} (${markText(stance.verdict, stance.evidence)})`)
    .join('\n')
}

/** `p. 4, supported`. */
function markText(verdict: PaperStance['verdict'], evidence: readonly Evidence[]): string {
  const pages = [...new Set(evidence.flatMap(({ page }) => page ?? []))].sort((a, b) => a - b)
  const place =
    pages.length === 0 ? '' : `${pages.length === 1 ? 'p.' : 'pp.'} ${pages.join(', ')}; `
  return `${place}${verdictWords[verdict].word}`
}

/** What a spreadsheet takes for the start of a formula, including full-width forms. */
const formula = /^[\s'"]*[=+\-@＝＋－＠]/

/** A quoted cell, with an apostrophe before a possible formula. */
function csvCell(value: string): string {
  const text = printable(value.toWellFormed()).replaceAll('\t', ' ').trim()
  return `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}

function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
