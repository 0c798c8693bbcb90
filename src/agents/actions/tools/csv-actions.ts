import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { ToolAction } from '../action.ts'
import { defineToolAction, failedResult, type ToolActionServices } from './tool-action.ts'
import { isText, readFileText } from './workspace-text.ts'

const maxCharacters = 10_000_000
const maxRows = 200_000

const delimiter = z
  .string()
  .length(1)
  .regex(/^[^"\r\n]$/)
  .default(',')
  .describe('The delimiter, one character; a comma by default.')

/** Reads and writes tables as CSV. */
export function csvActions(services: ToolActionServices): readonly ToolAction[] {
  return [parseAction(services), stringifyAction()]
}

function parseAction(services: ToolActionServices): ToolAction {
  const input = z
    .strictObject({
      text: z
        .string()
        .max(maxCharacters)
        .optional()
        .describe('The table as text; alternative to path.'),
      path: z
        .string()
        .optional()
        .describe('A workspace file with the table, at most 5 MB; alternative to text.'),
      delimiter,
      has_header: z
        .boolean()
        .default(true)
        .describe('Whether the first row contains column names.'),
    })
    .refine(
      ({ text, path }) => (text === undefined) !== (path === undefined),
      'Give either text or path.',
    )
  return defineToolAction({
    name: 'csv.parse',
    description: 'Parses a CSV table (RFC 4180) from text or a workspace file.',
    input,
    effect: 'read',
    calculates: true,
    untrusted: 'results',
    result:
      '{data: rows as maps, or as lists without a header, headers, row_count, success}, or {error, success: false, error_type}',
    async execute({ text, path, delimiter, has_header: hasHeader }): Promise<Json> {
      const read =
        path === undefined
          ? { text: text as string, sizeBytes: 0 }
          : await readFileText(services, path)
      if (!isText(read)) return read
      const rows = await readRows(read.text, delimiter)
      return Array.isArray(rows) ? toTable(rows, hasHeader) : (rows as JsonObject)
    },
  })
}

async function readRows(
  text: string,
  delimiter: string,
): Promise<readonly string[][] | JsonObject> {
  const { CsvError, parse } = await import('csv-parse/sync')
  try {
    return parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      to: maxRows + 1,
    }) as string[][]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { lines = 0 } = error as { readonly lines?: number }
    return failedResult(`The text is not CSV: ${error.message}`, 'parse', {
      position: { line: lines },
    })
  }
}

function toTable(rows: readonly string[][], hasHeader: boolean): JsonObject {
  if (rows.length > maxRows)
    return failedResult(`The table has more than ${maxRows} rows.`, 'too_large')
  if (!hasHeader) return { data: rows, headers: null, row_count: rows.length, success: true }
  const [headers = [], ...others] = rows
  const doubled = headers.find((name, index) => headers.indexOf(name) < index)
  if (doubled !== undefined)
    return failedResult(
      `Two columns are named ${JSON.stringify(doubled)}. Read it with has_header: false.`,
      'parse',
    )
  const long = others.findIndex((row) => row.length > headers.length)
  if (long >= 0) {
    const error = `Row ${long + 1} has ${others[long]?.length} values, but there are ${headers.length} columns.`
    return failedResult(error, 'parse')
  }
  const data = others.map((row) =>
    Object.fromEntries(headers.map((name, index) => [name, row[index] ?? null])),
  )
  return { data, headers, row_count: data.length, success: true }
}

function stringifyAction(): ToolAction {
  return defineToolAction({
    name: 'csv.stringify',
    description: 'Writes rows as CSV: maps keyed by column name, or lists of values.',
    input: z.strictObject({
      data: z
        .array(z.union([z.array(z.json()), z.record(z.string(), z.json())]))
        .max(maxRows)
        .describe('The rows, all maps or all lists.'),
      headers: z
        .array(z.string())
        .optional()
        .describe(
          'The columns in order; by default all keys of the maps in order of appearance, and none for lists.',
        ),
      delimiter,
    }),
    effect: 'pure',
    result: '{text, row_count, success}',
    async execute({ data, headers, delimiter }): Promise<Json> {
      const maps = data.filter((row) => !Array.isArray(row)) as readonly JsonObject[]
      if (maps.length > 0 && maps.length < data.length)
        return failedResult('Rows must be all maps or all lists.', 'invalid_data')
      const names = headers ?? [...new Set(maps.flatMap(Object.keys))]
      const rows =
        maps.length === 0
          ? (data as readonly (readonly Json[])[])
          : maps.map((row) => names.map((name) => row[name] ?? null))
      const lines = names.length === 0 ? rows : [names, ...rows]
      const text = lines
        .map((row) => `${row.map((value) => formatCell(value, delimiter)).join(delimiter)}\n`)
        .join('')
      return { text, row_count: rows.length, success: true }
    },
  })
}

/** @see https://www.rfc-editor.org/rfc/rfc4180 */
function formatCell(value: Json, delimiter: string): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isPlain = !text.includes(delimiter) && !/["\r\n]|^\s|\s$/.test(text)
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}
