import type { Clock } from '../kernel/run/clock.ts'

/** A clock for tests: it moves when it is read and when it is waited for, and nobody really waits. */
export interface QuickClock extends Clock {
  /** The waits that were asked for, in milliseconds, in order. */
  readonly waitsMs: readonly number[]
  /** Moves the clock forward. */
  advance(deltaMs: number): void
}

/** A {@link QuickClock}; each reading moves it by one millisecond. */
export function createQuickClock(startMs: number = Date.UTC(2026, 0, 1)): QuickClock {
  let nowMs = startMs
  const waitsMs: number[] = []
  return {
    waitsMs,
    now: () => nowMs++,
    async sleep(delayMs, signal) {
      signal.throwIfAborted()
      waitsMs.push(delayMs)
      nowMs += delayMs
    },
    advance(deltaMs) {
      nowMs += deltaMs
    },
  }
}
