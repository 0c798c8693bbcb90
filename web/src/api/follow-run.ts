import { createParser } from 'eventsource-parser'
import type { LiveEvent } from '../../../src/kernel/run/event.ts'
import { ApiError, send } from './client.ts'

/** Who hears of a run. */
export interface RunFollower {
  /** Events in order, each stored one once. They come in groups, so that a long log is shown at once. */
  hear(events: readonly LiveEvent[]): void
  /** Whether the stream is connected. */
  connect(isConnected: boolean): void
  /** The run cannot be read: it is gone, or the token is refused. */
  fail(error: ApiError): void
}

const firstPauseMs = 500
const maxPauseMs = 10_000

/** Follows a run until it has ended or the signal is aborted. A lost connection continues with the event after the last. */
export async function followRun(
  runId: string,
  follower: RunFollower,
  signal: AbortSignal,
): Promise<void> {
  let after = 0
  let pauseMs = firstPauseMs
  const hear = (events: readonly LiveEvent[]) => {
    const fresh = events.filter((event) => 'transient' in event || event.seq > after)
    for (const event of fresh) if (!('transient' in event)) after = event.seq
    pauseMs = firstPauseMs
    if (fresh.length > 0) follower.hear(fresh)
  }
  const pause = async () => {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
  }
  while (!signal.aborted) {
    try {
      const path = `/api/runs/${encodeURIComponent(runId)}/events?after=${after}`
      const response = await send(path, { signal })
      follower.connect(true)
      if (response.status === 204) return
      const before = after
      await readStream(response, hear)
      // A stream that ends without having brought anything is not asked for again at once.
      if (after === before) await pause()
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && error.status < 500 && error.status !== 429)
        return follower.fail(error)
      follower.connect(false)
      await pause()
    }
  }
}

async function readStream(
  response: Response,
  hear: (events: readonly LiveEvent[]) => void,
): Promise<void> {
  let group: LiveEvent[] = []
  const parser = createParser({
    onEvent: ({ data }) => group.push(JSON.parse(data) as LiveEvent),
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) return
    parser.feed(value ?? '')
    hear(group)
    group = []
  }
}
