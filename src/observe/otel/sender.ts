import { settlesWithin } from '../../kernel/run/deadline.ts'
import type { Destination } from './destination.ts'
import type { OtelSpan } from './otel-span.ts'
import type { Transport } from './transport.ts'

/** How spans are sent. */
export interface SenderOptions {
  readonly destination: Destination
  /** Loads the transport on first use. */
  readonly load: (destination: Destination) => Promise<Transport>
  /** Called once, at the first span that could not be sent. */
  readonly warn: (text: string) => void
}

const batchSize = 512
const maxQueuedSpans = 8_192
const sendEveryMs = 1_000

/**
 * Sends spans in sequential batches. The queue is bounded: if a collector is slow, the newest spans are dropped and counted.
 * Adding a span never throws.
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

  /** Number of spans that the collector accepted. */
  get sentCount(): number {
    return this.sent
  }

  /** Number of spans that were lost. */
  get lostCount(): number {
    return this.lost
  }

  /** Queues a span, to be sent soon. */
  add(span: OtelSpan): void {
    if (this.waiting.length >= maxQueuedSpans) {
      this.lose(1, 'it is too slow')
      return
    }
    this.waiting.push(span)
    if (this.waiting.length >= batchSize) void this.send()
    else this.timer ??= setTimeout(() => void this.send(), sendEveryMs).unref()
  }

  /** Sends the queue and waits for it, for callers that have all spans at once. */
  async flush(): Promise<void> {
    await this.send()
  }

  /** Waits until the queue has room. */
  async room(): Promise<void> {
    if (this.waiting.length >= batchSize) await this.send()
  }

  /** Sends the queue within the given time; then drops the rest and closes connections. */
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
