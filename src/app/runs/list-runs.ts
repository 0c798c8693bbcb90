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
}

const usualLimit = 50

/** Records read at once while others are looked for. */
const pageSize = 200

/** @see App.listRuns */
export async function listRuns(store: RunStore, filter: RunFilter): Promise<readonly RunRecord[]> {
  const { limit = usualLimit, workflow, statuses } = filter
  if (!(limit >= 1)) throw new ScholiumError('invalid_input', `Invalid limit: ${limit}.`)
  if (workflow === undefined && statuses === undefined) return store.list({ ...filter, limit })
  const found: RunRecord[] = []
  for (let { after } = filter; ; ) {
    const page = await store.list({ limit: pageSize, ...(after && { after }) })
    for (const run of page) {
      const isWanted =
        (workflow === undefined || run.workflow === workflow) &&
        (statuses === undefined || statuses.includes(run.status))
      if (isWanted && found.push(run) >= limit) return found
    }
    if (page.length < pageSize) return found
    after = page.at(-1)
  }
}
