import type { LiveEvent } from '../kernel/run/event.ts'

/** How often an idle stream says that it is alive, so that nothing between takes it for dead. */
const heartbeatMs = 15_000

/** How a stream of events is written. */
export interface EventStreamOptions<Event> {
  /** The text of an event, as it is sent. */
  readonly toFrame: (event: Event) => string
  /** A reader that takes nothing for so long is cut off; it can come back and continue. */
  readonly slowReaderMs: number
  /** Ends the connection of a reader that is too slow. Default: the stream fails. */
  readonly disconnect?: () => void
  /** Called once when the stream is over, whoever ended it. */
  readonly onEnd: (error?: unknown) => void
}

/**
 * Events in the form of server-sent events. The next event is taken when the reader has room for it, so nothing piles up here.
 */
export function createEventStream<Event>(
  events: AsyncGenerator<Event, void, undefined>,
  { toFrame, slowReaderMs, disconnect, onEnd }: EventStreamOptions<Event>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<Event, void>> | undefined
  let slowTimer: NodeJS.Timeout | undefined
  let isOver = false
  const end = (error?: unknown) => {
    clearTimeout(slowTimer)
    if (!isOver) onEnd(error)
    isOver = true
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // The head of the answer is sent at once.
      controller.enqueue(encoder.encode(': connected\n\n'))
    },
    async pull(controller) {
      clearTimeout(slowTimer)
      try {
        next ??= events.next()
        const outcome = await withinTime(next, heartbeatMs)
        if (outcome === undefined) controller.enqueue(encoder.encode(': still here\n\n'))
        else if (outcome.done === true) {
          end()
          controller.close()
          return
        } else {
          next = undefined
          controller.enqueue(encoder.encode(toFrame(outcome.value)))
        }
        slowTimer = setTimeout(() => {
          end()
          if (disconnect === undefined) controller.error(new Error('The reader is too slow.'))
          else disconnect()
        }, slowReaderMs)
      } catch (error) {
        end(error)
        controller.error(error)
      }
    },
    cancel: () => end(),
  })
}

/** An event of a run: `id` is the sequence number, which tokens and progress lack. @param text its JSON text */
export function toEventFrame(event: LiveEvent, text: string): string {
  const id = 'transient' in event ? '' : `id: ${event.seq}\n`
  return `${id}event: ${event.type}\ndata: ${text}\n\n`
}

/** What a promise resolves with, or `undefined` after a time. */
async function withinTime<T>(promise: Promise<T>, timeMs: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, timeMs, undefined)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
