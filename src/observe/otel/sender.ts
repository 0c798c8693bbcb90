import { settlesWithin } from '../../kernel/run/deadline.ts'
import type { Destination } from './destination.ts'
import type { OtelSpan } from './otel-span.ts'
import type { Transport } from './transport.ts'

/** How spans are sent. */
export interface SenderOptions {
  readonly destination: Destination
  /** Loads what sends, on first use. */
  readonly load: (destination: Destination) => Promise<Transport>
  /** Told once, at the first span that could not be sent. */
  readonly warn: (text: string) => void
}

const batchSize = 512
const maxQueuedSpans = 8_192
const sendEveryMs = 1_000

/**
 * Sends spans in batches, one after the other. What waits is bounded: while a collector is slow, the newest are dropped and
 * counted. Nothing here ever throws to who adds a span.
 */
export class SpanSender {
  private readonly options: SenderOptions
  private waiting: OtelSpan[] = []
  private sending: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private transport: Transport | undefined
  private isTold = false
  private lost = 0
  private sent = 0

  constructor(options: SenderOptions) {
    this.options = options
  }

  /** How many spans were taken by the collector. */
  get sentCount(): number {
    return this.sent
  }

  /** How many were not. */
  get lostCount(): number {
    return this.lost
  }

  /** Takes a span; it is sent soon. */
  add(span: OtelSpan): void {
    if (this.waiting.length >= maxQueuedSpans) {
      this.lose(1, 'it is too slow')
      return
    }
    this.waiting.push(span)
    if (this.waiting.length >= batchSize) void this.send()
    else this.timer ??= setTimeout(() => void this.send(), sendEveryMs).unref()
  }

  /** Sends what waits and gives the promise of it, for who has all spans at once. */
  async flush(): Promise<void> {
    await this.send()
  }

  /** Waits until there is room again. */
  async room(): Promise<void> {
    if (this.waiting.length >= batchSize) await this.send()
  }

  /** Sends what waits, but no longer than so many milliseconds; then drops it and lets go of the network. */
  async close(withinMs: number): Promise<void> {
    if (!(await settlesWithin(this.send(), withinMs)))
      this.lose(this.waiting.length, `it did not answer within ${Math.round(withinMs / 1000)} s`)
    this.waiting = []
    this.transport?.close()
  }

  private send(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined
    })
    return this.sending
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, batchSize)
      try {
        this.transport ??= await this.options.load(this.options.destination)
        await this.transport.send(batch)
        this.sent += batch.length
      } catch (error) {
        this.lose(batch.length, error instanceof Error ? error.message : String(error))
      }
    }
  }

  private lose(count: number, reason: string): void {
    this.lost += count
    if (this.isTold) return
    this.isTold = true
    const { origin } = new URL(this.options.destination.url)
    this.options.warn(
      `Traces cannot be sent to ${origin}: ${reason}. The run itself is not affected.`,
    )
  }
}
