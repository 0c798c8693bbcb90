import type { Clock } from '../../kernel/run/clock.ts'

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

interface PaceLine {
  running: number
  nextStart: number
  readonly waiting: (() => void)[]
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
      signal.throwIfAborted()
      const line = lines.get(source) ?? { running: 0, nextStart: 0, waiting: [] }
      lines.set(source, line)
      if (line.running < paceOf(source).atOnce) line.running++
      else await getLine(line, signal)
      try {
        await waitForGap(source, line, signal)
        return await work()
      } finally {
        const next = line.waiting.shift()
        if (next !== undefined) next()
        else line.running--
        if (line.running === 0 && line.nextStart <= clock.now()) lines.delete(source)
        if (lines.size > maxLines) dropIdleLines(lines, clock.now())
      }
    },
  }
}

const maxLines = 1_000

function dropIdleLines(lines: Map<string, PaceLine>, now: number): void {
  for (const [source, { running, nextStart }] of lines) {
    if (running === 0 && nextStart <= now) lines.delete(source)
  }
}

/** Waits for a place, which is handed over directly without being freed. */
function getLine(line: PaceLine, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onPlace = () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }
    const onAbort = () => {
      line.waiting.splice(line.waiting.indexOf(onPlace), 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    line.waiting.push(onPlace)
  })
}
