import type { IncomingHttpHeaders } from 'node:http'
import { askedWaitMs } from '../../kernel/model/errors/retry-after.ts'

/** How long an answer asks to be left alone, in milliseconds; `undefined` when it does not say. */
export function retryAfterMs(headers: IncomingHttpHeaders): number | undefined {
  const texts = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const waitMs = askedWaitMs({
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
