import type { HttpBindings } from '@hono/node-server'
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

  /**
   * A body that takes a slot until it has ended, and whose reader is cut off if it takes nothing for too long.
   * @param connection is closed then. Default: the stream fails
   * @throws `too_many_requests` while all slots are taken
   */
  async guard(
    body: ReadableStream<Uint8Array>,
    principal: Principal,
    connection?: HttpBindings['outgoing'],
  ): Promise<ReadableStream<Uint8Array>> {
    const free = await this.takeFor(body, principal)
    const reader = body.getReader()
    let slowTimer: NodeJS.Timeout | undefined
    let isOpen = true
    const end = () => {
      clearTimeout(slowTimer)
      if (isOpen) free()
      isOpen = false
    }
    return new ReadableStream({
      pull: async (controller) => {
        clearTimeout(slowTimer)
        try {
          const { done, value } = await reader.read()
          if (done) {
            end()
            controller.close()
            return
          }
          controller.enqueue(value)
          slowTimer = setTimeout(() => {
            end()
            const error = new Error('The reader is too slow.')
            reader.cancel(error).catch(() => {})
            if (connection === undefined) controller.error(error)
            else connection.destroy()
          }, this.slowReaderMs)
        } catch (error) {
          end()
          controller.error(error)
        }
      },
      cancel: (reason) => {
        end()
        return reader.cancel(reason)
      },
    })
  }

  private async takeFor(body: ReadableStream, principal: Principal): Promise<() => void> {
    try {
      return this.take(principal)
    } catch (error) {
      await body.cancel()
      throw error
    }
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
