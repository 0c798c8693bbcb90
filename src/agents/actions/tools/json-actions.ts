import { extname } from 'node:path'
import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { doBounded } from '../../../tools/bounded/bounded-work.ts'
import type { ToolAction } from '../action.ts'
import { evaluate } from './jmespath/evaluate.ts'
import { parseJmesPath } from './jmespath/parse.ts'
import { queryJsonPath } from './json-path.ts'
import { ExpressionError, requireSize } from './json-values.ts'
import { defineToolAction, failedResult } from './tool-action.ts'

const maxCharacters = 10_000_000
const transformTimeMs = 2_000

/** Parses, writes and transforms JSON. */
export function jsonActions(): readonly ToolAction[] {
  return [parseAction(), stringifyAction(), transformAction()]
}

function parseAction(): ToolAction {
  return defineToolAction({
    name: 'json.parse',
    description: 'Parses text as JSON.',
    input: z.strictObject({
      text: z.string().max(maxCharacters).describe('The JSON text, at most 10,000,000 characters.'),
      strict: z
        .boolean()
        .default(true)
        .describe('false: allow trailing commas and comments, and use `default` for invalid text.'),
      default: z
        .json()
        .optional()
        .describe('The value for text that is not JSON; needs strict: false.'),
    }),
    effect: 'pure',
    result: '{data, success}, or {error, success: false, error_type, position: {line, column}}',
    async execute({ text, strict, default: otherwise }): Promise<Json> {
      const read = readJson(text)
      if ('data' in read) return { data: read.data, success: true }
      if (strict) return read.failure
      const lenient = readJson(stripComments(text))
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
    const position = findErrorPosition(message, text)
    const where =
      position === undefined ? '' : ` (line ${position.line}, column ${position.column})`
    const more = position === undefined ? {} : { position }
    return { failure: failedResult(`The text is not JSON${where}: ${message}`, 'parse', more) }
  }
}

/** The position at which JSON.parse stopped, if its message tells. */
function findErrorPosition(message: string, text: string) {
  const at = /end of JSON input/.test(message)
    ? text.length
    : Number(/ at position (\d+)/.exec(message)?.[1])
  if (Number.isNaN(at)) return undefined
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** Removes comments and trailing commas outside of strings. */
function stripComments(text: string): string {
  // Unclosed parts are taken whole: retrying at each character would take forever.
  const token = /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=\s*[}\]])/g
  return text.replaceAll(token, (_found, quoted: string | undefined) => quoted ?? '')
}

function stringifyAction(): ToolAction {
  return defineToolAction({
    name: 'json.stringify',
    description: 'Writes a value as JSON text.',
    input: z.strictObject({
      data: z.json().describe('The value.'),
      indent: z
        .int()
        .min(0)
        .max(10)
        .optional()
        .describe('Spaces per level, 0 to 10; without it, one line.'),
      sort_keys: z.boolean().default(false).describe('Whether to sort members by name.'),
    }),
    effect: 'pure',
    result: '{text, success}',
    async execute({ data, indent, sort_keys: isSorted }): Promise<Json> {
      return {
        text: JSON.stringify(isSorted ? sortMembers(data) : data, null, indent),
        success: true,
      }
    },
  })
}

function sortMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => sortMembers(item as Json))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value as JsonObject).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  return Object.fromEntries(members.map(([key, member]) => [key, sortMembers(member ?? null)]))
}

function transformAction(): ToolAction {
  return defineToolAction({
    name: 'json.transform',
    description: 'Extracts or transforms a value with a JMESPath or JSONPath expression.',
    input: z.strictObject({
      data: z.json().describe('The value.'),
      expression: z
        .string()
        .min(1)
        .max(4_000)
        .describe(
          "Such as users[?status=='active'].{name: name}; in JSONPath such as $.users[*].name, without filters.",
        ),
      engine: z
        .enum(['jmespath', 'jsonpath'])
        .default('jmespath')
        .describe('The language of the expression.'),
    }),
    effect: 'pure',
    result:
      '{result, expression, success}, or {error, success: false, error_type}. JSONPath returns the single value, or a list of all matches',
    async execute({ data, expression, engine }, { signal }): Promise<Json> {
      const bounds = { timeoutMs: transformTimeMs, signal }
      const made = await doBounded(transformWork, [engine, expression, data], bounds)
      if (made.ok) return made.value
      return failedResult(`The expression took longer than ${transformTimeMs} ms.`, 'timeout', {
        expression,
      })
    },
  })
}

const transformWork = {
  run: transformJson,
  script: new URL(`./action-thread${extname(import.meta.url)}`, import.meta.url),
  name: 'transformJson',
}

/** The result of `json.transform`, without a time limit. */
export function transformJson(
  engine: 'jmespath' | 'jsonpath',
  expression: string,
  data: Json,
): JsonObject {
  try {
    const result =
      engine === 'jmespath'
        ? evaluate(parseJmesPath(expression), data)
        : readJsonPath(expression, data)
    requireSize(result)
    return { result, expression, success: true }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const where = error.column === undefined ? '' : ` (column ${error.column})`
    return failedResult(`The expression cannot be used${where}: ${error.message}.`, 'expression', {
      expression,
    })
  }
}

function readJsonPath(path: string, data: Json): Json {
  const found = queryJsonPath(path, data)
  const isOne = !/\*|\.\.|,|:/.test(path.replaceAll(/'[^']*'|"[^"]*"/g, ''))
  return isOne ? (found[0] ?? null) : found
}
