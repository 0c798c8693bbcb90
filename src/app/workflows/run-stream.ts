import type { LiveEvent, RunEvent } from '../../kernel/run/event.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import type { ExecutionOptions } from '../options.ts'

/** An event of a run; the last one is its result. */
export type StreamEvent<Result> = LiveEvent | { readonly type: 'result'; readonly result: Result }

/**
 * A run as a stream of its events; the last one is its result, which the generator also returns. The run starts when the first
 * event is requested. Leaving the loop early interrupts the run, which can be resumed.
 */
export type RunStream<Result> = AsyncGenerator<StreamEvent<Result>, Result, undefined>

/** Events that wait for a slow reader at most. */
const maxWaiting = 1_000

/**
 * Drives a run and gives its events as they come. Memory stays bounded: for a reader that is slower than the run, events are read
 * from the log again, and what is not stored (tokens, progress) is left out.
 */
export async function* streamRun<Result>(
  store: RunStore,
  drive: (options: ExecutionOptions) => Promise<Result>,
  options: ExecutionOptions,
): RunStream<Result> {
  const stopping = new AbortController()
  const { signal = stopping.signal } = options
  const waiting = new WaitingEvents()
  const onEvent = (event: LiveEvent) => {
    options.onEvent?.(event)
    waiting.add(event)
  }
  const both = AbortSignal.any([signal, stopping.signal])
  const driven = drive({ ...options, signal: both, onEvent })
  const ended = driven.then(
    () => waiting.end(),
    () => waiting.end(),
  )
  try {
    yield* waiting.read(store)
    const result = await driven
    yield { type: 'result', result }
    return result
  } finally {
    stopping.abort()
    await ended
  }
}

/** The events of a run between it and its reader. */
class WaitingEvents {
  private events: LiveEvent[] = []
  /** From where the reader has to read the log, since too many events waited. */
  private missed: { readonly runId: string; afterSeq: number } | undefined
  private lastSeq = 0
  private isOver = false
  private wake: () => void = () => {}

  add(event: LiveEvent): void {
    const isStored = !('transient' in event)
    if (isStored) this.lastSeq = event.seq
    const hasRoom = this.missed === undefined && this.events.length < maxWaiting
    if (hasRoom) this.events.push(event)
    else if (isStored) this.missed ??= { runId: event.runId, afterSeq: event.seq - 1 }
    this.wake()
  }

  end(): void {
    this.isOver = true
    this.wake()
  }

  async *read(store: RunStore): AsyncGenerator<LiveEvent, void, undefined> {
    for (;;) {
      const { events } = this
      this.events = []
      yield* events
      if (this.events.length > 0) continue
      if (this.missed !== undefined) {
        yield* this.readMissed(store)
        continue
      }
      if (this.isOver) return
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  private async *readMissed(store: RunStore): AsyncGenerator<RunEvent, void, undefined> {
    const { missed } = this
    if (missed === undefined) return
    const { runId, afterSeq } = missed
    for await (const event of store.events(runId, { afterSeq })) {
      missed.afterSeq = event.seq
      yield event
    }
    if (missed.afterSeq >= this.lastSeq) this.missed = undefined
  }
}
