/**
 * Runs `work` for each index, at most `limit` at once. Each starts when everything it needs has ended, in order if several could.
 * Never rejects: results are those of `Promise.allSettled`, in order.
 * @param needs for each index, the earlier indexes that must end before it starts
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

/** Like `Promise.allSettled` over the results of `work`, with at most `limit` at once. Results are in the items' order. */
export function settleAll<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const independent = items.map(() => [])
  return runWithDependencies(independent, limit, async (index) => work(items[index] as Item, index))
}
