import type { Json, JsonObject } from '../../kernel/json.ts'
import type { LookupFailure, LookupReason } from '../../sources/lookup/outcome.ts'
import { lookupSources } from '../../sources/lookup/sources.ts'
import type { PageFailure } from '../../sources/web/fetch-page.ts'

/** A source that could not be had, with why: for people, since it may name an address. */
export type Unavailable = {
  /** The service's name, or a page's address. */
  readonly source: string
  readonly reason: string
  readonly detail: string
}

/** Answers that say something of what was asked for, not of the source. */
const answers: ReadonlySet<LookupReason> = new Set(['refused', 'not_found'])

/** The look-ups among some that failed because their source could not be had. */
export function findUnavailable(failures: readonly LookupFailure[]): readonly Unavailable[] {
  return failures
    .filter(({ reason }) => !answers.has(reason))
    .map(({ source, reason, detail }) => ({ source: lookupSources[source].title, reason, detail }))
}

/** A page that could not be had. */
export function unavailablePage({ url, reason, detail }: PageFailure): Unavailable {
  return { source: url, reason, detail }
}

/** The outcome of a tool that came to nothing, as data: what the model is told, and what the person is. */
export function nothingFound(
  error: string,
  hint: string,
  unavailable: readonly Unavailable[],
): JsonObject {
  return {
    error: removeAddresses(error),
    code: 'tool_failed',
    hint: removeAddresses(hint),
    unavailable: unavailable as unknown as Json,
  }
}

/** Reasons that are of a video, and say nothing of its source. */
const videoHint: ReadonlySet<LookupReason> = new Set([
  'transcripts_disabled',
  'no_transcript',
  'age_restricted',
  'unavailable_video',
])

/** A look-up that came to nothing. What `url` itself is the reason of is told of it, not of its source. */
export function lookupFailed(failure: LookupFailure, url?: string): JsonObject {
  const unavailable = findUnavailable([failure]).map((one) =>
    url !== undefined && videoHint.has(failure.reason) ? { ...one, source: url } : one,
  )
  return nothingFound(failure.detail, failure.hint, unavailable)
}

/** A text in which no address stands: models work with numbers. */
export function removeAddresses(text: string): string {
  return text.replaceAll(/\bhttps?:\/\/[^\s<>"]+/gi, '(address)')
}
