/**
 * Runs a piece of work when its turn comes.
 * @throws what the work throws; the signal's reason if it is aborted before its turn
 */
export type Semaphore = <Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>

/**
 * Lets at most `count` pieces of work run at once, others in the order of their requests. Work must not wait for another turn of
 * the same semaphore while it holds one.
 */
export function createSemaphore(count: number): Semaphore {
  const waiting: (() => void)[] = []
  let free = count
  const take = (signal: AbortSignal | undefined) => {
    signal?.throwIfAborted()
    if (free > 0) {
      free--
      return undefined
    }
    return new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1)
        reject(signal?.reason)
      }
      waiting.push(enter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
  return async (work, signal) => {
    await take(signal)
    try {
      signal?.throwIfAborted()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
