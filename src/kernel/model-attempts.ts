import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider'
import { ScholiumError } from './errors.ts'
import type { Json, JsonObject } from './json.ts'
import type { Reservation } from './limits.ts'
import type { Message } from './message.ts'
import { maxMessageTokens } from './message-hash.ts'
import type { ModelBinding } from './model.ts'
import { costOf, toModelMessage, toModelTool, toUsage } from './model-prompt.ts'
import type { RunContext } from './run-context.ts'
import type { StepAttempt } from './step-attempt.ts'
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

const maxAttempts = 3

/**
 * Calls a model up to three times in all, each attempt reserved on its own.
 * @throws `model_unavailable` (retryable), `model_failed` (retryable where a key or an address can be mended), `limit_reached`, `cancelled`
 */
export async function attemptCalls(
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
      if (refusal.code !== 'model_unavailable' || number >= maxAttempts) throw refusal
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
    if (isUnbilled(error)) used = { inputTokens: 0, outputTokens: 0, costUsd: 0 }
    throw error
  } finally {
    grant.settle(used)
    attempt.use(used)
  }
}

/** Whether the service refused the call or was never reached, so that it has nothing to charge for. */
function isUnbilled(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const { statusCode, code = '', cause }: CallError = thrown
  return (statusCode ?? 0) >= 400 || neverSent.has(code) || isUnbilled(cause)
}

const neverSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

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

/** What one attempt at a call can use up at most: the bytes of the prompt, since a token is at least one, and the output cap. */
export function boundOf(binding: ModelBinding, request: ModelRequest): Reservation {
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
  readonly code?: string
  readonly cause?: unknown
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
  if (binding.effect === 'pure')
    return new ScholiumError('internal', `${binding.name} failed: ${error.message}`, {
      cause: thrown,
    })
  if (isCancelled)
    return new ScholiumError('cancelled', 'The run was interrupted.', { cause: thrown })
  const status = error.statusCode
  const isTimeout = error.name === 'TimeoutError'
  const isPassing =
    isTimeout ||
    (error.isRetryable ??
      (status === undefined && error.name !== 'AI_UnsupportedFunctionalityError'))
  const what = isTimeout
    ? `did not answer within ${binding.timeoutMs / 1000} s`
    : `failed: ${error.message}`
  return new ScholiumError(
    isPassing ? 'model_unavailable' : 'model_failed',
    `${binding.name} ${what}`,
    {
      retryable: isPassing || mendable.has(status ?? 0),
      hint: refusalHint(status, isTimeout),
      cause: thrown,
      details: status === undefined ? {} : { status },
    },
  )
}

/** Refusals that a person mends outside the run: a key, an account, an address. They are not tried again by themselves. */
const mendable: ReadonlySet<number> = new Set([401, 402, 403, 404])

function refusalHint(status: number | undefined, isTimeout: boolean): string {
  if (isTimeout) return 'The run can be resumed; a faster model or a smaller question may help.'
  if (status === 401 || status === 403) return 'Check the API key of this provider.'
  if (status === 404) return 'Check the name of the model and the base URL.'
  if (status === 429) return 'The provider limits your requests; resume the run later.'
  if (status !== undefined && status < 400)
    return 'What came back is not what this interface gives: check the base URL, which often ends in /v1.'
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
