import type { Clock } from '../../kernel/run/clock.ts'
import { createSemaphore, type Semaphore } from '../../kernel/run/semaphore.ts'

/** How often a source may be requested. */
export interface Pace {
  /** Maximum number of parallel requests. */
  readonly atOnce: number
  /** Minimum time between the starts of two requests, in milliseconds. */
  readonly gapMs: number
}

/** Passes requests to each source at its pace, first come, first served. */
export interface Pacer {
  /**
   * Runs `work` when it is its turn.
   * @throws the signal's reason if aborted while waiting
   */
  inTurn<T>(source: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** The requests to one source. */
interface PaceLine {
  readonly semaphore: Semaphore
  /** Requests that run or wait. */
  pending: number
  nextStart: number
}

/** Creates a pacer; `paceOf` gives each source's pace. */
export function createPacer(clock: Clock, paceOf: (source: string) => Pace): Pacer {
  const lines = new Map<string, PaceLine>()

  const waitForGap = async (source: string, line: PaceLine, signal: AbortSignal): Promise<void> => {
    const now = clock.now()
    const start = Math.max(now, line.nextStart)
    line.nextStart = start + paceOf(source).gapMs
    if (start > now) await clock.sleep(start - now, signal)
  }

  return {
    async inTurn(source, signal, work) {
      const semaphore = () => createSemaphore(paceOf(source).atOnce)
      const line = lines.get(source) ?? { semaphore: semaphore(), pending: 0, nextStart: 0 }
      lines.set(source, line)
      line.pending++
      try {
        return await line.semaphore(async () => {
          await waitForGap(source, line, signal)
          return work()
        }, signal)
      } finally {
        line.pending--
        if (line.pending === 0 && line.nextStart <= clock.now()) lines.delete(source)
        if (lines.size > maxLines) dropIdleLines(lines, clock.now())
      }
    },
  }
}

const maxLines = 1_000

function dropIdleLines(lines: Map<string, PaceLine>, now: number): void {
  for (const [source, { pending, nextStart }] of lines)
    if (pending === 0 && nextStart <= now) lines.delete(source)
}
