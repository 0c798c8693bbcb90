import type { LookupSourceName } from './sources.ts'

/**
 * Why a look-up gave nothing:
 * `rate_limited` asked too often; `unauthorized` the key is missing or refused; `not_configured` the operator has to name a
 * server first; `refused` the source does not take the question; `not_found` it has no such thing; `maintenance` it gives a
 * page for people in place of data; `blocked` it takes us for a robot; `consent_required` it wants a consent first;
 * `transcripts_disabled`, `no_transcript` (none in the languages asked for), `age_restricted`, `unavailable_video` of videos;
 * `server_error` it failed; `unreachable` no answer came, or not all of it; `malformed` the answer is not what it should be.
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

/** A look-up that gave nothing, and what can be done. */
export interface LookupFailure {
  readonly ok: false
  readonly source: LookupSourceName
  readonly reason: LookupReason
  /** What happened; it may quote the source, so it is no text to trust. */
  readonly detail: string
  /** What a person or a program can do next. */
  readonly hint: string
  /** How long the source wants to be left alone; only where it said so. */
  readonly retryAfterMs?: number
  /** The environment variable of the key that is missing or refused. */
  readonly keyVariable?: string
}

/** What a look-up gave, or why it gave nothing. */
export type Lookup<Found extends object> = ({ readonly ok: true } & Found) | LookupFailure

/** What can be done about each reason, where the place of the failure knows nothing better. */
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

/** A failure, with the usual hint for its reason unless `more` has a better one. Its detail is one line of at most 500 characters. */
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
