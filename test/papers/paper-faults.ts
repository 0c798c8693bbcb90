import type { ServerResponse } from 'node:http'

/** What goes wrong with one answer. */
export type Fault =
  /** Another status in place of the answer, with `Retry-After` where seconds are given. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly retryAfterSeconds?: number
      readonly text?: string
    }
  /** A web page with status 200 in place of the answer. */
  | { readonly kind: 'page'; readonly title: string }
  /** Exactly this text, with status 200. */
  | { readonly kind: 'body'; readonly text: string; readonly type?: string }
  /** The connection is closed without an answer. */
  | { readonly kind: 'reset' }
  /** The connection is closed after so many bytes of the body. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The body comes in pieces, with a wait before each. */
  | { readonly kind: 'slow'; readonly pieceBytes: number; readonly gapMs: number }
  /** The head comes, and then nothing. */
  | { readonly kind: 'stall'; readonly afterBytes: number }
  /** No answer ever. */
  | { readonly kind: 'hang' }
  /** `Range` is not understood: the whole file comes with status 200. */
  | { readonly kind: 'no-ranges' }
  /** Neither `Content-Length` nor validators: the end of the connection is the end of the file. */
  | { readonly kind: 'no-length' }

/** An answer before a fault had its way with it. */
export interface Prepared {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The page that a service shows to people while it is not there for programs. */
export function webPage(title: string): string {
  return `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>Please come back later.</p></body></html>`
}

/** Sends an answer with its fault, if it has one. */
export async function sendWithFault(
  response: ServerResponse,
  prepared: Prepared,
  fault: Fault | undefined,
): Promise<void> {
  const replaced = replacement(fault)
  if (replaced !== undefined) {
    response.writeHead(replaced.status, replaced.headers).end(replaced.body)
    return
  }
  if (fault?.kind === 'hang') return
  if (fault?.kind === 'reset') {
    response.destroy()
    return
  }
  const headers = fault?.kind === 'no-length' ? withoutLength(prepared.headers) : prepared.headers
  response.writeHead(prepared.status, headers)
  await sendBody(response, prepared.body, fault)
}

async function sendBody(
  response: ServerResponse,
  body: Buffer,
  fault: Fault | undefined,
): Promise<void> {
  if (fault?.kind === 'cut') {
    response.write(body.subarray(0, fault.afterBytes), () =>
      setTimeout(() => response.destroy(), 20),
    )
  } else if (fault?.kind === 'stall') response.write(body.subarray(0, fault.afterBytes))
  else if (fault?.kind === 'slow') {
    for (let at = 0; at < body.length && !response.destroyed; at += fault.pieceBytes) {
      await new Promise((resolve) => setTimeout(resolve, fault.gapMs))
      response.write(body.subarray(at, at + fault.pieceBytes))
    }
    response.end()
  } else response.end(body)
}

function replacement(fault: Fault | undefined): Prepared | undefined {
  const page = (status: number, text: string, type: string, more = {}): Prepared => ({
    status,
    headers: { 'content-type': type, ...more },
    body: Buffer.from(text),
  })
  if (fault?.kind === 'page') return page(200, webPage(fault.title), 'text/html; charset=utf-8')
  if (fault?.kind === 'body') return page(200, fault.text, fault.type ?? 'text/plain')
  if (fault?.kind !== 'status') return undefined
  const { status, retryAfterSeconds, text = '' } = fault
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return page(status, text, 'text/plain', wait)
}

function withoutLength(headers: Prepared['headers']): Readonly<Record<string, string>> {
  const validators = ['content-length', 'etag', 'last-modified', 'accept-ranges']
  const kept = Object.entries(headers).filter(([name]) => !validators.includes(name))
  return { ...Object.fromEntries(kept), connection: 'close' }
}
