import * as z from 'zod'
import { type Message, messageText } from '../../../kernel/agent/message.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import { noticeCutAnswer } from '../../../kernel/model/cut-answer.ts'
import { callModel, type ModelReply } from '../../../kernel/model/model-call.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { findJson, parseJsonObject } from '../../../kernel/text/json-from-text.ts'
import { recordFailedAttempt } from '../../run/attempts.ts'
import { checkSchema } from '../tools/json-schema/check-schema.ts'
import { pause, requireModelFailure } from './composed-action.ts'
import { type MeteredModel, readUsage } from './model-usage.ts'

/** What an action asks of a model. */
export interface Question {
  readonly messages: readonly Message[]
  /** Absent: the answer is plain text. */
  readonly json?: JsonForm
}

/** The model's answer, in the format's terms. */
export type ModelAnswer = JsonObject & {
  readonly content: string
  readonly usage: JsonObject
  readonly model: string
}

/** Keys of the steps that {@link askOnce} may perform. */
const stepNames = ['model', 'model.empty', 'model.again', 'model.again.empty']

/**
 * Asks a model and returns `{content, usage, model, finish_reason}`. If JSON is requested, also `parsed`, and the
 * members of an object unless they clash with these. An answer without JSON is requested once more and then reported
 * as `{error, success: false}`. Once per context.
 *
 * @throws as `callModel`
 */
export async function askOnce(
  context: RunContext,
  model: MeteredModel,
  { messages, json }: Question,
): Promise<ModelAnswer> {
  const asked = json === undefined ? messages : [createJsonInstruction(context), ...messages]
  const schema = json?.schema === undefined ? {} : { responseSchema: json.schema }
  const first = await callModel(context, 'model', model.binding, { messages: asked, ...schema })
  if (json === undefined) return toModelAnswer(context, model, first)
  const read = await readJson(context, 'schema', messageText(first.message), json)
  if (read.ok) return addParsed(await toModelAnswer(context, model, first), read.value)
  const again = await callModel(context, 'model.again', model.binding, {
    messages: [...asked, first.message, createCorrection(context, read.reason)],
    knownCount: asked.length,
    ...schema,
  })
  const second = await readJson(context, 'schema.again', messageText(again.message), json)
  const answer = await toModelAnswer(context, model, again)
  if (second.ok) return addParsed(answer, second.value)
  const error = `The model did not return the requested JSON: ${second.reason}`
  return { ...answer, error, success: false, error_type: 'model_output_malformed' }
}

async function toModelAnswer(
  context: RunContext,
  model: MeteredModel,
  { message, finishReason }: ModelReply,
): Promise<ModelAnswer> {
  if (finishReason === 'length') await noticeCutAnswer(context, 'model', model.binding)
  return {
    content: messageText(message),
    usage: await readUsage(context, model, stepNames),
    model: model.binding.name,
    finish_reason: finishReason,
  }
}

/** Adds the parsed JSON to an answer. */
export function addParsed<T extends JsonObject>(answer: T, parsed: Json): T {
  const members = isJsonObject(parsed) ? parsed : {}
  return { ...members, ...answer, parsed }
}

function createJsonInstruction(context: RunContext): Message {
  const text = 'Answer with JSON and nothing else.'
  return {
    id: context.id('json'),
    role: 'system',
    parts: [{ type: 'text', text }],
    createdAt: context.now(),
  }
}

function createCorrection(context: RunContext, reason: string): Message {
  const text = `That answer could not be used: ${reason}\nAnswer again with the JSON that was asked for and nothing else.`
  return {
    id: context.id('correction'),
    role: 'user',
    parts: [{ type: 'text', text }],
    createdAt: context.now(),
  }
}

/** How often something is retried, and with which delays in seconds. */
export interface RetryRule {
  readonly max_retries?: number | null | undefined
  readonly base_delay?: number | null | undefined
  readonly max_delay?: number | null | undefined
  /** Factor by which the delay grows each time. Default 2. */
  readonly backoff?: number
}

/** The result of retried work: its value, or the last error. */
export interface RetryResult<T> {
  readonly outcome: Outcome<T>
  readonly attempts: number
  /** Seconds. */
  readonly totalDelay: number
}

type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Error }

/**
 * Retries model work after transient failures; the final failure is returned as a value. @throws errors of the file or
 * the run
 */
export async function withRetries<T>(
  context: RunContext,
  rule: RetryRule,
  work: (context: RunContext) => Promise<T>,
): Promise<RetryResult<T>> {
  let totalDelay = 0
  for (let attempts = 1; ; attempts++) {
    const segment = `try[${attempts}]`
    try {
      const value = await work(context.child(segment))
      return { outcome: { ok: true, value }, attempts, totalDelay }
    } catch (thrown) {
      const error = requireModelFailure(thrown, context)
      await recordFailedAttempt(context, segment, error.message)
      if (!error.retryable || attempts > (rule.max_retries ?? 0))
        return { outcome: { ok: false, error }, attempts, totalDelay }
      totalDelay += await waitForNext(context, rule, attempts)
    }
  }
}

/**
 * Like {@link withRetries}, but returns the value itself. @throws also the final failure, so that a resumed run tries
 * again
 */
export async function retryOrThrow<T>(
  context: RunContext,
  rule: RetryRule,
  work: (context: RunContext) => Promise<T>,
): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    const segment = `try[${attempts}]`
    try {
      return await work(context.child(segment))
    } catch (thrown) {
      const error = requireModelFailure(thrown, context)
      if (!error.retryable || attempts > (rule.max_retries ?? 0)) throw error
      await recordFailedAttempt(context, segment, error.message)
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

/** The response format: `json`, or as in chat completions. */
export const responseFormat = z.union([
  formatName,
  z.looseObject({ type: formatName }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({ schema: z.record(z.string(), z.json()) }).optional(),
    schema: z.record(z.string(), z.json()).optional(),
  }),
])

/** Requested JSON: any, or of a schema; `undefined` for plain text. */
interface JsonForm {
  readonly schema?: JsonObject
}

/** What a `response_format` requests. */
export function readJsonForm(
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

/** JSON read from a text, or why none fits, in words that a model can act on. */
type JsonParse =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads the JSON in a model's answer: an object that fits the schema; without a schema any object, otherwise any list.
 * @param name of the step that checks the schema
 */
export async function readJson(
  context: RunContext,
  name: string,
  text: string,
  { schema }: JsonForm,
): Promise<JsonParse> {
  if (schema === undefined) return anyJson(text)
  const required = Array.isArray(schema.required) ? (schema.required as readonly string[]) : []
  const object = parseJsonObject(text, required)
  if (!object.ok) return object
  const problems = await schemaProblems(context, name, schema, object.value)
  return problems.length === 0
    ? { ok: true, value: object.value }
    : { ok: false, reason: problems.map(({ path, message }) => `${path}: ${message}`).join('; ') }
}

/** The JSON in a text: any object, otherwise any list. */
export function anyJson(text: string): JsonParse {
  const object = parseJsonObject(text, [])
  const list = object.ok ? undefined : findJson(text)[0]
  return list === undefined ? object : { ok: true, value: list.value }
}

/** Checks a value against a JSON Schema in one step; an unusable schema is reported as the only problem. */
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

/** A location that does not fit. */
type SchemaProblem = { readonly path: string; readonly message: string }
