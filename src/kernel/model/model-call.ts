import { type Message, messageText, type Part, toolCallsOf } from '../agent/message.ts'
import { messageContent, messageHash } from '../agent/message-hash.ts'
import { repairHistory } from '../agent/repair-history.ts'
import type { Tool } from '../agent/tool.ts'
import { ScholiumError } from '../errors.ts'
import { type Hash, hashJson, type Json, type JsonObject, sha256 } from '../json.ts'
import { memoizeByIdentity } from '../run/memoize-by-identity.ts'
import type { RunContext } from '../run/run-context.ts'
import type { StepAttempt } from '../step/step-attempt.ts'
import type { ModelBinding } from './model.ts'
import { type AttemptedCall, attemptCalls, estimateAttempt } from './model-attempts.ts'
import { fromModelContent } from './model-content.ts'
import { readFinishReason } from './model-finish.ts'
import { toModelTool } from './model-prompt.ts'
import type { ModelRequest } from './model-request.ts'

/** What a model answered. */
export interface ModelReply {
  readonly message: Message
  /** `stop`, `length`, `tool-calls` or `other`. */
  readonly finishReason: string
}

/**
 * One model call: repaired history in, a message out. Refusals for a while (429, 5xx, lost connections) are tried again up to
 * three times in all, each attempt reserved in the budget on its own; an answer with nothing in it is asked for once more.
 *
 * @throws `model_unavailable` (retryable) when the service cannot be reached, `model_failed` when it refuses,
 *   `model_output_malformed` for a second empty answer, `limit_reached`
 */
export async function callModel(
  context: RunContext,
  name: string,
  binding: ModelBinding,
  request: ModelRequest,
  isAskedAgain: (reply: ModelReply) => boolean = () => false,
): Promise<ModelReply> {
  const first = await askModel(context, name, binding, request)
  if (binding.effect === 'pure') return first
  if (!isEmpty(first.message))
    return noticeCut(context, name, { name: binding.name, isAskedAgain }, first)
  const correction: Message = {
    id: context.id(`${name}.empty`),
    role: 'user',
    parts: [{ type: 'text', text: emptyText(first) }],
    createdAt: context.now(),
  }
  const second = await askModel(context, `${name}.empty`, binding, {
    ...request,
    messages: [...request.messages, correction],
  })
  if (!isEmpty(second.message))
    return noticeCut(context, `${name}.empty`, { name: binding.name, isAskedAgain }, second)
  throw new ScholiumError(
    'model_output_malformed',
    `${binding.name} returned an empty answer twice.`,
    {
      hint:
        second.finishReason === 'length'
          ? 'It used all its output tokens for reasoning: raise maxOutputTokens, or use a model that reasons less.'
          : 'Try another model for this role.',
      details: { role: binding.role, finishReason: second.finishReason },
    },
  )
}

/** Half an answer is better than none, but it must be said that it is one. */
async function noticeCut(
  context: RunContext,
  name: string,
  model: { readonly name: string; isAskedAgain(reply: ModelReply): boolean },
  reply: Answered,
): Promise<ModelReply> {
  const { maxOutputTokens, ...answered } = reply
  if (reply.finishReason !== 'length') return answered
  const cap = maxOutputTokens === undefined ? '' : ` (maxOutputTokens ${maxOutputTokens})`
  const outcome = model.isAskedAgain(answered)
    ? ' and is called again.'
    : ': its answer is cut off.'
  const text = `${model.name} reached its maximum length${cap}${outcome}`
  await context.notice(`${name}.length`, 'warning', text)
  return answered
}

/** What a model answered, and of one that was cut off how long it was allowed to be. */
interface Answered extends ModelReply {
  readonly maxOutputTokens?: number
}

function isEmpty(message: Message): boolean {
  return messageText(message).trim() === '' && toolCallsOf(message).length === 0
}

function emptyText({ finishReason }: ModelReply): string {
  return finishReason === 'length'
    ? 'Your thoughts reached the maximum length before there was an answer. Answer now, with few thoughts or none.'
    : 'Your answer was empty. Answer what was asked.'
}

