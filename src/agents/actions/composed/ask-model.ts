import * as z from 'zod'
import { type Message, messageText } from '../../../kernel/agent/message.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import { noticeCutAnswer } from '../../../kernel/model/cut-answer.ts'
import { callModel, type ModelReply } from '../../../kernel/model/model-call.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { findJson, parseJsonObject } from '../../../kernel/text/json-from-text.ts'
import { setAside } from '../../run/attempts.ts'
import { checkSchema } from '../tools/json-schema/check-schema.ts'
import { modelFailureOf, pause } from './composed-action.ts'
import { type MeteredModel, usageOf } from './model-usage.ts'

/** What is asked of a model by one action. */
export interface Question {
  readonly messages: readonly Message[]
  /** Absent: the answer is text. */
  readonly json?: JsonForm
}

/** What it answered, in the words of the format. */
export type Answered = JsonObject & {
  readonly content: string
  readonly usage: JsonObject
  readonly model: string
}

/** The keys of the steps that {@link askOnce} may make. */
const stepNames = ['model', 'model.empty', 'model.again', 'model.again.empty']

/**
 * A model's answer: `{content, usage, model, finish_reason}`. Where JSON is asked for, `parsed` too, and the members of an object
 * beside it where they clash with none of these; an answer without any is asked for once more, and is then data:
 * `{error, success: false}`. Once for each context.
 *
 * @throws as `callModel`
 */
export async function askOnce(
  context: RunContext,
  model: MeteredModel,
  { messages, json }: Question,
): Promise<Answered> {
  const asked = json === undefined ? messages : [jsonWish(context), ...messages]
  const schema = json?.schema === undefined ? {} : { responseSchema: json.schema }
  const first = await callModel(context, 'model', model.binding, { messages: asked, ...schema })
  if (json === undefined) return answerOf(context, model, first)
  const read = await readJson(context, 'schema', messageText(first.message), json)
  if (read.ok) return withParsed(await answerOf(context, model, first), read.value)
  const again = await callModel(context, 'model.again', model.binding, {
    messages: [...asked, first.message, correction(context, read.reason)],
    knownCount: asked.length,
    ...schema,
  })
  const second = await readJson(context, 'schema.again', messageText(again.message), json)
  const answer = await answerOf(context, model, again)
  if (second.ok) return withParsed(answer, second.value)
  const error = `The answer of the model is not the JSON that was asked for: ${second.reason}`
  return { ...answer, error, success: false, error_type: 'model_output_malformed' }
}

async function answerOf(
  context: RunContext,
  model: MeteredModel,
  { message, finishReason }: ModelReply,
): Promise<Answered> {
  if (finishReason === 'length') await noticeCutAnswer(context, 'model', model.binding)
  return {
    content: messageText(message),
    usage: await usageOf(context, model, stepNames),
    model: model.binding.name,
    finish_reason: finishReason,
  }
}

/** An answer with the JSON that was read out of it. */
export function withParsed<T extends JsonObject>(answer: T, parsed: Json): T {
  const members = isJsonObject(parsed) ? parsed : {}
  return { ...members, ...answer, parsed }
}

function jsonWish(context: RunContext): Message {
  const text = 'Answer with JSON and nothing else.'
  return {
    id: context.id('json'),
    role: 'system',
    parts: [{ type: 'text', text }],
    createdAt: context.now(),
  }
}

function correction(context: RunContext, reason: string): Message {
  const text = `That answer could not be used: ${reason}\nAnswer again with the JSON that was asked for and nothing else.`
  return {
    id: context.id('correction'),
    role: 'user',
    parts: [{ type: 'text', text }],
    createdAt: context.now(),
  }
}

/** How often, and after how many seconds, something is tried again. */
export interface RetryRule {
  readonly max_retries?: number | null | undefined
  readonly base_delay?: number | null | undefined
  readonly max_delay?: number | null | undefined
  /** By what the wait grows each time. Default 2. */
  readonly backoff?: number
}

/** What came of trying again: what the work gave, or the last error. */
export interface Tried<T> {
  readonly outcome: Outcome<T>
  readonly attempts: number
  /** Seconds. */
  readonly totalDelay: number
}

type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Error }

