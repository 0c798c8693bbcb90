import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider'
import { maxMessageTokens } from '../agent/message-hash.ts'
import type { Tool } from '../agent/tool.ts'
import type { JsonObject } from '../json.ts'
import { collectImages, maxImageTokens } from '../limits/image-tokens.ts'
import type { Reservation } from '../limits/limit-reached.ts'
import {
  minOutputTokens,
  requestedOutputTokens,
  resolveMaxOutputTokens,
  usualOutputTokens,
} from '../limits/output-cap.ts'
import { withDeadline } from '../run/deadline.ts'
import type { Usage } from '../run/event.ts'
import { memoizeByIdentity } from '../run/memoize-by-identity.ts'
import type { RunContext } from '../run/run-context.ts'
import { loadModel, maxAttempts, paidCall, waitForNext } from '../step/paid-call.ts'
import type { StepAttempt } from '../step/step-attempt.ts'
import { BrokenAnswer } from './errors/broken-answer.ts'
import { describeRefusal } from './errors/model-refusal.ts'
import type { ModelBinding } from './model.ts'
import { describeSchema, describeTools } from './model-as-text.ts'
import { computeCostUsd, toUsage } from './model-content.ts'
import { createDeltaTeller } from './model-delta.ts'
import {
  type Asking,
  affectsRequest,
  applyFallbacks,
  describeFallback,
  type Fallback,
  fallbackFor,
  knownFallbacks,
  learnFallbacks,
  NotStreamed,
} from './model-fallback.ts'
import { checkFinish, PartialAnswer } from './model-finish.ts'
import { noticeOfModel, tellWarnings } from './model-notice.ts'
import { toModelPrompt, toModelTool } from './model-prompt.ts'
import type { ModelRequest } from './model-request.ts'
import { readStream } from './model-stream.ts'

export type { ModelRequest } from './model-request.ts'

/** What a model answered, and what had to be done another way for it. */
export interface AttemptedCall {
  readonly result: LanguageModelV4GenerateResult
  readonly fallbacks: readonly Fallback[]
  /** How long the answer was allowed to be, in tokens; `undefined` where the service alone decided. */
  readonly outputTokens: number | undefined
}

/**
 * Calls a model up to three times, each attempt with its own reservation. If a service refuses a schema, tools, streaming or the
 * answer length, the call is repeated once without it, which does not count as one of the three.
 *
 * @throws `model_unavailable` (retryable), `model_failed` (retryable if a key or an address can be fixed), `limit_reached`, `cancelled`
 */
export async function attemptCalls(
  context: RunContext,
  attempt: StepAttempt,
  binding: ModelBinding,
  request: ModelRequest,
): Promise<AttemptedCall> {
  const model = await loadModel(binding, attempt)
  const { isStreamed } = binding
  const asking = {
    request,
    isStreamed,
    outputTokens: requestedOutputTokens(binding, promptBytes(binding, request)),
  }
  let fallbacks = knownFallbacks(model)
  for (const fallback of fallbacks) tellFallback(context, binding, asking, fallback)
  let failures = 0
  for (let number = 1; ; number++) {
    const heard = new PartialAnswer()
    const call = { binding, model, asking: applyFallbacks(asking, fallbacks), number, heard }
    try {
      const answered = await attemptOnce(context, attempt, call)
      learnFallbacks(model, fallbacks)
      tellWarnings(context, binding, answered.result.warnings)
      return { ...answered, fallbacks }
    } catch (error) {
      const fallback = fallbackFor(error, call.asking)
      if (fallback !== undefined) {
        fallbacks = [...fallbacks, fallback]
        tellFallback(context, binding, asking, fallback)
        continue
      }
      failures++
      const cause = error instanceof BrokenAnswer ? error.cause : error
      const refusal = describeRefusal(binding, cause, attempt.signal.aborted)
      if (refusal.code !== 'model_unavailable' || failures >= maxAttempts)
        throw heard.addTo(refusal)
      await waitForNext(context, attempt, { error: cause, refusal, number: failures })
    }
  }
}

/** Each run says it for itself, also where an earlier one found it out. */
function tellFallback(
  context: RunContext,
  binding: ModelBinding,
  asking: Asking,
  fallback: Fallback,
): void {
  if (affectsRequest(asking, fallback))
    noticeOfModel(context, binding, fallback, describeFallback(binding, fallback))
}

interface SingleCall {
  readonly binding: ModelBinding
  readonly model: LanguageModelV4
  readonly asking: Asking
  readonly number: number
  readonly heard: PartialAnswer
}

async function attemptOnce(
  context: RunContext,
  attempt: StepAttempt,
  call: SingleCall,
): Promise<Omit<AttemptedCall, 'fallbacks'>> {
  const { binding, asking } = call
  let { outputTokens } = asking
  const { result } = await paidCall(
    attempt,
    estimateAttempt(binding, asking.request, asking.outputTokens),
    async (tellUsage, affordable) => {
      outputTokens = affordable ?? outputTokens
      try {
        const answer = await requestAnswer(context, attempt, call, outputTokens)
        tellUsage(reportedUsage(binding, answer.usage))
        checkFinish(binding, answer)
        return answer
      } catch (error) {
        if (error instanceof BrokenAnswer) tellUsage(reportedUsage(binding, error.usage))
        throw error
      }
    },
  )
  return { result, outputTokens }
}