/** One call as a step. */
async function askModel(
  context: RunContext,
  name: string,
  binding: ModelBinding,
  request: ModelRequest,
): Promise<Answered> {
  const { hooks } = context.services
  const report = (text: string) => context.warn(`${name}.hook`, text)
  const passed = await hooks.run('model:call:before', request, report)
  const rendered = await hooks.run('message:render:before', passed.messages, report)
  const messages = await hooks.run('message:render:after', repairHistory(rendered), report)
  const sent = { ...passed, messages }
  const recorded = context.services.journal.recordedStep(context.key(name))
  const { input, loggedInput } = describeAsRecorded(binding, sent, recorded?.facts.inputHash)
  const call = async (attempt: StepAttempt) => {
    keepMessages(attempt, messages, request)
    return createOutput(await attemptCalls(context, attempt, binding, sent), binding.name)
  }
  const options = {
    isPaid: binding.effect !== 'pure',
    loggedInput,
    reservation: estimateAttempt(binding, sent),
  }
  const output = await context.step(name, binding.effect, input, call, options)
  const parts = output.parts as unknown as readonly Part[]
  const draft: Message = {
    id: context.id(name),
    role: 'assistant',
    parts,
    createdAt: context.now(),
  }
  const created = await hooks.run('message:create:before', draft, report)
  const message = await hooks.run('message:create:after', created, report)
  const { finishReason, maxOutputTokens } = output
  const passedOn = await hooks.run('model:call:after', { message, finishReason }, report)
  return { ...passedOn, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) }
}

type CallOutput = {
  readonly parts: Json
  readonly finishReason: string
  /** The cap that cut it off. */
  readonly maxOutputTokens?: number
  /** As the service called it, where it has another word for it. */
  readonly rawFinishReason?: string
  /** What was done another way because the service refuses it. */
  readonly fallbacks?: readonly string[]
}

function createOutput(
  { result, fallbacks, outputTokens }: AttemptedCall,
  model: string,
): CallOutput {
  const { raw } = result.finishReason
  const unified = readFinishReason(result.finishReason)
  const isCapped = unified === 'length' && outputTokens !== undefined
  return {
    parts: fromModelContent(result.content, model) as unknown as Json,
    finishReason: unified,
    ...(isCapped ? { maxOutputTokens: outputTokens } : {}),
    ...(raw === undefined || raw === unified ? {} : { rawFinishReason: raw }),
    ...(fallbacks.length === 0 ? {} : { fallbacks }),
  }
}

/** What every call without a cap of its own was recorded with before the cap was what the model gives. */
const formerOutputTokens = 4_096

/** A request as its step is known by; as it was recorded where only the former cap is another. */
function describeAsRecorded(
  binding: ModelBinding,
  request: ModelRequest,
  recordedHash: Hash | undefined,
): { input: Json; loggedInput: Json } {
  const described = describeRequest(binding, request)
  if (recordedHash === undefined || binding.maxOutputTokens !== null) return described
  const former = describeRequest({ ...binding, maxOutputTokens: formerOutputTokens }, request)
  return hashJson(former.input) === recordedHash ? former : described
}

function describeRequest(
  binding: ModelBinding,
  request: ModelRequest,
): { input: Json; loggedInput: Json } {
  const hashes = request.messages.map(messageHash)
  const settings = {
    temperature: binding.temperature,
    maxOutputTokens: binding.maxOutputTokens,
    ...(binding.reasoningEffort === undefined ? {} : { reasoningEffort: binding.reasoningEffort }),
    responseSchema:
      request.responseSchema === undefined ? null : schemaHash(request.responseSchema),
    tools: request.tools?.length ? toolsHash(request.tools) : null,
    // The name in recorded logs and input hashes.
    roleInput: request.roleRequest === undefined ? null : hashJson(request.roleRequest),
  }
  const messages = { count: hashes.length, chain: sha256(hashes.join('')) }
  const input = { model: binding.name, role: binding.role, settings, messages }
  const added = hashes.slice(Math.min(request.knownCount ?? 0, hashes.length))
  return { input, loggedInput: { ...input, messages: { ...messages, added } } }
}

/** Of whole schemas: what is left out of them on the way to a model may change without changing the step. */
const toolsHash = memoizeByIdentity((tools: readonly Tool[]) =>
  hashJson(tools.map((tool) => ({ ...toModelTool(tool), inputSchema: tool.parameters }))),
)
const schemaHash = memoizeByIdentity((schema: JsonObject) => hashJson(schema))

/**
 * Stores what is not in the log already: the answers and the tools' results are, as outputs of their steps, where no hook and no
 * repair has changed them.
 */
function keepMessages(
  attempt: StepAttempt,
  sent: readonly Message[],
  { messages, knownCount = 0 }: ModelRequest,
): void {
  const asked = new Set(messages)
  for (const message of sent.slice(knownCount)) {
    const { role } = message
    if (role !== 'system' && role !== 'user' && asked.has(message)) continue
    attempt.keep(messageHash(message), messageContent(message))
  }
}
