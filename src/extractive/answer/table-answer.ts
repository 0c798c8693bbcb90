import { citeSentence, findCitations, withoutCitations } from '../language/cited-text.ts'
import { isEmptyWord, relatedStems } from '../language/word-families.ts'
import { readWords, toStem } from '../language/words.ts'
import type { Calculation } from '../question/calculation.ts'
import { readTerms, type Term } from '../question/question.ts'
import type { ToolOutcome } from '../role-request.ts'
import type { Evidence } from './evidence.ts'

/** What a question asks of a table's rows. */
export interface TableQuestion {
  /** `cell`: a cell of a row; `list`: rows; `extreme`: the row with the highest or lowest value; the others are calculated. */
  readonly asks: 'cell' | 'list' | 'extreme' | 'sum' | 'mean' | 'count'
  /** The column that is asked for. */
  readonly column: string
  /** The column that names a row: the one that the question asks for as well as the figures, otherwise the first. */
  readonly label: string
  /** The rows that the answer is based on. */
  readonly rows: readonly TableRow[]
}

/** Words that say what to do with a column. */
const operations = {
  largest:
    /\b(?:highest|largest|biggest|greatest|most|maximum|longest|tallest|widest|deepest|fastest|latest|newest|heaviest|expensive)\b/i,
  smallest:
    /\b(?:lowest|smallest|least|fewest|minimum|shortest|earliest|oldest|lightest|narrowest|slowest|cheapest|cheap)\b/i,
  sum: /\b(?:total|sum|altogether|combined|overall)\b/i,
  mean: /\b(?:average|mean)\b/i,
} as const
const generic =
  /^(?:rows?|table|list|entr(?:y|ies)|records?|all|values?|columns?|number|items?|many|much|value|file|sheet|which|there)$/i
/** Words for a measure that differ from the column's name. */
const measures: readonly (readonly [RegExp, column: string])[] = [
  [/\b(?:cheap(?:est)?|expensive|cost(?:s|ly)?)\b/i, 'price'],
  [/\b(?:tall(?:est)?|high)\b/i, 'height'],
  [/\blong(?:est)?\b/i, 'length'],
  [/\b(?:wid|narrow)(?:e|est)?\b/i, 'width'],
  [/\bdeep(?:est)?\b/i, 'depth'],
  [/\bheav(?:y|iest)\b/i, 'weight'],
  [/\b(?:fast|slow)(?:est)?\b/i, 'speed'],
]

/**
 * What a question asks of the rows of one table; `undefined` if it names something that is neither a column
 * nor a cell. If {@link needsAllRows}, the caller must make sure that `rows` is the whole table.
 */
export function readTableQuestion(
  question: string,
  rows: readonly TableRow[],
): TableQuestion | undefined {
  const columns = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))]
  const terms = readTerms(question, new Set()).filter(({ text }) => !generic.test(text))
  if (rows.length === 0 || terms.length === 0) return undefined
  const filters = findFilters(terms, rows)
  const named = columns.filter((column) => isNamed(column, terms) || isMeasured(question, column))
  const isAccounted = (term: Term) =>
    Object.values(operations).some((pattern) => pattern.test(term.text)) ||
    columns.some((column) => isMeasured(term.text, column)) ||
    filters.some(({ value }) => readWordStems(value).has(term.stem)) ||
    named.some((column) => [...readWordStems(column)].some((stem) => term.related.has(stem)))
  if (!terms.every(isAccounted)) return undefined
  const matching = rows.filter(({ cells }) =>
    filters.every(({ column, value }) => cells.get(column) === value),
  )
  const free = named.filter((column) => !filters.some((filter) => filter.column === column))
  return matching.length === 0
    ? undefined
    : toTableQuestion(question, columns, free, filters, matching)
}

/** Whether the answer is right only if no row of the table is missing. */
export function needsAllRows({ asks }: TableQuestion): boolean {
  return asks !== 'cell'
}

interface Filter {
  readonly column: string
  readonly value: string
}

