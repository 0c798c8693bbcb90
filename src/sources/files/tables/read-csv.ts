import { Readable } from 'node:stream'
import { decodeText } from '../../decode-text.ts'
import { type Reader, type Reading, refused } from '../../document.ts'
import { type Delimiter, findDelimiter } from './delimiter.ts'
import { createTableText, newTableNotes, sayTableNotes } from './table-text.ts'

/** A row longer than this is none: a quote was opened and never closed, or it is no table. */
const MAX_ROW_UNITS = 1_000_000
/** The text goes to the parser in pieces of this length, so that it can stop early. */
const PIECE_UNITS = 64_000

/** Reads comma-, semicolon-, tab- or bar-separated values: each row a sentence with the names of its columns. */
export const readCsv: Reader = async (bytes, { contentHash, fallbackTitle, path }) => {
  const decoded = decodeText(bytes)
  if (decoded === undefined) {
    const hint = 'Save the table again as CSV in UTF-8 and add that.'
    return refused({ reason: 'not_text', detail: 'Most of its bytes are not text.', hint })
  }
  const { text } = decoded
  const delimiter = findDelimiter(text, path)
  const table = (await parse(text, delimiter, true)) ?? (await parse(text, delimiter, false))
  if (table === undefined) return rowTooLong()
  if (table.text === '') return empty(bytes.length)
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

/** The table, or `undefined` when a quote in it is never closed; without quotes they stand for themselves. */
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
    max_record_size: MAX_ROW_UNITS,
    quote: withQuotes ? '"' : null,
  })
  const notes = newTableNotes()
  const table = createTableText(notes)
  const pieces = Readable.from(piecesOf(text))
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
  return { text: table.text(), notes: [...unquoted, ...sayTableNotes(notes)] }
}

function* piecesOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length; start += PIECE_UNITS)
    yield text.slice(start, start + PIECE_UNITS)
}

function rowTooLong(): Reading {
  const detail = `One of its rows is longer than ${MAX_ROW_UNITS} characters.`
  return refused({
    reason: 'too_large',
    detail,
    hint: 'Check that it is a table with one row per line, and save it again.',
  })
}

function empty(sizeBytes: number): Reading {
  const detail = sizeBytes === 0 ? 'It is empty.' : 'Its cells are empty.'
  return refused({
    reason: 'empty',
    detail,
    hint: 'Check that it was saved or downloaded completely.',
  })
}
