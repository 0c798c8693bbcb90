import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { ToolAction } from '../action.ts'
import { notDone, type ToolActionServices, toolAction } from './tool-action.ts'
import { fileText, isText } from './workspace-text.ts'

const maxCharacters = 10_000_000
const maxRows = 200_000

const delimiter = z
  .string()
  .length(1)
  .regex(/^[^"\r\n]$/)
  .default(',')
  .describe('What stands between two values, one character; by default a comma.')

/** Reads and writes tables as CSV. */
export function csvActions(services: ToolActionServices): readonly ToolAction[] {
  return [parseAction(services), stringifyAction()]
}

function parseAction(services: ToolActionServices): ToolAction {
  const input = z
    .strictObject({
      text: z.string().max(maxCharacters).optional().describe('The table as text; or give path.'),
      path: z
        .string()
        .optional()
        .describe('A file of the workspace with the table, at most 5 MB; or give text.'),
      delimiter,
      has_header: z
        .boolean()
        .default(true)
        .describe('Whether the first row has the names of the columns.'),
    })
    .refine(
      ({ text, path }) => (text === undefined) !== (path === undefined),
      'Give either text or path.',
    )
  return toolAction({
    name: 'csv.parse',
    description: 'Reads a table in CSV (RFC 4180), from a text or a file of the workspace.',
    input,
    effect: 'read',
    calculates: true,
    untrusted: 'results',
    result:
      '{data: rows as maps, or as lists without a header, headers, row_count, success}, or {error, success: false, error_type}',
    async execute({ text, path, delimiter, has_header: hasHeader }): Promise<Json> {
      const read =
        path === undefined ? { text: text as string, sizeBytes: 0 } : await fileText(services, path)
      if (!isText(read)) return read
      const rows = await rowsOf(read.text, delimiter)
      return Array.isArray(rows) ? tableOf(rows, hasHeader) : (rows as JsonObject)
    },
  })
}

async function rowsOf(text: string, delimiter: string): Promise<readonly string[][] | JsonObject> {
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
    return notDone(`The text is no CSV: ${error.message}`, 'parse', { position: { line: lines } })
  }
}

function tableOf(rows: readonly string[][], hasHeader: boolean): JsonObject {
  if (rows.length > maxRows) return notDone(`The table has more than ${maxRows} rows.`, 'too_large')
  if (!hasHeader) return { data: rows, headers: null, row_count: rows.length, success: true }
  const [headers = [], ...others] = rows
  const doubled = headers.find((name, index) => headers.indexOf(name) < index)
  if (doubled !== undefined)
    return notDone(
      `Two columns are named ${JSON.stringify(doubled)}. Read it with has_header: false.`,
      'parse',
    )
  const long = others.findIndex((row) => row.length > headers.length)
  if (long >= 0) {
    const error = `Row ${long + 1} has ${others[long]?.length} values, and there are ${headers.length} columns.`
    return notDone(error, 'parse')
  }
  const data = others.map((row) =>
    Object.fromEntries(headers.map((name, index) => [name, row[index] ?? null])),
  )
  return { data, headers, row_count: data.length, success: true }
}

function stringifyAction(): ToolAction {
  return toolAction({
    name: 'csv.stringify',
    description: 'Writes rows as CSV: maps by the names of the columns, or lists of values.',
    input: z.strictObject({
      data: z
        .array(z.union([z.array(z.json()), z.record(z.string(), z.json())]))
        .max(maxRows)
        .describe('The rows, all maps or all lists.'),
      headers: z
        .array(z.string())
        .optional()
        .describe(
          'The columns in order; by default all names of the maps as they come, and none for lists.',
        ),
      delimiter,
    }),
    effect: 'pure',
    result: '{text, row_count, success}',
    async execute({ data, headers, delimiter }): Promise<Json> {
      const maps = data.filter((row) => !Array.isArray(row)) as readonly JsonObject[]
      if (maps.length > 0 && maps.length < data.length)
        return notDone('Some rows are maps and some are lists.', 'invalid_data')
      const names = headers ?? [...new Set(maps.flatMap(Object.keys))]
      const rows =
        maps.length === 0
          ? (data as readonly (readonly Json[])[])
          : maps.map((row) => names.map((name) => row[name] ?? null))
      const lines = names.length === 0 ? rows : [names, ...rows]
      const text = lines
        .map((row) => `${row.map((value) => cell(value, delimiter)).join(delimiter)}\n`)
        .join('')
      return { text, row_count: rows.length, success: true }
    },
  })
}

/** @see https://www.rfc-editor.org/rfc/rfc4180 */
function cell(value: Json, delimiter: string): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isPlain = !text.includes(delimiter) && !/["\r\n]|^\s|\s$/.test(text)
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}