function toTableQuestion(
  question: string,
  columns: readonly string[],
  named: readonly string[],
  filters: readonly Filter[],
  rows: readonly TableRow[],
): TableQuestion | undefined {
  const figures = named.find((column) =>
    rows.every(({ cells }) => parseCellNumber(cells.get(column) ?? '') !== undefined),
  )
  const [first = ''] = columns
  const { largest, smallest, sum, mean } = operations
  if (mean.test(question) || sum.test(question)) {
    return figures === undefined
      ? undefined
      : { asks: mean.test(question) ? 'mean' : 'sum', column: figures, label: first, rows }
  }
  if (largest.test(question) || smallest.test(question)) {
    return figures === undefined
      ? undefined
      : findExtreme(
          rows,
          figures,
          firstNamed(question, named, figures) ?? first,
          largest.test(question),
        )
  }
  const others = named.filter((column) => column !== first)
  if (/^how many\b/i.test(question) && others.length === 0)
    return { asks: 'count', column: first, label: first, rows }
  const [column] = others.length > 0 ? others : named
  if (
    filters.length === 0 ||
    (column === undefined && !/^(?:which|what|list|who)\b/i.test(question))
  )
    return undefined
  if (column === undefined || column === first)
    return { asks: 'list', column: first, label: first, rows }
  return rows.length <= maxCells ? { asks: 'cell', column, label: first, rows } : undefined
}

const maxCells = 3

function findExtreme(
  rows: readonly TableRow[],
  column: string,
  label: string,
  isLargest: boolean,
): TableQuestion {
  const figureOf = ({ cells }: TableRow) => Number(parseCellNumber(cells.get(column) ?? ''))
  const values = rows.map(figureOf)
  const best = isLargest ? Math.max(...values) : Math.min(...values)
  return { asks: 'extreme', column, label, rows: rows.filter((row) => figureOf(row) === best) }
}

/** Of the columns other than the figures, the one that the question names first: "which country has the largest city". */
function firstNamed(
  question: string,
  named: readonly string[],
  figures: string,
): string | undefined {
  const words = readWords(question)
  const placeOf = (column: string) =>
    words.findIndex(({ stem }) => readColumnStems(column).has(stem))
  const others = named.filter((column) => column !== figures)
  return others.toSorted((left, right) => placeOf(left) - placeOf(right))[0]
}

/** The cells whose words are all in the question; the longest of each column. */
function findFilters(terms: readonly Term[], rows: readonly TableRow[]): readonly Filter[] {
  const stems = new Set(terms.map(({ stem }) => stem))
  const filters = new Map<string, string>()
  for (const { cells } of rows) {
    for (const [column, value] of cells) {
      const words = readWordStems(value)
      const isAsked = words.size > 0 && [...words].every((stem) => stems.has(stem))
      if (isAsked && value.length > (filters.get(column)?.length ?? 0)) filters.set(column, value)
    }
  }
  return [...filters].map(([column, value]) => ({ column, value }))
}

function isNamed(column: string, terms: readonly Term[]): boolean {
  const words = readColumnStems(column)
  return (
    words.size > 0 && [...words].every((stem) => terms.some(({ related }) => related.has(stem)))
  )
}

/** Whether a text asks for a column's measure by another word: "how tall" for a height. */
function isMeasured(text: string, column: string): boolean {
  const stems = readColumnStems(column)
  return measures.some(([pattern, name]) => {
    const related = relatedStems(toStem(name))
    return pattern.test(text) && [...stems].some((stem) => related.has(stem))
  })
}

/** The stems of a column's name without its unit: "Height in cm", "Height (cm)". */
function readColumnStems(column: string): ReadonlySet<string> {
  const stems = readWordStems(
    column.replace(/\s*(?:[([][^)\]]*[)\]]|\sin\s+\S+(?:\s+per\s+\S+)?)\s*$/i, ''),
  )
  return stems.size > 0 ? stems : readWordStems(column)
}

function readWordStems(text: string): ReadonlySet<string> {
  return new Set(
    readWords(text)
      .filter(({ plain }) => !isEmptyWord(plain))
      .map(({ stem }) => stem),
  )
}

/** A table row as its reader writes it: "City: Paris; Inhabitants: 2,103,000." */
export interface TableRow {
  /** The row as it is quoted. */
  readonly text: string
  /** The citation number of its source. */
  readonly n: number
  /** Cells by column name, in order. */
  readonly cells: ReadonlyMap<string, string>
}

