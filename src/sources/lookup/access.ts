import type { CslDate, CslItem } from '../../citations/source.ts'
import { failure, type LookupFailure } from './outcome.ts'
import { type LookupSourceName, lookupSources } from './sources.ts'

/** What look-ups need of the world. */
export interface LookupAccess {
  readonly fetcher: Fetcher
  /** How the program names itself, with an address for its operator: several sources answer nobody without. */
  readonly userAgent: string
  /** An e-mail address that sources may write to; with it Crossref answers sooner. */
  readonly contact?: string
  /** The day of the look-up, for references. */
  readonly accessed?: CslDate
  /** Keys by the names of their environment variables. */
  readonly keys?: Readonly<Record<string, string | undefined>>
  /** Servers in place of the usual ones, as {@link LookupSourceInfo.baseUrl} writes them. */
  readonly baseUrls?: { readonly [name in LookupSourceName]?: string }
}

/** Where a source is, without a slash at its end, or that nobody has said where. */
export function findBaseUrl(
  access: LookupAccess,
  source: LookupSourceName,
): string | LookupFailure {
  const { baseUrl, baseUrlVariable, title } = lookupSources[source]
  const written = access.baseUrls?.[source] ?? baseUrl
  if (written === undefined) {
    return failure(source, 'not_configured', `No ${title} server is configured.`, {
      hint: `Set ${baseUrlVariable} to its address, or use another source.`,
    })
  }
  return written.replace(/\/+$/, '')
}

/** The key of a source, `undefined` where it does without one, or that it needs one. */
export function findKey(
  access: LookupAccess,
  source: LookupSourceName,
): string | undefined | LookupFailure {
  const { keyVariable, isKeyRequired, title } = lookupSources[source]
  const key = keyVariable === undefined ? undefined : access.keys?.[keyVariable]?.trim()
  if (key !== undefined && key !== '') return key
  if (!isKeyRequired || keyVariable === undefined) return undefined
  return failure(source, 'unauthorized', `${title} needs a key, but none is set.`, {
    hint: `Set ${keyVariable}, or use another source.`,
    keyVariable,
  })
}

/** A reference with the day on which it was looked up, where that is known. */
export function withAccessDate(item: CslItem, access: LookupAccess): CslItem {
  return access.accessed === undefined ? item : { ...item, accessed: access.accessed }
}

/** A request of a look-up. */
export interface LookupRequest {
  readonly url: string
  /** Default `GET`. */
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The media type that is asked for. */
  readonly accept?: string
}

/** What came of a request: an answer of any status, or why there is none. */
export type FetchOutcome =
  | {
      readonly ok: true
      readonly status: number
      /** Where it came from after redirections. */
      readonly url: string
      /** By names in small letters. */
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  | {
      readonly ok: false
      /** `cooling_down` is known here: it was not asked, since it has to be left alone. */
      readonly reason: string
      readonly detail: string
      /** Where a server answered with a status that is no success. */
      readonly status?: number
      readonly retryAfterMs?: number
    }

/** Fetches for look-ups, within the limits and guards of whoever gives it; never rejects for what a server does. */
export type Fetcher = (request: LookupRequest) => Promise<FetchOutcome>
