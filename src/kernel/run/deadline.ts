/** Longer timers fire at once. @see https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
export const maxTimerMs = 2 ** 31 - 1

/**
 * Runs `work` with a signal that is aborted with `signal`, or with a `TimeoutError` when its time is up, which `work` may extend
 * from then on. Leaves neither a timer nor a listener behind, which `AbortSignal.timeout` does until its time is up, however
 * long that is.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal, extend: (timeoutMs: number) => void) => Promise<T>,
): Promise<T> {
  const control = new AbortController()
  const onAbort = () => control.abort(signal.reason)
  const onTimeout = () => control.abort(new DOMException('The time is up.', 'TimeoutError'))
  const start = (ms: number) => setTimeout(onTimeout, Math.min(ms, maxTimerMs))
  let timer = start(timeoutMs)
  const extend = (ms: number) => {
    clearTimeout(timer)
    timer = start(ms)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await work(control.signal, extend)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** The promise's result, or the signal's reason when that comes first; the promise goes on for others. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Waits for work to settle, but no longer than a time, and keeps the process alive for it. Whether it settled in time. */
export function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), timeoutMs)
  const settled = () => resolve(true)
  work.then(settled, settled)
  return promise.finally(() => clearTimeout(timer))
}
