/**
 * Does a piece of work in its turn.
 * @throws what the work throws; the signal's reason when it is aborted before its turn comes
 */
export type Semaphore = <Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>

/**
 * Lets at most `count` pieces of work run at once, the others in the order of asking. Work must not hold a turn while it waits for
 * another of the same turns.
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
