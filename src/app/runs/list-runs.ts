import { ScholiumError } from '../../kernel/errors.ts'
import type { RunStatus } from '../../kernel/run/event.ts'
import type { RunPage, RunRecord, RunStore } from '../../kernel/run/run-store.ts'

/** Which runs to list. */
export interface RunFilter extends RunPage {
  /** Maximum number of runs, at least 1. Default 50. */
  readonly limit?: number
  /** Only runs of this workflow, such as `papers`. Default: all. */
  readonly workflow?: string
  /** Only runs that have one of these statuses now. Default: all. */
  readonly statuses?: readonly RunStatus[]
  /** Only runs whose title contains this, in upper or lower case. Default: all. */
  readonly text?: string
  /** Only runs that were created at this time or later, in milliseconds since 1970. Default: all. */
  readonly from?: number
  /** Only runs that were created before this time. Default: all. */
  readonly before?: number
}

const usualLimit = 50

/** Records read at once while others are looked for. */
const pageSize = 200

/** @see App.listRuns */
export async function listRuns(store: RunStore, filter: RunFilter): Promise<readonly RunRecord[]> {
  const { limit = usualLimit, from = Number.NEGATIVE_INFINITY } = filter
  if (!(limit >= 1)) throw new ScholiumError('invalid_input', `Invalid limit: ${limit}.`)
  const isWanted = toTest(filter)
  const { workflow, statuses, text, before } = filter
  const isAny = [workflow, statuses, text, before].every((one) => one === undefined)
  const size = isAny ? limit : pageSize
  const found: RunRecord[] = []
  for (let { after } = filter; ; ) {
    const page = await store.list({ limit: size, ...(after && { after }) })
    for (const run of page) if (isWanted(run) && found.push(run) >= limit) return found
    after = page.at(-1)
    if (page.length < size || (after?.createdAt ?? 0) < from) return found
  }
}

/** What tells the runs that a filter lets through, wherever they are in the list. */
function toTest({ workflow, statuses, text, from, before }: RunFilter) {
  const words = text?.toLowerCase()
  return (run: RunRecord): boolean =>
    (workflow === undefined || run.workflow === workflow) &&
    (statuses === undefined || statuses.includes(run.status)) &&
    (words === undefined || run.title.toLowerCase().includes(words)) &&
    (from === undefined || run.createdAt >= from) &&
    (before === undefined || run.createdAt < before)
}
