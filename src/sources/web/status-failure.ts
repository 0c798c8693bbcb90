import type { IncomingMessage } from 'node:http'
import { type FetchFailure, shownUrl } from './fetch-failure.ts'
import { mediaType } from './media-type.ts'
import { readBody } from './read-body.ts'
import { retryAfterMs } from './retry-after.ts'

const MAX_SAID_BYTES = 65_536
const MAX_SAID_UNITS = 4_000
/** A refusal whose words come slower than this is told without them. */
const MAX_SAID_MS = 2_000
const DATA_TYPES = /^(?:text\/plain|(?:application|text)\/(?:[\w.-]+\+)?(?:json|xml))$/

const LOGIN_HINT = 'Open it in a browser; if it shows there, save it and add the file.'
const LATER_HINT = 'Try again later.'
type Words = readonly [words: string, hint: string]
const STATUS_WORDS: Readonly<Record<number, Words>> = {
  401: ['requires a login', LOGIN_HINT],
  402: ['requires payment', LOGIN_HINT],
  403: ['does not allow programs to read this', LOGIN_HINT],
  404: ['has no such page', 'Check the address.'],
  410: ['no longer has this page', 'Look for a copy in a web archive.'],
  429: ['received too many requests', LATER_HINT],
  451: ['cannot show this for legal reasons', LOGIN_HINT],
  503: ['is temporarily unavailable', LATER_HINT],
}
const OTHER_STATUS: Readonly<Record<number, Words>> = {
  3: ['redirects without a target', 'Check the address.'],
  4: ['refused the request', LOGIN_HINT],
  5: ['failed', LATER_HINT],
}
const ODD_STATUS: Words = ['gave an invalid response', 'Check the address.']

/** An answer whose status is no success, as a failure. Ends the answer. */
export async function statusFailure(url: URL, response: IncomingMessage): Promise<FetchFailure> {
  const { statusCode: status = 0, headers } = response
  const waitMs = retryAfterMs(headers)
  const said = await whatItSays(response)
  const [words, hint] = STATUS_WORDS[status] ?? OTHER_STATUS[Math.floor(status / 100)] ?? ODD_STATUS
  return {
    reason: 'http_status',
    url: shownUrl(url),
    detail: `${url.hostname} ${words} (HTTP ${status}).`,
    hint,
    status,
    ...(said === '' ? {} : { said }),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  }
}

async function whatItSays(response: IncomingMessage): Promise<string> {
  const timer = setTimeout(() => response.destroy(), MAX_SAID_MS)
  try {
    if (!DATA_TYPES.test(mediaType(response.headers['content-type']))) return ''
    const bytes = await readBody(response, MAX_SAID_BYTES)
    return new TextDecoder().decode(bytes).slice(0, MAX_SAID_UNITS).toWellFormed()
  } catch {
    return '' // The status is told all the same.
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
}
