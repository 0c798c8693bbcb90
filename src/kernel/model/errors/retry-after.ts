import type { RefusalFacts } from './refusal-facts.ts'

/** Longer waits than this, in milliseconds, are invalid: no service means a year. */
const maxAskedMs = 365 * 86_400_000

/**
 * The wait that a service requests, in milliseconds; `undefined` if there is none. Dates are relative to the service's clock, the
 * `date` header of the same response.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 * @see https://cloud.google.com/apis/design/errors#error_payloads RetryInfo
 */
export function readRetryAfterMs(facts: RefusalFacts): number | undefined {
  const { headers } = facts
  const candidates = [
    parseNumber(headers['retry-after-ms']),
    retryAfter(headers['retry-after'], headers.date),
    parseDurationMs(retryInfo(facts.body)),
    ...['requests', 'tokens'].map((what) =>
      // A limit with a remaining allowance requires no wait.
      parseNumber(headers[`x-ratelimit-remaining-${what}`]) === 0
        ? parseDurationMs(headers[`x-ratelimit-reset-${what}`])
        : undefined,
    ),
    parseDurationMs(/try again in ([\d.hms]+)/i.exec(facts.message)?.[1]),
  ]
  return candidates.find((waitMs) => waitMs !== undefined && waitMs >= 0 && waitMs <= maxAskedMs)
}

/** The end of a requested wait, as `2026-11-20 14:05 UTC`; `undefined` if the service gives no date. */
export function formatWaitEnd(facts: RefusalFacts, waitMs: number): string | undefined {
  const end = new Date(Date.parse(facts.headers.date ?? '') + waitMs)
  if (Number.isNaN(end.getTime())) return undefined
  return `${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function retryAfter(value: string | undefined, date: string | undefined): number | undefined {
  const seconds = parseNumber(value)
  if (seconds !== undefined) return seconds * 1000
  const waitMs = Date.parse(value ?? '') - Date.parse(date ?? '')
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

/** Durations such as `20ms`, `1.5s`, `6m0s`, `1h2m3s`, or seconds alone. */
function parseDurationMs(text: string | undefined): number | undefined {
  const seconds = parseNumber(text)
  if (seconds !== undefined) return seconds * 1000
  const parts = [...(text ?? '').matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  if (parts.length === 0) return undefined
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitMs(unit), 0)
}

function unitMs(unit: string | undefined): number {
  if (unit === 'h') return 3_600_000
  if (unit === 'm') return 60_000
  return unit === 's' ? 1_000 : 1
}

interface GoogleBody {
  readonly error?: { readonly details?: readonly { readonly retryDelay?: unknown }[] }
}

function retryInfo(body: unknown): string | undefined {
  const details = (body as GoogleBody | undefined)?.error?.details
  if (!Array.isArray(details)) return undefined
  const found: unknown = details.find((detail) => detail?.retryDelay !== undefined)?.retryDelay
  return typeof found === 'string' ? found : undefined
}

function parseNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined
  return Number(text)
}
