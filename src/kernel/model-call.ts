import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider'
import * as z from 'zod'
import { ScholiumError } from './errors.ts'
import { hashJson, type Json, type JsonObject, sha256 } from './json.ts'
import { parseJsonObject } from './json-from-text.ts'
import { type Message, messageText, type Part } from './message.ts'
import { maxMessageTokens, messageContent, messageHash } from './message-hash.ts'
import type { ModelBinding } from './model.ts'
import { costOf, fromModelContent, toModelMessage, toModelTool, toUsage } from './model-prompt.ts'
import { repairHistory } from './repair-history.ts'
import type { RunContext } from './run-context.ts'
import type { StepAttempt } from './step.ts'
import type { Tool } from './tool.ts'

/** What is asked of a model. */
export interface ModelRequest {
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[]
  /** JSON Schema of the answer, when it shall be one JSON object. */
  readonly responseSchema?: JsonObject
  /** The typed input of the role, beside the prompt: for engines that read no prompts. */
  readonly roleInput?: Json
  /** How many leading messages the previous call of the same conversation had: the log then names only the new ones. */
  readonly knownCount?: number
}

/** What a model answered. */
export interface ModelReply {
  readonly message: Message
  readonly finishReason: string
}

const maxAttempts = 3

/**
 * One model call as a step: repaired history in, a message out. Refusals for a while (429, 5xx, lost connections) are tried
 * again up to three times in all, each attempt reserved in the budget on its own.
 *
 * @throws `model_unavailable` (retryable) when the service cannot be reached, `model_failed` when it refuses, `limit_reached`
 */
export async function callModel(
  context: RunContext,
  name: string,
  binding: ModelBinding,
  request: ModelRequest,
): Promise<ModelReply> {
  const { hooks } = context.services
  const report = (text: string) => void context.notice(`${name}.hook`, 'warning', text)
  const rendered = await hooks.run('model:call:before', request, report)
  const messages = repairHistory(rendered.messages)
  const { input, loggedInput } = describeRequest(binding, { ...rendered, messages })
  const output = await context.step(
    name,
    binding.effect,
    input,
    async (attempt) => {
      keepMessages(attempt, messages, request.knownCount ?? 0)
      const result = await attemptCalls(context, attempt, binding, { ...rendered, messages })
      const parts = fromModelContent(result.content) as unknown as Json
      return { parts, finishReason: result.finishReason.unified }
    },
    { isPaid: binding.effect !== 'pure', loggedInput },
  )
  const parts = output.parts as unknown as readonly Part[]
  const message: Message = {
    id: context.id(name),
    role: 'assistant',
    parts,
    createdAt: context.now(),
  }
  return hooks.run(
    'model:call:after',
    { message, finishReason: output.finishReason as string },
    report,
  )
}

/** A checked object and the messages that led to it. */
export interface ObjectReply<T> {
  readonly value: T
  readonly message: Message
}

/**
 * A model call whose answer is one object of a schema, from structured output or from JSON in text. An answer that does not
 * fit is asked for once more, with the reason.
 *
 * @throws `model_output_malformed` when the second answer does not fit either, and as {@link callModel}
 */
export async function callModelForObject<Schema extends z.ZodType>(
  context: RunContext,
  name: string,
  binding: ModelBinding,
  request: Omit<ModelRequest, 'responseSchema'>,
  schema: Schema,
): Promise<ObjectReply<z.output<Schema>>> {
  const responseSchema = z.toJSONSchema(schema, { io: 'input' }) as JsonObject
  const first = await callModel(context, name, binding, { ...request, responseSchema })
  const parsed = parseReply(first.message, schema)
  if (parsed.ok) return { value: parsed.value, message: first.message }
  const correction: Message = {
    id: context.id(`${name}.correction`),
    role: 'user',
    parts: [{ type: 'text', text: correctionText(parsed.reason) }],
    createdAt: context.now(),
  }
  const messages = [...request.messages, first.message, correction]
  const second = await callModel(context, `${name}.again`, binding, {
    ...request,
    messages,
    responseSchema,
  })
  const reparsed = parseReply(second.message, schema)
  if (reparsed.ok) return { value: reparsed.value, message: second.message }
  const excerpt = messageText(second.message).slice(0, 500)
  throw new ScholiumError(
    'model_output_malformed',
    `${binding.name} gave no usable ${binding.role} answer: ${reparsed.reason}`,
    {
      hint: 'Try another model for this role; small models often cannot keep to a JSON format.',
      details: { role: binding.role, text: excerpt },
    },
  )
}

