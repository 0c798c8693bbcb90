import { ScholiumError } from '../../errors.ts'
import { type RefusalFacts, readRefusal } from './refusal-facts.ts'
import { classifyRefusal, type RefusalReason, readTokenCounts } from './refusal-reason.ts'
import { describeReason, type Refused, refusalHint } from './refusal-text.ts'
import { formatWaitEnd, readRetryAfterMs } from './retry-after.ts'

/** Maximum wait inside a run, in milliseconds. For a longer wait, the run is suspended and reports when it can be resumed. */
export const maxWaitMs = 60_000

/** Temporary reasons: the call is retried. */
const temporaryReasons: ReadonlySet<RefusalReason> = new Set([
  'timed_out',
  'not_listening',
  'host_unknown',
  'connection_lost',
  'rate_limited',
  'overloaded',
  'service_failed',
])

/** Reasons that the user can fix outside the run, which can then be resumed; not retried automatically. */
const fixableReasons: ReadonlySet<RefusalReason> = new Set([
  'not_trusted',
  'no_credit',
  'key_refused',
  'not_allowed',
  'model_not_found',
  'no_memory',
  'not_the_interface',
])

/**
 * Why an attempt at a call failed: what happened, whether a retry can help, and what the user can do. `details.reason` is the
 * same for all providers, see {@link RefusalReason}.
 */
export function describeRefusal(
  binding: Refused,
  thrown: unknown,
  isCancelled: boolean,
): ScholiumError {
  const own = ownError(thrown)
  if (own !== undefined) return own
  const facts = readRefusal(thrown)
  if (binding.effect === 'pure')
    return new ScholiumError('internal', `${binding.name} failed: ${facts.message}`, {
      cause: thrown,
    })
  if (isCancelled)
    return new ScholiumError('cancelled', 'The run was interrupted.', { cause: thrown })
  const reason = classifyRefusal(facts)
  const waitMs = readRequestedWaitMs(reason, facts)
  const isPassing = isPassingFor(reason, facts)
  const isWaitedFor = isPassing && (waitMs ?? 0) <= maxWaitMs
  const until = waitMs === undefined || isWaitedFor ? undefined : formatWait(facts, waitMs)
  return new ScholiumError(
    isWaitedFor ? 'model_unavailable' : 'model_failed',
    `${binding.name} ${describeReason(reason, { binding, facts, until })}`,
    {
      retryable: isPassing || fixableReasons.has(reason),
      hint: refusalHint(reason, { binding, facts, until }),
      cause: thrown,
      details: {
        reason,
        ...(facts.status === undefined ? {} : { status: facts.status }),
        ...(waitMs === undefined ? {} : { retryAfterSeconds: Math.ceil(waitMs / 1000) }),
        ...(reason === 'context_too_long' ? { ...readTokenCounts(facts.message) } : {}),
      },
    },
  )
}

/** Our own error, even if a package has wrapped it. */
function ownError(thrown: unknown): ScholiumError | undefined {
  if (thrown instanceof ScholiumError) return thrown
  const isWrapped = thrown instanceof Error && thrown.cause instanceof ScholiumError
  return isWrapped ? (thrown.cause as ScholiumError) : undefined
}

/**
 * How long to wait before the next attempt: as long as the service requests, otherwise with exponential backoff. `random` is in
 * [0, 1).
 */
export function retryDelayMs(thrown: unknown, attemptNumber: number, random: number): number {
  const asked = thrown instanceof ScholiumError ? 0 : (readRetryAfterMs(readRefusal(thrown)) ?? 0)
  if (asked > 0) return Math.min(asked, maxWaitMs)
  return 500 * 2 ** (attemptNumber - 1) * (1 + random)
}

/** Whether the service rejected the call or was never reached, so that nothing is charged. */
export function isUnbilled(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  if (thrown instanceof ScholiumError) return isRedirect(thrown.details.status)
  const { statusCode, cause } = thrown as { statusCode?: number; cause?: unknown }
  if ((statusCode ?? 0) >= 400) return true
  if (unsendable.test(thrown.message)) return true
  const reason = classifyRefusal(readRefusal(thrown))
  return unsent.has(reason) || isUnbilled(cause)
}

/**
 * The messages of `fetch` for an address to which it sends nothing.
 * @see https://fetch.spec.whatwg.org/#bad-port
 */
const unsendable = /^(?:bad port|unknown scheme|invalid url|failed to parse url\b.*)$/i

function isRedirect(status: unknown): boolean {
  return typeof status === 'number' && status >= 300 && status < 400
}

const unsent: ReadonlySet<RefusalReason> = new Set(['not_listening', 'host_unknown', 'not_trusted'])

function isPassingFor(
  reason: RefusalReason,
  { isRetryable, status, causes }: RefusalFacts,
): boolean {
  if (reason !== 'unknown') return temporaryReasons.has(reason)
  const isOfPackage = [...causes].some(
    (name) => name.startsWith('AI_') && name !== 'AI_APICallError',
  )
  return isRetryable ?? (status === undefined && !isOfPackage)
}

function readRequestedWaitMs(reason: RefusalReason, facts: RefusalFacts): number | undefined {
  if (reason !== 'rate_limited' && reason !== 'overloaded' && reason !== 'service_failed')
    return undefined
  return readRetryAfterMs(facts)
}

function formatWait(facts: RefusalFacts, waitMs: number): string {
  const minutes = Math.ceil(waitMs / 60_000)
  const span = minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} hours`
  const end = formatWaitEnd(facts, waitMs)
  return end === undefined ? `for ${span}` : `for ${span}, until ${end}`
}
