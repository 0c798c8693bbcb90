import { type Access, isStillKnown } from './guard.ts'
import type { Principal } from './tokens.ts'

/** How often is looked whether tokens of open streams were revoked. */
const checkMs = 2_000

/** The streams of tokens that the operator gave out. They end when their token is revoked. */
export class TokenStreams {
  private readonly access: Access
  private readonly open = new Map<AbortController, Principal>()
  private timer: NodeJS.Timeout | undefined

  constructor(access: Access) {
    this.access = access
  }

  /** An answer that, if it is a stream, ends when its token is revoked. */
  guard(answer: Response, principal: Principal): Response {
    if (answer.headers.get('content-type') !== 'text/event-stream') return answer
    const { body } = answer
    if (body === null) return answer
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
