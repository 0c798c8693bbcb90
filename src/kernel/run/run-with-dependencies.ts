/**
 * As `Promise.allSettled` over the results of `work`, with at most `limit` of them going on at once, each begun when those that
 * it needs have ended, in order where several could. Results in order.
 *
 * @param needs for each item the indexes of the earlier ones that have to end before it begins
 */
export function settleByNeeds<Result>(
  needs: readonly (readonly number[])[],
  limit: number,
  work: (index: number) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = []
  const waiting = new Set(needs.keys())
  let working = 0
  return new Promise((resolve) => {
    const end = (index: number, result: PromiseSettledResult<Result>) => {
      results[index] = result
      working--
      goOn()
    }
    const goOn = () => {
      for (const index of waiting) {
        if (working === limit) return
        if (!needs[index]?.every((needed) => needed >= index || needed in results)) continue
        waiting.delete(index)
        working++
        work(index).then(
          (value) => end(index, { status: 'fulfilled', value }),
          (reason: unknown) => end(index, { status: 'rejected', reason }),
        )
      }
      if (working === 0) resolve(results)
    }
    goOn()
  })
}

/** As `Promise.allSettled` over the results of `work`, with at most `limit` of them going on at once. Results in the items' order. */
export async function settleAll<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = []
  let next = 0
  const takeOver = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const [result] = await Promise.allSettled([work(items[index] as Item, index)])
      results[index] = result
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, takeOver))
  return results
}