/** The cells of a sentence that is a table row, otherwise `undefined`. */
export function readCells(text: string): ReadonlyMap<string, string> | undefined {
  const parts = text.replace(/\.$/, '').split('; ')
  const cells = parts.flatMap((part): [string, string][] => {
    const [, name, cell] = /^([^:;]{1,80}): (.+)$/.exec(part) ?? []
    return name === undefined || cell === undefined ? [] : [[name, cell]]
  })
  return parts.length > 1 && cells.length === parts.length ? new Map(cells) : undefined
}

/** The number in a cell, as digits ("2,103,000" gives "2103000"); `undefined` if there is more than one number and a unit. */
export function parseCellNumber(cell: string): string | undefined {
  const match =
    /^[$€£¥]?\s?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)\s?(?:%|\p{L}{1,12}\.?)?$/u.exec(
      cell,
    )
  return match?.[1]?.replaceAll(',', '')
}

/** What the quoted rows of a table add to an answer. */
interface RowsAnswer {
  /** The answering cell, quoted: `"Price: 12.50" [1].` */
  readonly line?: string
  readonly calculation?: Calculation
}

/** Answers a question from the rows that research found; empty if the sentences are not all rows of a table. */
export function answerFromRows(question: string, sentences: readonly string[]): RowsAnswer {
  const rows = sentences.flatMap((sentence): TableRow[] => {
    const text = withoutCitations(sentence)
    const [n] = findCitations(sentence)
    const cells = readCells(text)
    return cells === undefined || n === undefined ? [] : [{ text, n, cells }]
  })
  if (rows.length === 0 || rows.length < sentences.length) return {}
  const asked = readTableQuestion(question, rows)
  if (asked === undefined) return {}
  const { asks, column, label } = asked
  const [row, ...others] = asked.rows
  if (asks === 'cell' || asks === 'extreme') {
    const name = asks === 'cell' ? column : label
    const cell = row?.cells.get(name)
    if (row === undefined || others.length > 0 || cell === undefined) return {}
    return { line: citeSentence(`"${name}: ${cell}".`, row.n) }
  }
  const values = asked.rows.map(({ cells }) =>
    asks === 'count' ? '1' : parseCellNumber(cells.get(column) ?? ''),
  )
  if (asks === 'list' || values.length < 2 || values.includes(undefined)) return {}
  const sum = values.join(' + ')
  return {
    calculation: {
      tool: 'calculate',
      expression: asks === 'mean' ? `(${sum}) / ${values.length}` : sum,
    },
  }
}

/** The next move for a question about a table: read more of its source, or answer with its rows. */
export type TableMove =
  | { readonly read: { readonly citation: number; readonly after?: string } }
  | { readonly rows: string }

const maxReads = 5
/** An answer with more rows is not useful. */
const maxRows = 60

/**
 * The next move for a question about a table that was found. If the answer depends on all rows, the whole
 * table is read first. `undefined` if no table was found or none answers.
 */
export function nextTableMove(
  question: string,
  found: Evidence,
  reads: readonly ToolOutcome[],
  canRead: boolean,
): TableMove | undefined {
  for (const n of new Set(found.sentences.map(({ passage }) => passage.n))) {
    const rows = collectRows(found, n)
    const asked = readTableQuestion(question, rows)
    if (asked === undefined) continue
    if (!needsAllRows(asked)) return { rows: citeRows(asked.rows) }
    const own = reads.flatMap((outcome) =>
      'output' in outcome && 'passagesLeft' in outcome.output && outcome.output.citation === n
        ? [outcome.output]
        : [],
    )
    const last = own.at(-1)
    if (last?.passagesLeft === 0)
      return asked.rows.length > maxRows ? undefined : { rows: citeRows(asked.rows) }
    if (!canRead || reads.length >= maxReads) continue
    const after = last?.passages.at(-1)?.passageId
    return { read: { citation: n, ...(after === undefined ? {} : { after }) } }
  }
  return undefined
}

/** The rows of one source in reading order, each once. */
function collectRows({ sentences }: Evidence, n: number): readonly TableRow[] {
  const own = sentences
    .filter(({ passage }) => passage.n === n)
    .toSorted((left, right) => left.passage.start - right.passage.start || left.index - right.index)
  return own.flatMap(({ text }) => {
    const cells = readCells(text)
    return cells === undefined ? [] : { text, n, cells }
  })
}

function citeRows(rows: readonly TableRow[]): string {
  return rows.map(({ text, n }) => citeSentence(text, n)).join(' ')
}
