/** Longer timers fire at once. @see https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
export const maxTimerMs = 2 ** 31 - 1

/**
 * Runs `work` with a signal that is aborted with `signal`, or with a `TimeoutError` when the time is up; `work` may extend the
 * time. Leaves no timer or listener behind, unlike `AbortSignal.timeout`.
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

/** The promise's result, or a rejection with the signal's reason if that comes first. The promise itself continues. */
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

/** Waits for work to settle, up to a time limit, and keeps the process alive meanwhile. Returns whether it settled in time. */
export function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), timeoutMs)
  const settled = () => resolve(true)
  work.then(settled, settled)
  return promise.finally(() => clearTimeout(timer))
}
