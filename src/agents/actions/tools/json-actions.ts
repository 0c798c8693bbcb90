import { extname } from 'node:path'
import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { doBounded } from '../../../tools/bounded/bounded-work.ts'
import type { ToolAction } from '../action.ts'
import { evaluate } from './jmespath/evaluate.ts'
import { parseJmesPath } from './jmespath/parse.ts'
import { jsonPath } from './json-path.ts'
import { ExpressionError, requireSize } from './json-values.ts'
import { notDone, toolAction } from './tool-action.ts'

const maxCharacters = 10_000_000
const transformTimeMs = 2_000

/** Reads, writes and takes apart JSON. */
export function jsonActions(): readonly ToolAction[] {
  return [parseAction(), stringifyAction(), transformAction()]
}

function parseAction(): ToolAction {
  return toolAction({
    name: 'json.parse',
    description: 'Reads a text as JSON.',
    input: z.strictObject({
      text: z.string().max(maxCharacters).describe('The JSON text, at most 10,000,000 characters.'),
      strict: z
        .boolean()
        .default(true)
        .describe(
          'false: commas before an end and comments are passed over, and `default` is taken.',
        ),
      default: z
        .json()
        .optional()
        .describe('What to give for a text that is no JSON; needs strict: false.'),
    }),
    effect: 'pure',
    result: '{data, success}, or {error, success: false, error_type, position: {line, column}}',
    async execute({ text, strict, default: otherwise }): Promise<Json> {
      const read = readJson(text)
      if ('data' in read) return { data: read.data, success: true }
      if (strict) return read.failure
      const lenient = readJson(withoutExtras(text))
      if ('data' in lenient) return { data: lenient.data, success: true }
      return otherwise === undefined
        ? read.failure
        : { data: otherwise, success: true, is_default: true }
    },
  })
}

function readJson(text: string): { readonly data: Json } | { readonly failure: JsonObject } {
  try {
    return { data: JSON.parse(text) as Json }
  } catch (error) {
    const { message } = error as Error
    const position = placeOf(message, text)
    const where =
      position === undefined ? '' : ` (line ${position.line}, column ${position.column})`
    const more = position === undefined ? {} : { position }
    return { failure: notDone(`The text is no JSON${where}: ${message}`, 'parse', more) }
  }
}

/** Where JSON.parse gave up: where it quotes what it did not expect, it does not tell. */
function placeOf(message: string, text: string) {
  const at = /end of JSON input/.test(message)
    ? text.length
    : Number(/ at position (\d+)/.exec(message)?.[1])
  if (Number.isNaN(at)) return undefined
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** Without comments and commas before an end; texts stay as they are. */
function withoutExtras(text: string): string {
  // What is not closed is taken whole: trying again at each sign of it would take for ever.
  const token = /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=\s*[}\]])/g
  return text.replaceAll(token, (_found, quoted: string | undefined) => quoted ?? '')
}

function stringifyAction(): ToolAction {
  return toolAction({
    name: 'json.stringify',
    description: 'Writes a value as JSON text.',
    input: z.strictObject({
      data: z.json().describe('The value.'),
      indent: z
        .int()
        .min(0)
        .max(10)
        .optional()
        .describe('Spaces for each level, 0 to 10; left out: one line.'),
      sort_keys: z
        .boolean()
        .default(false)
        .describe('Whether members stand in the order of their names.'),
    }),
    effect: 'pure',
    result: '{text, success}',
    async execute({ data, indent, sort_keys: isSorted }): Promise<Json> {
      return { text: JSON.stringify(isSorted ? sorted(data) : data, null, indent), success: true }
    },
  })
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => sorted(item as Json))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value as JsonObject).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member ?? null)]))
}

function transformAction(): ToolAction {
  return toolAction({
    name: 'json.transform',
    description:
      'Takes a part of a value, or makes another one of it, by an expression of JMESPath or JSONPath.',
    input: z.strictObject({
      data: z.json().describe('The value.'),
      expression: z
        .string()
        .min(1)
        .max(4_000)
        .describe(
          "As users[?status=='active'].{name: name}; in JSONPath as $.users[*].name, without filters.",
        ),
      engine: z
        .enum(['jmespath', 'jsonpath'])
        .default('jmespath')
        .describe('The language of the expression.'),
    }),
    effect: 'pure',
    result:
      '{result, expression, success}, or {error, success: false, error_type}. A JSONPath gives the one value, or the list of all',
    async execute({ data, expression, engine }, { signal }): Promise<Json> {
      const bounds = { timeoutMs: transformTimeMs, signal }
      const made = await doBounded(transformWork, [engine, expression, data], bounds)
      if (made.ok) return made.value
      return notDone(`The expression took longer than ${transformTimeMs} ms.`, 'timeout', {
        expression,
      })
    },
  })
}

const transformWork = {
  run: transformed,
  script: new URL(`./action-thread${extname(import.meta.url)}`, import.meta.url),
  name: 'transformed',
}

/** What `json.transform` gives, without a limit of time. */
export function transformed(
  engine: 'jmespath' | 'jsonpath',
  expression: string,
  data: Json,
): JsonObject {
  try {
    const result =
      engine === 'jmespath' ? evaluate(parseJmesPath(expression), data) : valueAt(expression, data)
    requireSize(result)
    return { result, expression, success: true }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const where = error.column === undefined ? '' : ` (column ${error.column})`
    return notDone(`The expression cannot be used${where}: ${error.message}.`, 'expression', {
      expression,
    })
  }
}

function valueAt(path: string, data: Json): Json {
  const found = jsonPath(path, data)
  const isOne = !/\*|\.\.|,|:/.test(path.replaceAll(/'[^']*'|"[^"]*"/g, ''))
  return isOne ? (found[0] ?? null) : found
}
