import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider'
import { ScholiumError } from '../../errors.ts'
import type { ModelBinding } from '../model.ts'

/** An answer that ended without being one. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer'
  /** What happened. */
  override readonly cause: Error
  /** What was used, where the service said so. */
  readonly usage: LanguageModelV4Usage | undefined
  /** Whether asking for no stream may help: the service never says in one how its answer ended, or sends what cannot be read. */
  readonly mayComeWhole: boolean

  constructor(cause: Error, usage: LanguageModelV4Usage | undefined, mayComeWhole: boolean) {
    super(cause.message)
    this.cause = cause
    this.usage = usage
    this.mayComeWhole = mayComeWhole
  }
}

/** The packages' words for a stream in which no finish reason came. */
export const noReason = /ended without a finish reason/i

/** The packages' names for an event that is no JSON, or none of the interface's. */
export const unreadable: ReadonlySet<string> = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
])

/** Providers make up a reason, without the service's own word for it, when none came. */
export function isInventedReason({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return raw === undefined && !orderlyReasons.has(unified)
}

/** What a provider says only of an answer that was ended in order. */
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

/** The failure of an answer in which nothing more came. */
export function describeStall(binding: ModelBinding, idleMs: number): ScholiumError {
  return new ScholiumError(
    'model_unavailable',
    `${binding.name} stalled in the middle of its answer: no data for ${idleMs / 1000} s.`,
    { retryable: true, hint: 'Check that the service is running, then resume the run.' },
  )
}

/** What a service says inside of a stream about its failure, as an error; some name a status as if it were an answer's. */
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
