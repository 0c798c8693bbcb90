import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { readRetryAfterMs } from '../../kernel/model/errors/retry-after.ts'
import { type FetchFailure, shownUrl } from './fetch-failure.ts'
import { parseMediaType } from './page-kind.ts'
import { readBody } from './read-body.ts'

/** How long a response asks to wait, in milliseconds; `undefined` if it does not say. */
export function parseRetryAfter(headers: IncomingHttpHeaders): number | undefined {
  const texts = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const waitMs = readRetryAfterMs({
    status: undefined,
    message: '',
    kinds: '',
    causes: new Set(),
    headers: Object.fromEntries(texts),
    body: undefined,
    isHtml: false,
    isRetryable: undefined,
  })
  return waitMs === undefined ? undefined : Math.ceil(waitMs)
}

const maxSaidBytes = 65_536
const maxSaidUnits = 4_000
/** How long to wait for a refusal's text. */
const maxSaidMs = 2_000
const dataTypes = /^(?:text\/plain|(?:application|text)\/(?:[\w.-]+\+)?(?:json|xml))$/

const loginHint = 'Open it in a browser; if it shows there, save it and add the file.'
const laterHint = 'Try again later.'
type Words = readonly [words: string, hint: string]
const statusWords: Readonly<Record<number, Words>> = {
  401: ['requires a login', loginHint],
  402: ['requires payment', loginHint],
  403: ['does not allow programs to read this', loginHint],
  404: ['has no such page', 'Check the address.'],
  410: ['no longer has this page', 'Look for a copy in a web archive.'],
  429: ['received too many requests', laterHint],
  451: ['cannot show this for legal reasons', loginHint],
  503: ['is temporarily unavailable', laterHint],
}
const otherStatus: Readonly<Record<number, Words>> = {
  3: ['redirects without a target', 'Check the address.'],
  4: ['refused the request', loginHint],
  5: ['failed', laterHint],
}
const oddStatus: Words = ['gave an invalid response', 'Check the address.']

/** Turns a response with an unsuccessful status into a failure, and closes it. */
export async function statusFailure(url: URL, response: IncomingMessage): Promise<FetchFailure> {
  const { statusCode: status = 0, headers } = response
  const waitMs = parseRetryAfter(headers)
  const said = await readExcerpt(response)
  const [words, hint] = statusWords[status] ?? otherStatus[Math.floor(status / 100)] ?? oddStatus
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

async function readExcerpt(response: IncomingMessage): Promise<string> {
  const timer = setTimeout(() => response.destroy(), maxSaidMs)
  try {
    if (!dataTypes.test(parseMediaType(response.headers['content-type']))) return ''
    const bytes = await readBody(response, maxSaidBytes)
    return new TextDecoder().decode(bytes).slice(0, maxSaidUnits).toWellFormed()
  } catch {
    return '' // The status is reported in any case.
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
}
