import { type FetchOutcome, findKey, type LookupAccess, type LookupRequest } from './access.ts'
import { failure, type LookupFailure, type LookupReason } from './outcome.ts'
import { type LookupSourceName, lookupSources } from './sources.ts'

/** A response of any status. */
export type Answer = Extract<FetchOutcome, { ok: true }>

/** Maximum length of a response in UTF-16 code units; the longest have about 2 million. */
const maxAnswerChars = 16_000_000

/** Sends a request under the program's name; returns a response of any status, or why there is none. */
export async function send(
  access: LookupAccess,
  source: LookupSourceName,
  request: LookupRequest,
): Promise<Answer | LookupFailure> {
  const headers = { 'user-agent': access.userAgent, ...request.headers }
  const outcome = await access.fetcher({ ...request, headers })
  const { title } = lookupSources[source]
  if (!outcome.ok) return toUnanswered(access, source, outcome)
  if (outcome.text.length > maxAnswerChars) {
    const said = `The response from ${title} has ${outcome.text.length} characters; the maximum is ${maxAnswerChars}.`
    return failure(source, 'malformed', said)
  }
  return outcome
}

function toUnanswered(
  access: LookupAccess,
  source: LookupSourceName,
  { reason, detail, status, retryAfterMs: waitMs }: Extract<FetchOutcome, { ok: false }>,
): LookupFailure {
  const { title } = lookupSources[source]
  const told = redactKey(access, source, detail || reason)
  const known = waitMs === undefined ? {} : { retryAfterMs: waitMs }
  if (status !== undefined) return statusFailure(source, status, told, known)
  if (reason === 'cooling_down') return failure(source, 'rate_limited', told, known)
  return failure(source, 'unreachable', `${title} could not be reached: ${told}`, known)
}

/** Sends a request; every unsuccessful status is a failure. */
export async function sendForSuccess(
  access: LookupAccess,
  source: LookupSourceName,
  request: LookupRequest,
): Promise<Answer | LookupFailure> {
  const answer = await send(access, source, request)
  return 'reason' in answer ? answer : (toFailure(access, source, answer) ?? answer)
}

/** A key never appears in a failure, even if the address or the service repeats it. */
function redactKey(access: LookupAccess, source: LookupSourceName, told: string): string {
  const key = findKey(access, source)
  return typeof key === 'string' ? told.replaceAll(key, '[key]') : told
}

/** The failure for a response's status; `undefined` for success. */
export function toFailure(
  access: LookupAccess,
  source: LookupSourceName,
  answer: Answer,
): LookupFailure | undefined {
  if (answer.status >= 200 && answer.status < 300) return undefined
  const waitMs = readRetryAfter(answer)
  const known = waitMs === undefined ? {} : { retryAfterMs: waitMs }
  const said = redactKey(access, source, findMessage(answer.text))
  return statusFailure(source, answer.status, said, known)
}

function statusFailure(
  source: LookupSourceName,
  status: number,
  said: string,
  known: { readonly retryAfterMs?: number },
): LookupFailure {
  const { title, keyVariable } = lookupSources[source]
  const detail = `${title} answered ${status}${said === '' ? '.' : `: ${said}`}`
  const reason =
    status === 403 && /rate.?limit|too many/i.test(said) ? 'rate_limited' : toReason(status)
  if (reason !== 'unauthorized') return failure(source, reason, detail, known)
  if (keyVariable === undefined) return failure(source, 'blocked', detail, known)
  const hint = `Check ${keyVariable}: the service requires a key or does not accept this one.`
  return failure(source, reason, detail, { ...known, hint, keyVariable })
}

function toReason(status: number): LookupReason {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 429) return 'rate_limited'
  if (status === 503) return 'maintenance'
  return status >= 500 ? 'server_error' : 'refused'
}

/**
 * How long a response asks to wait, in milliseconds: seconds, or a date relative to the response's own.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function readRetryAfter({ headers }: Answer): number | undefined {
  const written = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(written)) return Number(written) * 1_000
  const waitMs = Date.parse(written) - Date.parse(headers.date ?? '')
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

/** The service's explanation of a refusal: a JSON message or short text, never a page. */
function findMessage(text: string): string {
  try {
    return readMessage(JSON.parse(text), 3) ?? ''
  } catch {
    return /^\s*</.test(text) ? '' : text.slice(0, 200).trim()
  }
}

function readMessage(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth === 0) return undefined
  const record = value as Readonly<Record<string, unknown>>
  const parts = Array.isArray(value)
    ? value.slice(0, 3)
    : [record.message, record.detail, record.error, record.info]
  for (const part of parts) {
    const found = readMessage(part, depth - 1)
    if (found !== undefined && found !== '') return found
  }
  return undefined
}

/** The JSON object or list in a response, or a failure. */
export function parseJsonAnswer(
  source: LookupSourceName,
  answer: Answer,
): { readonly json: Readonly<Record<string, unknown>> | readonly unknown[] } | LookupFailure {
  try {
    const json: unknown = JSON.parse(answer.text)
    if (typeof json === 'object' && json !== null) {
      return { json: json as Readonly<Record<string, unknown>> | readonly unknown[] }
    }
  } catch {
    // Invalid JSON is reported below.
  }
  const { title } = lookupSources[source]
  const isPage = /^\s*<(?:!doctype|html)/i.test(answer.text)
  return isPage
    ? failure(source, 'maintenance', `${title} returned a web page instead of data.`)
    : failure(source, 'malformed', `${title} returned a response that is not JSON.`)
}
