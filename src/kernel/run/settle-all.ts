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
