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
  rate_limited: 'Wait before asking this source again, or ask another one.',
  unauthorized: 'Check the key of this source.',
  not_configured: 'Name the server of this source in the configuration, or ask another source.',
  refused: 'Put the question in another way.',
  not_found: 'Check the name or the identifier, or search for it.',
  maintenance: 'Ask again later, or ask another source.',
  blocked: 'Ask another source; asking again from here will hardly help.',
  consent_required: 'Open the page in a browser, or ask another source.',
  transcripts_disabled: 'Look for the same talk or text elsewhere.',
  no_transcript: 'Ask for one of the languages that there are.',
  age_restricted: 'It can only be seen by people who are signed in; look for another source.',
  unavailable_video: 'Look for another copy of it, or another source.',
  server_error: 'Ask again later, or ask another source.',
  unreachable: 'Ask again later, or ask another source.',
  malformed: 'Ask another source; the form of its answers may have changed.',
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
