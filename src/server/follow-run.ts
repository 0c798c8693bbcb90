import type { App } from '../app.ts'
import type { LiveEvent, RunStatus } from '../kernel/run/event.ts'
import type { RunListener, RunningRuns } from './running-runs.ts'

/** Statuses after which a run's log does not grow by itself. */
export const endStatuses: ReadonlySet<RunStatus> = new Set([
  'answered',
  'partial',
  'unanswered',
  'failed',
])

/** How often the log of a run is looked at that another process may execute. */
const pollMs = 500

/** Events that wait for a slow reader at most; it gets later ones from the log. */
const maxWaiting = 500

/** What a stream of events is of. */
export interface FollowedRun {
  readonly app: App
  readonly running: RunningRuns
  readonly runId: string
  /** Only events after this sequence number. */
  readonly after: number
  /** Ends the stream. */
  readonly signal: AbortSignal
}

/**
 * The events of a run, from the log and as they come, until the run has ended: each stored event once and in order, and tokens and
 * progress while the run is executed here. Memory stays bounded whatever the reader does.
 */
export async function* followRun(
  followed: FollowedRun,
): AsyncGenerator<LiveEvent, void, undefined> {
  const { app, running, runId, signal } = followed
  const waiting = new WaitingEvents()
  const stopListening = running.listen(runId, waiting)
  signal.addEventListener('abort', waiting.wake)
  let { after } = followed
  let isCaughtUp = false
  try {
    while (!signal.aborted) {
      if (waiting.isBehind(after)) {
        for await (const event of app.events(runId, { afterSeq: after })) {
          after = event.seq
          yield event
        }
        waiting.forget(after)
        continue
      }
      const event = waiting.take()
      if (event !== undefined) {
        if (!('transient' in event)) after = Math.max(after, event.seq)
        if ('transient' in event || event.seq === after) yield event
        continue
      }
      const isHere = running.has(runId)
      if (isHere && isCaughtUp) {
        await waiting.wait()
        continue
      }
      const { status, lastSeq } = await app.showRun(runId)
      isCaughtUp = lastSeq <= after
      if (!isCaughtUp) waiting.expect(lastSeq)
      else if (endStatuses.has(status)) return
      else if (!isHere) await waiting.wait(pollMs)
    }
  } finally {
    stopListening()
    signal.removeEventListener('abort', waiting.wake)
  }
}

/** The events between a run and one of its readers. */
class WaitingEvents implements RunListener {
  private events: LiveEvent[] = []
  /** The log is known to reach this far. */
  private lastSeq = 0
  private isAwake = false
  private stopWaiting: () => void = () => {}

  hear(event: LiveEvent): void {
    if (!('transient' in event)) this.lastSeq = event.seq
    if (this.events.length < maxWaiting) this.events.push(event)
    this.wake()
  }

  settle(): void {
    this.wake()
  }

  /** Says how far the log reaches. */
  expect(lastSeq: number): void {
    this.lastSeq = Math.max(this.lastSeq, lastSeq)
  }

  /** Whether the event after this one has to be read from the log. */
  isBehind(after: number): boolean {
    if (this.lastSeq <= after) return false
    const next = this.events.find((event) => !('transient' in event))
    return next === undefined || ('seq' in next && next.seq !== after + 1)
  }

  /** Drops what the reader has read in the log, with tokens and progress before it. */
  forget(after: number): void {
    const isRead = (event: LiveEvent) => 'seq' in event && event.seq <= after
    this.events.splice(0, this.events.findLastIndex(isRead) + 1)
  }

  take(): LiveEvent | undefined {
    return this.events.shift()
  }

  /** Waits for the next event, at most for a time. */
  async wait(timeMs?: number): Promise<void> {
    if (!this.isAwake) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.stopWaiting = resolve
      const timer = timeMs === undefined ? undefined : setTimeout(resolve, timeMs)
      await promise
      clearTimeout(timer)
    }
    this.isAwake = false
  }

  readonly wake = (): void => {
    this.isAwake = true
    this.stopWaiting()
  }
}
