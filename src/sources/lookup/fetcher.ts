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
