import type { Json, JsonObject } from '../../kernel/json.ts'
import type { LookupFailure, LookupReason } from '../../sources/lookup/outcome.ts'
import { lookupSources } from '../../sources/lookup/sources.ts'
import type { PageFailure } from '../../sources/web/fetch-page.ts'

/** An unavailable source and why; for users, since it may contain an address. */
export type Unavailable = {
  /** The service's name, or a page's address. */
  readonly source: string
  readonly reason: string
  readonly detail: string
}

/** Reasons that concern the query, not the source. */
const answers: ReadonlySet<LookupReason> = new Set(['refused', 'not_found'])

/** The failed look-ups whose source was unavailable. */
export function findUnavailable(failures: readonly LookupFailure[]): readonly Unavailable[] {
  return failures
    .filter(({ reason }) => !answers.has(reason))
    .map(({ source, reason, detail }) => ({ source: lookupSources[source].title, reason, detail }))
}

/** An unavailable page. */
export function unavailablePage({ url, reason, detail }: PageFailure): Unavailable {
  return { source: url, reason, detail }
}

/** The outcome of a tool without results, as data: what the model and what the user is told. */
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

/** Reasons that concern a video, not its source. */
const videoHint: ReadonlySet<LookupReason> = new Set([
  'transcripts_disabled',
  'no_transcript',
  'age_restricted',
  'unavailable_video',
])

/** A failed look-up. Reasons that concern `url` itself are attributed to it, not to its source. */
export function lookupFailed(failure: LookupFailure, url?: string): JsonObject {
  const unavailable = findUnavailable([failure]).map((one) =>
    url !== undefined && videoHint.has(failure.reason) ? { ...one, source: url } : one,
  )
  return nothingFound(failure.detail, failure.hint, unavailable)
}

/** Removes addresses from a text, since models work with numbers. */
export function removeAddresses(text: string): string {
  return text.replaceAll(/\bhttps?:\/\/[^\s<>"]+/gi, '(address)')
}
