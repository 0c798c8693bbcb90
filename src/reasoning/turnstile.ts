/** Lets at most so many pieces of work go on at once; others wait, in the order of their coming. */
export type Turnstile = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A turnstile for work that must not hold a place while it waits for other work behind the same one. */
export function createTurnstile(limit: number): Turnstile {
  const waiting: (() => void)[] = []
  let free = limit
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