/** Work of a model, tried again after a failure that may pass; the last one is a value. @throws what is the file's or the run's */
export async function withRetries<T>(
  context: RunContext,
  rule: RetryRule,
  work: (context: RunContext) => Promise<T>,
): Promise<Tried<T>> {
  let totalDelay = 0
  for (let attempts = 1; ; attempts++) {
    const segment = `try[${attempts}]`
    try {
      const value = await work(context.child(segment))
      return { outcome: { ok: true, value }, attempts, totalDelay }
    } catch (thrown) {
      const error = modelFailureOf(thrown, context)
      await setAside(context, segment, error.message)
      if (!error.retryable || attempts > (rule.max_retries ?? 0))
        return { outcome: { ok: false, error }, attempts, totalDelay }
      totalDelay += await waitForNext(context, rule, attempts)
    }
  }
}

/** As {@link withRetries}, for what the work gave. @throws the last failure too: a resumed run tries it again */
export async function retried<T>(
  context: RunContext,
  rule: RetryRule,
  work: (context: RunContext) => Promise<T>,
): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    const segment = `try[${attempts}]`
    try {
      return await work(context.child(segment))
    } catch (thrown) {
      const error = modelFailureOf(thrown, context)
      if (!error.retryable || attempts > (rule.max_retries ?? 0)) throw error
      await setAside(context, segment, error.message)
      await waitForNext(context, rule, attempts)
    }
  }
}

async function waitForNext(
  context: RunContext,
  { base_delay: base, max_delay: most, backoff = 2 }: RetryRule,
  attempts: number,
): Promise<number> {
  const delay = Math.min((base ?? 1) * backoff ** (attempts - 1), most ?? 60)
  await pause(context, `wait[${attempts}]`, delay * 1_000)
  return delay
}

const formatName = z.enum(['text', 'json', 'json_object'])

/** The form in which a model shall answer: `json`, or as chat completions have it. */
export const responseFormat = z.union([
  formatName,
  z.looseObject({ type: formatName }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({ schema: z.record(z.string(), z.json()) }).optional(),
    schema: z.record(z.string(), z.json()).optional(),
  }),
])

/** The JSON that is asked for: any, or of a schema; `undefined` for plain text. */
interface JsonForm {
  readonly schema?: JsonObject
}

/** What is asked for with a `response_format`. */
export function jsonFormOf(
  format: z.output<typeof responseFormat> | null | undefined,
): JsonForm | undefined {
  if (format === null || format === undefined) return undefined
  const type = typeof format === 'string' ? format : format.type
  if (type === 'text') return undefined
  if (typeof format === 'string' || format.type !== 'json_schema') return {}
  const { json_schema: wrapped, schema } = format as {
    readonly json_schema?: { readonly schema: JsonObject }
    readonly schema?: JsonObject
  }
  const found = wrapped?.schema ?? schema
  return found === undefined ? {} : { schema: found }
}

/** JSON that was read from a text, or why there is none that fits, in words that a model can act on. */
type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: string }

/**
 * The JSON in a model's answer: an object that fits the schema; without a schema any object, else any list.
 * @param name of the step in which the schema is checked
 */
export async function readJson(
  context: RunContext,
  name: string,
  text: string,
  { schema }: JsonForm,
): Promise<JsonReading> {
  if (schema === undefined) return anyJson(text)
  const required = Array.isArray(schema.required) ? (schema.required as readonly string[]) : []
  const object = parseJsonObject(text, required)
  if (!object.ok) return object
  const problems = await schemaProblems(context, name, schema, object.value)
  return problems.length === 0
    ? { ok: true, value: object.value }
    : { ok: false, reason: problems.map(({ path, message }) => `${path}: ${message}`).join('; ') }
}

/** The JSON in a text: any object, else any list. */
export function anyJson(text: string): JsonReading {
  const object = parseJsonObject(text, [])
  const list = object.ok ? undefined : findJson(text)[0]
  return list === undefined ? object : { ok: true, value: list.value }
}

/** Where a value does not fit a JSON Schema, found in one step; a schema that cannot be used is the one problem. */
export function schemaProblems(
  context: RunContext,
  name: string,
  schema: JsonObject,
  value: Json,
): Promise<readonly SchemaProblem[]> {
  return context.step(name, 'pure', { schema, value }, async ({ signal }) => {
    const checked = await checkSchema(schema, value, signal)
    return checked.ok ? checked.errors : [{ path: '', message: checked.problem }]
  })
}

/** A place that does not fit. */
type SchemaProblem = { readonly path: string; readonly message: string }