/** The first object in a message that fits the schema. */
export function parseReply<Schema extends z.ZodType>(
  message: Message,
  schema: Schema,
): { ok: true; value: z.output<Schema> } | { ok: false; reason: string } {
  const shape = (z.toJSONSchema(schema, { io: 'input' }) as { required?: string[] }).required ?? []
  const found = parseJsonObject(messageText(message), shape)
  if (!found.ok) return { ok: false, reason: found.reason }
  const parsed = schema.safeParse(found.value)
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, reason: z.prettifyError(parsed.error) }
}

function correctionText(reason: string): string {
  return `That answer could not be used: ${reason}\nAnswer again with one JSON object of the requested form and nothing else.`
}

function describeRequest(
  binding: ModelBinding,
  request: ModelRequest,
): { input: Json; loggedInput: Json } {
  const hashes = request.messages.map(messageHash)
  const settings = {
    temperature: binding.temperature,
    maxOutputTokens: binding.maxOutputTokens,
    responseSchema: request.responseSchema === undefined ? null : hashJson(request.responseSchema),
    tools: request.tools?.length ? hashJson(request.tools.map(toModelTool)) : null,
    roleInput: request.roleInput === undefined ? null : hashJson(request.roleInput),
  }
  const messages = { count: hashes.length, chain: sha256(hashes.join('')) }
  const input = { model: binding.name, role: binding.role, settings, messages }
  const added = hashes.slice(Math.min(request.knownCount ?? 0, hashes.length))
  return { input, loggedInput: { ...input, messages: { ...messages, added } } }
}

/** Stores what is not in the log already: the answers and the tools' results are, as outputs of their steps. */
function keepMessages(
  attempt: StepAttempt,
  messages: readonly Message[],
  knownCount: number,
): void {
  for (const message of messages.slice(knownCount)) {
    if (message.role !== 'system' && message.role !== 'user') continue
    attempt.keep(messageHash(message), messageContent(message))
  }
}

async function attemptCalls(
  context: RunContext,
  attempt: StepAttempt,
  binding: ModelBinding,
  request: ModelRequest,
): Promise<LanguageModelV4GenerateResult> {
  const model = await binding.load()
  for (let number = 1; ; number++) {
    try {
      return await attemptOnce(attempt, binding, model, request)
    } catch (error) {
      const refusal = describeRefusal(binding, error, attempt.signal.aborted)
      if (!refusal.retryable || number >= maxAttempts) throw refusal
      const delayMs = retryDelayMs(error, number, context.random(`retry ${attempt.key} ${number}`))
      context.emit('progress', {
        text: `${refusal.message} Trying again in ${Math.ceil(delayMs / 1000)} s.`,
      })
      await attempt.sleep(delayMs)
    }
  }
}

async function attemptOnce(
  attempt: StepAttempt,
  binding: ModelBinding,
  model: LanguageModelV4,
  request: ModelRequest,
): Promise<LanguageModelV4GenerateResult> {
  const grant = await attempt.reserve(boundOf(binding, request))
  let used = {
    inputTokens: grant.reservation.tokens,
    outputTokens: 0,
    costUsd: grant.reservation.costUsd,
  }
  try {
    const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(binding.timeoutMs)])
    const result = await model.doGenerate(callOptions(binding, request, signal))
    const isReported = result.usage.inputTokens.total !== undefined
    used = isReported ? toUsage(result.usage, binding.price) : used
    return result
  } catch (error) {
    if (typeof (error as { statusCode?: unknown }).statusCode === 'number')
      used = { inputTokens: 0, outputTokens: 0, costUsd: 0 }
    throw error
  } finally {
    grant.settle(used)
    attempt.use(used)
  }
}

