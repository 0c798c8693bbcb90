import type { LookupSourceName } from './sources.ts'

/**
 * Why a look-up failed: `rate_limited` too many requests; `unauthorized` key missing or refused; `not_configured` the
 * operator must name a server; `refused` the query is not accepted; `not_found`; `maintenance` a maintenance page in
 * place of data; `blocked` taken for a robot; `consent_required`; for videos `transcripts_disabled`, `no_transcript`
 * (none in the requested languages), `age_restricted`, `unavailable_video`; `server_error`; `unreachable` no complete
 * response; `malformed` an unexpected response.
 */
export type LookupReason =
  | 'rate_limited'
  | 'unauthorized'
  | 'not_configured'
  | 'refused'
  | 'not_found'
  | 'maintenance'
  | 'blocked'
  | 'consent_required'
  | 'transcripts_disabled'
  | 'no_transcript'
  | 'age_restricted'
  | 'unavailable_video'
  | 'server_error'
  | 'unreachable'
  | 'malformed'

/** A failed look-up, and what to do about it. */
export interface LookupFailure {
  readonly ok: false
  readonly source: LookupSourceName
  readonly reason: LookupReason
  /** What happened; may quote the service, so it is untrusted text. */
  readonly detail: string
  /** What a user or program can do next. */
  readonly hint: string
  /** How long the service asks to be left alone, if it said so. */
  readonly retryAfterMs?: number
  /** The environment variable of the key that is missing or refused. */
  readonly keyVariable?: string
}

/** The result of a look-up, or why it failed. */
export type Lookup<Found extends object> = ({ readonly ok: true } & Found) | LookupFailure

/** Default hints by reason. */
const hints: Readonly<Record<LookupReason, string>> = {
  rate_limited: 'Wait before using this source again, or use another one.',
  unauthorized: 'Check the key of this source.',
  not_configured: 'Configure the server of this source, or use another source.',
  refused: 'Rephrase the query.',
  not_found: 'Check the name or the identifier, or search for it.',
  maintenance: 'Try again later, or use another source.',
  blocked: 'Use another source; trying again from here is unlikely to help.',
  consent_required: 'Open the page in a browser, or use another source.',
  transcripts_disabled: 'Look for the same talk or text elsewhere.',
  no_transcript: 'Ask for one of the available languages.',
  age_restricted: 'It is visible only to signed-in users; look for another source.',
  unavailable_video: 'Look for another copy of it, or another source.',
  server_error: 'Try again later, or use another source.',
  unreachable: 'Try again later, or use another source.',
  malformed: 'Use another source; the format of its responses may have changed.',
}

/**
 * Creates a failure with the default hint for its reason, unless `more` has a better one. The detail is cut to one line
 * of 500 characters.
 */
export function failure(
  source: LookupSourceName,
  reason: LookupReason,
  detail: string,
  more: {
    readonly hint?: string
    readonly retryAfterMs?: number
    readonly keyVariable?: string
  } = {},
): LookupFailure {
  return { ok: false, source, reason, detail: oneLine(detail), hint: hints[reason], ...more }
}

const maxDetailChars = 500

function oneLine(text: string): string {
  const line = text
    .slice(0, maxDetailChars * 4)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line.length > maxDetailChars ? `${line.slice(0, maxDetailChars)}…` : line
}
