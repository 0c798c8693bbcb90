import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider'
import { ScholiumError } from '../../errors.ts'
import type { ModelBinding } from '../model.ts'

/** A response that ended prematurely. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer'
  /** What happened. */
  override readonly cause: Error
  /** The usage, if the service reported it. */
  readonly usage: LanguageModelV4Usage | undefined
  /**
   * Whether a request without streaming may help: in a stream, the service never reports how its answer ended, or sends
   * unreadable data.
   */
  readonly mayComeWhole: boolean

  constructor(cause: Error, usage: LanguageModelV4Usage | undefined, mayComeWhole: boolean) {
    super(cause.message)
    this.cause = cause
    this.usage = usage
    this.mayComeWhole = mayComeWhole
  }
}

/** The packages' message for a stream without a finish reason. */
export const noReason = /ended without a finish reason/i

/** The packages' errors for an event that is not JSON or does not match the API. */
export const unreadable: ReadonlySet<string> = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
])

/** Whether a finish reason was invented: providers' packages do so if the service gave none. */
export function isInventedReason({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return raw === undefined && !orderlyReasons.has(unified)
}

/** Finish reasons that occur only if an answer ended normally. */
const orderlyReasons: ReadonlySet<string> = new Set([
  'stop',
  'length',
  'content-filter',
  'tool-calls',
])

/** The failure of an answer that ended too early. */
export function describeBrokenAnswer(
  binding: ModelBinding,
  cause: Error | undefined,
): ScholiumError {
  const what = cause === undefined ? '' : `: ${cause.message}`
  return new ScholiumError(
    'model_unavailable',
    `${binding.name} stopped in the middle of its answer${what}`,
    {
      retryable: true,
      hint: 'Resume the run. If this happens every time, turn streaming off for this model.',
      ...(cause === undefined ? {} : { cause }),
    },
  )
}

/** The failure of an answer that stopped arriving. */
export function describeStall(binding: ModelBinding, idleMs: number): ScholiumError {
  return new ScholiumError(
    'model_unavailable',
    `${binding.name} stalled in the middle of its answer: no data for ${idleMs / 1000} s.`,
    { retryable: true, hint: 'Check that the service is running, then resume the run.' },
  )
}

/** A failure that a service reported inside a stream, as an error; some name a status as if it were the response's. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const text = messageIn(thrown) ?? 'The service reported an error in its answer.'
  const error = new Error(text, { cause: thrown })
  const { code } = (thrown ?? {}) as { readonly code?: unknown }
  if (typeof code !== 'number' || code < 400 || code > 599) return error
  const isRetryable = code === 408 || code === 409 || code === 429 || code >= 500
  return Object.assign(error, { statusCode: code, isRetryable })
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || typeof value !== 'object') return undefined
  const { message, error } = value as { readonly message?: unknown; readonly error?: unknown }
  return typeof message === 'string' ? message : messageIn(error)
}
