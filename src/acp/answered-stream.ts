import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'

/** What nobody waits for when the editor is gone: it would go on working and asking without a person. */
const left = 'session/prompt'

/** A stream of messages, and a way to answer past whoever reads it. */
export interface AnsweredStream extends Stream {
  answer(message: AnyMessage): Promise<void>
}

/**
 * The same messages both ways, but the end of what comes in is held back until the requests before it are answered, so that
 * `printf … | scholium acp` hears its answers. Prompts are not waited for.
 */
export function answeredBeforeEnd({ readable, writable }: Stream): AnsweredStream {
  const open = new Set<unknown>()
  let tellAnswered = () => {}
  const writer = writable.getWriter()
  return {
    answer: (message) => writer.write(message),
    readable: readable.pipeThrough(
      new TransformStream<AnyMessage, AnyMessage>({
        transform(message, controller) {
          if (isRequest(message) && message.method !== left) open.add(message.id)
          controller.enqueue(message)
        },
        async flush() {
          while (open.size > 0)
            await new Promise<void>((resolve) => {
              tellAnswered = resolve
            })
        },
      }),
    ),
    writable: new WritableStream<AnyMessage>({
      async write(message) {
        await writer.write(message)
        if ('method' in message) return
        open.delete(message.id)
        tellAnswered()
      },
    }),
  }
}

/** What is answered under its own id: what is malformed is answered without one, at once. */
function isRequest(
  message: AnyMessage,
): message is Extract<AnyMessage, { id: unknown; method: string }> {
  if (!('method' in message && 'id' in message)) return false
  const { jsonrpc, method, id } = message
  return (
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    (typeof id === 'string' || typeof id === 'number')
  )
}
