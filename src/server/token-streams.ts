import { type Access, isStillKnown } from './guard.ts'
import { RequestError } from './request-error.ts'
import type { Principal } from './tokens.ts'

/** How often is looked whether tokens of open streams were revoked. */
const checkMs = 2_000

/** A token can have this part of all streams. */
const streamShares = 5

/** The streams of tokens that the operator gave out. They end when their token is revoked. */
export class TokenStreams {
  private readonly access: Access
  private readonly maxPerToken: number
  private readonly open = new Map<AbortController, Principal>()
  private timer: NodeJS.Timeout | undefined

  constructor(access: Access, maxStreams: number) {
    this.access = access
    this.maxPerToken = Math.ceil(maxStreams / streamShares)
  }

  /** An answer that, if it is a stream, ends when its token is revoked. @throws `too_many_requests` while the token has as many as allowed */
  async guard(answer: Response, principal: Principal): Promise<Response> {
    if (answer.headers.get('content-type') !== 'text/event-stream') return answer
    const { body } = answer
    if (body === null) return answer
    const own = this.open.values().filter(({ name }) => name === principal.name)
    if ([...own].length >= this.maxPerToken) {
      await body.cancel()
      throw new RequestError(
        'too_many_requests',
        `There are ${this.maxPerToken} streams with this token already.`,
        'Close one, or try again later.',
      )
    }
    const control = new AbortController()
    const { readable, writable } = new TransformStream()
    this.open.set(control, principal)
    this.timer ??= setInterval(() => this.check(), checkMs).unref()
    const { signal } = control
    body
      .pipeTo(writable, { signal, preventAbort: true })
      .catch((error) => (signal.aborted ? writable.close() : writable.abort(error)))
      // Its reader left.
      .catch(() => {})
      .finally(() => this.forget(control))
    return new Response(readable, answer)
  }

  private check(): void {
    const principals = new Set(this.open.values())
    const revoked = new Set(
      [...principals].filter((principal) => !isStillKnown(principal, this.access)),
    )
    for (const [control, principal] of this.open) if (revoked.has(principal)) control.abort()
  }

  private forget(control: AbortController): void {
    this.open.delete(control)
    if (this.open.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }
}
