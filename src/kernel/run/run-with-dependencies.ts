/**
 * Runs `work` for each index, with at most `limit` at once: each one begins when all that it needs have ended, in order where
 * several could. Never rejects: results are those of `Promise.allSettled`, in order.
 *
 * @param needs for each index those of the earlier ones that have to end before it begins
 */
export function runWithDependencies<Result>(
  needs: readonly (readonly number[])[],
  limit: number,
  work: (index: number) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = []
  const waiting = new Set(needs.keys())
  let running = 0
  return new Promise((resolve) => {
    const end = (index: number, result: PromiseSettledResult<Result>) => {
      results[index] = result
      running--
      startReady()
    }
    const startReady = () => {
      for (const index of waiting) {
        if (running === limit) return
        if (!needs[index]?.every((needed) => needed >= index || needed in results)) continue
        waiting.delete(index)
        running++
        work(index).then(
          (value) => end(index, { status: 'fulfilled', value }),
          (reason: unknown) => end(index, { status: 'rejected', reason }),
        )
      }
      if (running === 0) resolve(results)
    }
    startReady()
  })
}

/** As `Promise.allSettled` over the results of `work`, with at most `limit` at once. Results in the items' order. */
export function settleAll<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const independent = items.map(() => [])
  return runWithDependencies(independent, limit, async (index) => work(items[index] as Item, index))
}