/** Some report zeros where they know nothing; no prompt is empty. */
function reportedUsage(
  binding: ModelBinding,
  usage: LanguageModelV4GenerateResult['usage'] | undefined,
): Usage | undefined {
  return (usage?.inputTokens.total ?? 0) > 0 && usage !== undefined
    ? toUsage(usage, binding.price)
    : undefined
}

function requestAnswer(
  context: RunContext,
  attempt: StepAttempt,
  { binding, model, asking, number, heard }: SingleCall,
  outputTokens: number | undefined,
): Promise<LanguageModelV4GenerateResult> {
  return withDeadline(attempt.signal, binding.timeoutMs, async (signal, extend) => {
    const options = {
      ...callOptions(binding, asking.request, signal),
      ...(outputTokens === undefined ? {} : { maxOutputTokens: outputTokens }),
    }
    if (!asking.isStreamed) return model.doGenerate(options)
    const { journal, secrets } = context.services
    const teller = createDeltaTeller(number, secrets, (data) => {
      heard.add(data)
      journal.emit({ key: attempt.key, type: 'delta', data })
    })
    const { stream, response } = await model.doStream(options)
    if (wholeBody.test(response?.headers?.['content-type'] ?? '')) {
      await stream.cancel()
      throw new NotStreamed('The service does not support streaming.')
    }
    try {
      return await readStream(stream, binding, signal, {
        ...teller,
        onBegin: () => extend(binding.timeoutMs * streamedTimes),
      })
    } finally {
      teller.end()
    }
  })
}

/** A streamed answer may take this many times the time allowed for its start. */
const streamedTimes = 10

/** Of services that take no notice of the wish for a stream, and of pages that are no service's. */
const wholeBody = /^(?:application\/json|text\/html)\b/i

function callOptions(
  binding: ModelBinding,
  request: ModelRequest,
  signal: AbortSignal,
): LanguageModelV4CallOptions {
  const { responseSchema, tools, roleRequest } = request
  return {
    prompt: toModelPrompt(
      request.messages,
      binding.name,
      binding.effect === 'pure' ? 'json' : 'text',
    ),
    temperature: binding.temperature,
    ...(binding.reasoningEffort === undefined ? {} : { reasoning: binding.reasoningEffort }),
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
    ...(roleRequest === undefined || binding.effect !== 'pure'
      ? {}
      : { providerOptions: { scholium: { role: binding.role, input: roleRequest as never } } }),
  }
}

/**
 * Upper bound of what one attempt at a call can use: one token per byte of the prompt, and a usual answer, which the budget may
 * lengthen up to the cap or shorten.
 * @param outputTokens maximum length of the answer. Default: the limit of the model and its context window
 */
export function estimateAttempt(
  binding: ModelBinding,
  request: ModelRequest,
  outputTokens: number = Infinity,
): Reservation {
  if (binding.effect === 'pure') return { steps: 1, tokens: 0, costUsd: 0 }
  const { price } = binding
  const prompt = promptBytes(binding, request)
  const most = Math.min(resolveMaxOutputTokens(binding, prompt), outputTokens)
  const usual = Math.min(most, usualOutputTokens)
  const priceOutput = (output: number) => computeCostUsd(prompt, output, price)
  const costUsd = priceOutput(usual)
  const usdPerToken =
    costUsd === null ? null : ((priceOutput(1e6) ?? 0) - (priceOutput(0) ?? 0)) / 1e6
  const least = Math.min(most, minOutputTokens)
  return { steps: 1, tokens: prompt + usual, costUsd, output: { least, usual, most, usdPerToken } }
}

/** The bytes of a prompt. Tools and schema count as the text that stands for them where a service takes only text. */
function promptBytes(
  { name }: ModelBinding,
  { tools, responseSchema, messages }: ModelRequest,
): number {
  const toolBytes = tools?.length ? toolsSizeBytes(tools) : 0
  const schemaBytes = responseSchema === undefined ? 0 : schemaSizeBytes(responseSchema)
  const imageTokens = collectImages(messages).reduce(
    (sum, image) => sum + maxImageTokens(name, image),
    0,
  )
  return messages.reduce(
    (sum, message) => sum + maxMessageTokens(message),
    toolBytes + schemaBytes + imageTokens,
  )
}

const toolsSizeBytes = memoizeByIdentity((tools: readonly Tool[]) =>
  Buffer.byteLength(describeTools(tools)),
)

const schemaSizeBytes = memoizeByIdentity((schema: JsonObject) =>
  Buffer.byteLength(describeSchema(schema)),
)
