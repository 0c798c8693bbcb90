import { type FetchFailure, type FetchFailureReason, shownUrl } from './fetch-failure.ts'

/** The time limit was reached. */
export class TimedOut extends Error {
  readonly limitMs: number

  constructor(limitMs: number) {
    super(`No response within ${limitMs} ms`)
    this.limitMs = limitMs
  }
}

/** The body is larger than allowed. */
export class TooLarge extends Error {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`More than ${maxBytes} bytes`)
    this.maxBytes = maxBytes
  }
}

/** The response contradicts its headers; the message continues "What came is no sound answer:". */
export class BadAnswer extends Error {}

/** When and why the fetch was given up. */
export interface GivenUp {
  readonly isCancelled: boolean
  readonly isTimeUp: boolean
  readonly timeoutMs: number
}

type Explained = Pick<FetchFailure, 'reason' | 'detail' | 'hint'>

/** Turns an error thrown during a fetch into a failure; `undefined` if it is not a network failure. */
export function transportFailure(
  thrown: unknown,
  url: URL,
  givenUp: GivenUp,
): FetchFailure | undefined {
  const explained = explain(thrown, url, givenUp)
  if (explained === undefined) return undefined
  const code = findCode(thrown)
  return { ...explained, url: shownUrl(url), ...(code === '' ? {} : { code }) }
}

function explain(thrown: unknown, url: URL, givenUp: GivenUp): Explained | undefined {
  if (givenUp.isCancelled) {
    return { reason: 'cancelled', detail: 'It was cancelled.', hint: 'Ask again.' }
  }
  if (givenUp.isTimeUp) return timedOut(url, givenUp.timeoutMs)
  if (thrown instanceof TimedOut) return timedOut(url, thrown.limitMs)
  if (thrown instanceof TooLarge) {
    const detail = `It has more than ${megabytes(thrown.maxBytes)} MB, the maximum.`
    return { reason: 'too_large', detail, hint: 'Save the part that matters and add the file.' }
  }
  if (thrown instanceof BadAnswer) return badAnswer(thrown.message)
  return explainSystemError(thrown, url)
}

function explainSystemError(thrown: unknown, url: URL): Explained | undefined {
  if (!(thrown instanceof Error)) return undefined
  const code = findCode(thrown)
  const { hostname } = url
  const reason = reasons[code] ?? describeOther(code)
  if (reason === 'dns') {
    // Without a connection, some systems report every name as nonexistent.
    const why = code === 'ENOTFOUND' ? '' : ` (${code})`
    const detail = `The host name ${hostname} could not be resolved${why}.`
    return { reason, detail, hint: 'Check your connection and the spelling of the address.' }
  }
  if (reason === 'refused') {
    const detail = `${hostname} could not be reached (${code}).`
    return { reason, detail, hint: 'It may be down. Check your connection, or try again later.' }
  }
  if (reason === 'timeout') return timedOut(url, undefined)
  if (reason === 'reset') {
    const detail = `${hostname} closed the connection before the response was complete.`
    return { reason, detail, hint: 'Try again later.' }
  }
  if (code.startsWith('HPE_')) return badAnswer('it is not HTTP')
  if (!tlsCode.test(code)) return undefined
  const detail = `The connection to ${hostname} is not secure: ${describeTls(thrown, code)}.`
  return { reason: 'tls', detail, hint: 'Open it in a browser to see whether it can be trusted.' }
}

function findCode(thrown: unknown): string {
  const { code } = (thrown ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

const reasons: Readonly<Record<string, FetchFailureReason>> = {
  ENOTFOUND: 'dns',
  ENAMETOOLONG: 'dns',
  ENODATA: 'dns',
  ESERVFAIL: 'dns',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  ERR_STREAM_PREMATURE_CLOSE: 'reset',
}

/** Other system errors on connecting: refused, unreachable, forbidden, too many open. */
function describeOther(code: string): FetchFailureReason | undefined {
  if (code.startsWith('EAI_')) return 'dns'
  return /^E[A-Z\d]+$/.test(code) && !tlsCode.test(code) ? 'refused' : undefined
}

const tlsCode = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|EPROTO$)/

function describeTls(error: Error, code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another name'
  if (/SELF_SIGNED|UNABLE_TO_/.test(code))
    return 'its certificate is not signed by a trusted authority'
  return code === 'EPROTO' ? 'it does not support TLS' : error.message.slice(0, 200)
}

function timedOut({ hostname }: URL, limitMs: number | undefined): Explained {
  const within = limitMs === undefined ? 'in time' : `within ${Math.round(limitMs / 100) / 10} s`
  const detail = `${hostname} did not respond ${within}.`
  return { reason: 'timeout', detail, hint: 'Try again later.' }
}

function badAnswer(what: string): Explained {
  const hint = 'Open it in a browser; if that works, save what it shows and add the file.'
  return { reason: 'bad_answer', detail: `The response is not valid: ${what}.`, hint }
}

function megabytes(sizeBytes: number): number {
  return Math.round(sizeBytes / 10_000) / 100
}
