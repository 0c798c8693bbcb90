import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { Call } from './print-call.ts'

/** A tool as the parser sees it. */
export interface OfferedTool {
  readonly name: string
  readonly parameters: JsonObject
}

/** A question of the Berkeley Function-Calling Leaderboard with its tools and the calls of its answer. */
export interface Prompt {
  readonly id: string
  readonly question: string
  readonly tools: readonly OfferedTool[]
  /** Empty where no tool fits. */
  readonly calls: readonly Call[]
}

interface PromptLine {
  readonly id: string
  readonly question: readonly (readonly { readonly content: string }[])[]
  readonly function?: readonly OfferedTool[]
}

interface AnswerLine {
  readonly id: string
  readonly ground_truth: readonly Readonly<Record<string, JsonObject>>[]
}

/** What the leaderboard calls a type, in JSON Schema; other names are the same there. */
const schemaTypes: Readonly<Record<string, string>> = {
  dict: 'object',
  HashMap: 'object',
  float: 'number',
  tuple: 'array',
  String: 'string',
  Boolean: 'boolean',
  Integer: 'integer',
}

/** The prompts whose answers are calls, and those that no tool fits, from the folder of `05-llm-output`. */
export function readPrompts(folder: string): readonly Prompt[] {
  const answers = join(folder, 'bfcl', 'possible_answer')
  return readdirSync(join(folder, 'bfcl'))
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const path = join(answers, file)
      const answered = existsSync(path) ? readLines<AnswerLine>(path) : []
      const byId = new Map(answered.map((answer) => [answer.id, answer]))
      return readLines<PromptLine>(join(folder, 'bfcl', file)).flatMap((line) =>
        promptOf(line, byId.get(line.id)),
      )
    })
}

function promptOf(line: PromptLine, answer: AnswerLine | undefined): readonly Prompt[] {
  if (line.function === undefined) return []
  const truth = answer?.ground_truth ?? []
  if (truth.some((item) => typeof item !== 'object')) return []
  const tools = line.function.map(({ name, parameters }) => ({
    name,
    parameters: toSchema(parameters) as JsonObject,
  }))
  const calls = truth.flatMap((item) =>
    Object.entries(item).map(([toolName, accepted]) => ({
      toolName,
      input: firstAccepted(accepted),
    })),
  )
  const question = line.question.flat().map(({ content }) => content)
  return [{ id: line.id, question: question.join('\n'), tools, calls }]
}

/** The first accepted value of every argument; an argument whose first one is empty is left out, as the data means it. */
function firstAccepted(accepted: JsonObject): JsonObject {
  const chosen = Object.entries(accepted).flatMap(([key, values]): readonly [string, Json][] => {
    const first = Array.isArray(values) ? (values as readonly Json[])[0] : values
    return first === undefined || first === '' ? [] : [[key, innerAccepted(first)]]
  })
  return Object.fromEntries(chosen)
}

/** Within objects the data lists accepted values again. */
function innerAccepted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => innerAccepted(item))
  if (value === null || typeof value !== 'object') return value
  return firstAccepted(value as JsonObject)
}

function toSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => toSchema(item))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value as JsonObject).flatMap(([key, item]): [string, Json][] => {
    if (key === 'type' && item === 'any') return []
    if (key === 'type' && typeof item === 'string') return [[key, schemaTypes[item] ?? item]]
    return [[key, toSchema(item as Json)]]
  })
  return Object.fromEntries(entries)
}

function readLines<Line>(path: string): readonly Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line)
}
