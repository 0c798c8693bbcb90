import { endsAt, ScholiumError } from '../../../kernel/errors.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { settleAll } from '../../../kernel/run/settle-all.ts'

/**
 * Work for each of several, so many at once, each in a branch of its own: what it gave, in their order.
 * @param segment names the branches: `worker[1]`, …
 * @throws what ends the run before any other failure, else the first
 */
export async function atOnce<Item, Result>(
  context: RunContext,
  segment: string,
  items: readonly Item[],
  limit: number,
  work: (item: Item, context: RunContext, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const branches = items.map((_, index) => context.branch(`${segment}[${index + 1}]`))
  const settled = await settleAll(items, limit, (item, index) =>
    work(item, branches[index] as RunContext, index),
  )
  context.join(branches)
  const failed = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const ending = failed.find((reason) => isEnding(reason, context))
  if (failed.length > 0) throw ending ?? failed[0]
  return settled.map((result) => (result as PromiseFulfilledResult<Result>).value)
}

function isEnding(reason: unknown, { path }: RunContext): boolean {
  return !(reason instanceof ScholiumError) || endsAt(reason, path)
}
