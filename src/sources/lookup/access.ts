import type { CslDate, CslItem } from '../../citations/source.ts'
import { failure, type LookupFailure } from './outcome.ts'
import { type LookupSourceName, lookupSources } from './sources.ts'

/** What look-ups need from their surroundings. */
export interface LookupAccess {
  readonly fetcher: Fetcher
  /** How the program identifies itself, with a contact address; several services answer nobody else. */
  readonly userAgent: string
  /** Contact e-mail address for services; Crossref answers faster with one. */
  readonly contact?: string
  /** The date of the look-up, for references. */
  readonly accessed?: CslDate
  /** Keys by the names of their environment variables. */
  readonly keys?: Readonly<Record<string, string | undefined>>
  /** Servers that replace the default ones, in the format of {@link LookupSourceInfo.baseUrl}. */
  readonly baseUrls?: { readonly [name in LookupSourceName]?: string }
}

/** A service's base address without a trailing slash, or a failure if none is configured. */
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

/** A service's key, `undefined` if it works without one, or a failure if it is required. */
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

/** Adds the date of the look-up to a reference, if known. */
export function withAccessDate(item: CslItem, access: LookupAccess): CslItem {
  return access.accessed === undefined ? item : { ...item, accessed: access.accessed }
}

/** A look-up's request. */
export interface LookupRequest {
  readonly url: string
  /** Default `GET`. */
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The requested media type. */
  readonly accept?: string
}

/** The outcome of a request: a response of any status, or why there is none. */
export type FetchOutcome =
  | {
      readonly ok: true
      readonly status: number
      /** The final address after redirects. */
      readonly url: string
      /** By lower-case name. */
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  | {
      readonly ok: false
      /** `cooling_down` means that no request was sent, because the service must be left alone. */
      readonly reason: string
      readonly detail: string
      /** If the server responded with an unsuccessful status. */
      readonly status?: number
      readonly retryAfterMs?: number
    }

/** Sends requests for look-ups, within the limits and guards of its creator; never rejects because of a server. */
export type Fetcher = (request: LookupRequest) => Promise<FetchOutcome>