function callOptions(
  binding: ModelBinding,
  request: ModelRequest,
  signal: AbortSignal,
): LanguageModelV4CallOptions {
  const { responseSchema, tools, roleInput } = request
  return {
    prompt: request.messages.map(toModelMessage),
    temperature: binding.temperature,
    maxOutputTokens: binding.maxOutputTokens,
    abortSignal: signal,
    ...(tools?.length
      ? { tools: tools.map(toModelTool), toolChoice: { type: 'auto' as const } }
      : {}),
    ...(responseSchema === undefined
      ? {}
      : {
          responseFormat: {
            type: 'json' as const,
            schema: responseSchema as never,
            name: binding.role,
          },
        }),
    ...(roleInput === undefined || binding.effect !== 'pure'
      ? {}
      : { providerOptions: { scholium: { role: binding.role, input: roleInput as never } } }),
  }
}

function boundOf(binding: ModelBinding, request: ModelRequest) {
  if (binding.effect === 'pure') return { steps: 1, tokens: 0, costUsd: 0 }
  const toolBytes = request.tools?.length
    ? Buffer.byteLength(JSON.stringify(request.tools.map(toModelTool)))
    : 0
  const schemaBytes =
    request.responseSchema === undefined
      ? 0
      : Buffer.byteLength(JSON.stringify(request.responseSchema))
  const promptTokens = request.messages.reduce(
    (sum, message) => sum + maxMessageTokens(message),
    toolBytes + schemaBytes,
  )
  return {
    steps: 1,
    tokens: promptTokens + binding.maxOutputTokens,
    costUsd: costOf(promptTokens, binding.maxOutputTokens, binding.price),
  }
}

/** The parts of the AI SDK's `APICallError` that are read here, by shape: the kernel loads no SDK. */
interface CallError {
  readonly message: string
  readonly name?: string
  readonly statusCode?: number
  readonly isRetryable?: boolean
  readonly responseHeaders?: Readonly<Record<string, string>>
}

function describeRefusal(
  binding: ModelBinding,
  thrown: unknown,
  isCancelled: boolean,
): ScholiumError {
  if (thrown instanceof ScholiumError) return thrown
  const error = thrown as CallError
  if (isCancelled)
    return new ScholiumError('cancelled', 'The run was interrupted.', { cause: thrown })
  const status = error.statusCode
  const isTimeout = error.name === 'TimeoutError'
  const isRetryable =
    isTimeout ||
    (error.isRetryable ??
      (status === undefined && error.name !== 'AI_UnsupportedFunctionalityError'))
  const what = isTimeout
    ? `did not answer within ${binding.timeoutMs / 1000} s`
    : `failed: ${error.message}`
  return new ScholiumError(
    isRetryable ? 'model_unavailable' : 'model_failed',
    `${binding.name} ${what}`,
    {
      retryable: isRetryable,
      hint: refusalHint(status, isTimeout),
      cause: thrown,
      details: status === undefined ? {} : { status },
    },
  )
}

function refusalHint(status: number | undefined, isTimeout: boolean): string {
  if (isTimeout) return 'The run can be resumed; a faster model or a smaller question may help.'
  if (status === 401 || status === 403) return 'Check the API key of this provider.'
  if (status === 404) return 'Check the name of the model and the base URL.'
  if (status === 429) return 'The provider limits your requests; resume the run later.'
  if (status !== undefined && status < 500)
    return 'The provider refused the request as it is; another model may take it.'
  return 'Check that the service is running and reachable, then resume the run.'
}

const maxRetryDelayMs = 60_000

function retryDelayMs(thrown: unknown, attemptNumber: number, random: number): number {
  const given = Number((thrown as CallError).responseHeaders?.['retry-after'])
  if (Number.isFinite(given)) return Math.min(given * 1000, maxRetryDelayMs)
  return 500 * 2 ** (attemptNumber - 1) * (1 + random)
}
