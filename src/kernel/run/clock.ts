/** Source of a run's times and waits; tests provide their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `delayMs`, or rejects with the signal's reason if it is aborted first. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>
}

/** The system's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }, delayMs)
      signal.addEventListener('abort', onAbort, { once: true })
    }),
}
