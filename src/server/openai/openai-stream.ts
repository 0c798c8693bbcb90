import type { HttpBindings } from '@hono/node-server'
import { createEventStream } from '../event-stream.ts'
import type { RunSite } from '../run-site.ts'
import type { Principal } from '../tokens.ts'

/** What is streamed to a program, and what to do if it leaves early. */
export interface OpenAiStream {
  readonly events: (signal: AbortSignal) => AsyncGenerator<string, void>
  readonly connection: HttpBindings['outgoing'] | undefined
  /** Called when the program leaves before the end. */
  readonly onLeave: () => Promise<unknown>
}

/** Headers of a stream. */
export const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/**
 * Frames of server-sent events as a stream that ends with `[DONE]`.
 * @param start is called if there is room for a stream
 * @throws `too_many_requests`, and what `start` throws
 */
export async function openOpenAiStream(
  {
    streams,
    onFailure,
    principal,
  }: Pick<RunSite, 'streams' | 'onFailure'> & { readonly principal: Principal },
  start: () => Promise<OpenAiStream>,
): Promise<ReadableStream<Uint8Array>> {
  const free = streams.take(principal)
  const { events, connection, onLeave } = await start().catch((error) => {
    free()
    throw error
  })
  const control = new AbortController()
  let isWhole = false
  async function* frames(): AsyncGenerator<string, void> {
    yield* events(control.signal)
    isWhole = true
    yield 'data: [DONE]\n\n'
  }
  return createEventStream(frames(), {
    toFrame: (frame) => frame,
    slowReaderMs: streams.slowReaderMs,
    ...(connection && { disconnect: () => connection.destroy() }),
    onEnd: (error) => {
      free()
      control.abort()
      if (!isWhole) onLeave().catch(onFailure)
      if (error !== undefined) onFailure(error)
    },
  })
}
