import { RequestError } from './request-error.ts'
import type { Principal } from './tokens.ts'

/** How many streams may be open at once. */
export interface StreamLimits {
  readonly maxStreams: number
  /** Of one token; admins are limited by `maxStreams` only. */
  readonly maxStreamsPerToken: number
  /** Milliseconds after which a reader that takes nothing is cut off. */
  readonly slowReaderMs: number
}

/** The streams of a server. */
export class StreamSlots {
  private readonly limits: StreamLimits
  private readonly openOf = new Map<string, number>()
  private open = 0

  constructor(limits: StreamLimits) {
    this.limits = limits
  }

  /** Milliseconds after which a reader that takes nothing is cut off. */
  get slowReaderMs(): number {
    return this.limits.slowReaderMs
  }

  /** Takes a slot, and returns what gives it back. @throws `too_many_requests` while all are taken */
  take({ name, role }: Principal): () => void {
    const { maxStreams, maxStreamsPerToken } = this.limits
    const own = this.openOf.get(name) ?? 0
    if (this.open >= maxStreams) throw tooMany(`There are ${maxStreams} streams already.`)
    if (role !== 'admin' && own >= maxStreamsPerToken)
      throw tooMany(`There are ${maxStreamsPerToken} streams with this token already.`)
    this.open++
    this.openOf.set(name, own + 1)
    return () => this.free(name)
  }

  private free(name: string): void {
    this.open--
    const left = (this.openOf.get(name) ?? 1) - 1
    if (left === 0) this.openOf.delete(name)
    else this.openOf.set(name, left)
  }
}

function tooMany(message: string): RequestError {
  return new RequestError('too_many_requests', message, 'Close one, or try again later.')
}
