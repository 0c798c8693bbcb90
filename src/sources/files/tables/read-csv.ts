import { Readable } from 'node:stream'
import { type FormatReader, type ReadResult, refuse } from '../../document.ts'
import { decodeText } from '../text/decode-text.ts'
import { createTableNotes, createTableText, describeTableNotes } from './table-text.ts'

/** A longer row means an unclosed quote or no table at all. */
const maxRowUnits = 1_000_000
/** Size of the pieces given to the parser, so that it can stop early. */
const pieceUnits = 64_000

/** Reads comma-, semicolon-, tab- or bar-separated values: each row a sentence with column names. */
export const readCsv: FormatReader = async (bytes, { contentHash, fallbackTitle, path }) => {
  const decoded = decodeText(bytes)
  if (decoded === undefined) {
    const hint = 'Save the table again as CSV in UTF-8 and add that.'
    return refuse({ reason: 'not_text', detail: 'Most of its bytes are not text.', hint })
  }
  const { text } = decoded
  const delimiter = findDelimiter(text, path)
  const table = (await parse(text, delimiter, true)) ?? (await parse(text, delimiter, false))
  if (table === undefined) return refuseLongRow()
  if (table.text === '') return refuseEmpty(bytes.length)
  const title = fallbackTitle
  const content = {
    title,
    text: table.text,
    pages: [],
    sections: [],
    csl: { id: contentHash, type: 'dataset', title },
    notes: [...decoded.notes, ...table.notes],
  }
  return { ok: true, content }
}

interface ParsedTable {
  readonly text: string
  readonly notes: readonly string[]
}

/** The table, or `undefined` if a quote is never closed; without quotes they are literal. */
async function parse(
  text: string,
  delimiter: Delimiter,
  withQuotes: boolean,
): Promise<ParsedTable | undefined> {
  const { parse: createParser, CsvError } = await import('csv-parse')
  const parser = createParser({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRowUnits,
    quote: withQuotes ? '"' : null,
  })
  const notes = createTableNotes()
  const table = createTableText(notes)
  const pieces = Readable.from(splitPieces(text))
  pieces.pipe(parser)
  let number = 0
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (!table.add(new Map(record.entries()), ++number)) break
    }
  } catch (error) {
    if (error instanceof CsvError) return undefined
    throw error
  } finally {
    pieces.destroy()
  }
  table.end()
  const unquoted = withQuotes ? [] : ['a quote is never closed; quotes were read literally']
  return { text: table.text(), notes: [...unquoted, ...describeTableNotes(notes)] }
}

function* splitPieces(text: string): Iterable<string> {
  for (let start = 0; start < text.length; start += pieceUnits)
    yield text.slice(start, start + pieceUnits)
}

function refuseLongRow(): ReadResult {
  const detail = `One of its rows is longer than ${maxRowUnits} characters.`
  return refuse({
    reason: 'too_large',
    detail,
    hint: 'Check that it is a table with one row per line, and save it again.',
  })
}

function refuseEmpty(sizeBytes: number): ReadResult {
  const detail = sizeBytes === 0 ? 'It is empty.' : 'Its cells are empty.'
  return refuse({
    reason: 'empty',
    detail,
    hint: 'Check that it was saved or downloaded completely.',
  })
}

/** The separator between the cells of a row. */
type Delimiter = ',' | ';' | '\t' | '|'

const candidates: readonly Delimiter[] = [',', ';', '\t', '|']
const sampleUnits = 64_000
const sampleRows = 50

/**
 * The delimiter that occurs equally often in most rows, outside quotes. If the rows do not tell, tabs for files named
 * `.tsv` or `.tab`.
 */
function findDelimiter(text: string, path: string): Delimiter {
  const sample = text.slice(0, sampleUnits)
  let best: { delimiter: Delimiter; score: number } | undefined
  for (const delimiter of candidates) {
    const score = agreement(countCells(sample, delimiter))
    if (score > (best?.score ?? 0)) best = { delimiter, score }
  }
  return best?.delimiter ?? (/\.(?:tsv|tab)$/i.test(path) ? '\t' : ',')
}

/** How often the delimiter occurs in each of the first rows. */
function countCells(sample: string, delimiter: Delimiter): readonly number[] {
  const counts: number[] = []
  let count = 0
  let isQuoted = false
  for (let index = 0; index < sample.length && counts.length < sampleRows; index++) {
    const unit = sample[index]
    if (unit === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (unit === delimiter) count++
    else if (unit === '\n') {
      if (sample.slice(index - 1, index) !== '\n') counts.push(count)
      count = 0
    }
  }
  if (count > 0) counts.push(count)
  return counts
}

/** How many rows have the most common count, slightly weighted by that count; 0 if the delimiter does not occur. */
function agreement(counts: readonly number[]): number {
  const times = new Map<number, number>()
  for (const count of counts) if (count > 0) times.set(count, (times.get(count) ?? 0) + 1)
  let score = 0
  for (const [count, rows] of times)
    score = Math.max(score, rows / counts.length + Math.min(count, 20) / 1_000)
  return score
}
