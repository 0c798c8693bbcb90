import { failure, type LookupFailure } from '../outcome.ts'
import { jsonObjectAt } from './page-json.ts'

/** What a watch page has for a program. */
export interface WatchPage {
  /** What the player on it is told; `undefined` where there is none. */
  readonly player?: unknown
  /** The public key with which pages ask for more. */
  readonly apiKey?: string
}

/** Reads a watch page, or says that another page came in its place. */
export function watchPageIn(html: string): WatchPage | LookupFailure {
  if (/action="https:\/\/consent\.(?:youtube|google)\.com\//.test(html)) {
    const detail = 'YouTube asks for cookie consent before it shows the page.'
    return failure('youtube', 'consent_required', detail)
  }
  if (/class="g-recaptcha"|\/sorry\/index/.test(html)) {
    const detail = 'YouTube asks for proof that the user is human.'
    return failure('youtube', 'blocked', detail)
  }
  const player = jsonObjectAt(html, /\bytInitialPlayerResponse\s*=\s*/g)
  const apiKey = /"INNERTUBE_API_KEY":\s*"([\w-]{10,100})"/.exec(html)?.[1]
  if (player === undefined && apiKey === undefined) {
    return failure('youtube', 'malformed', 'The page is not a video page.')
  }
  return { player, ...(apiKey === undefined ? {} : { apiKey }) }
}
