import type { App, RunFilter } from '../app.ts'
import type { RunRecord } from '../kernel/run/run-store.ts'
import type { Principal } from './tokens.ts'

/** Owners that are kept in memory at most. */
const maxKnown = 20_000

const pageSize = 200

/** Who may see which run: the one whose token started it, and admins. */
export class RunOwners {
  private readonly app: App
  private readonly known = new Map<string, string>()

  constructor(app: App) {
    this.app = app
  }

  async isVisible(
    { runId }: Pick<RunRecord, 'runId'>,
    { name, role }: Principal,
  ): Promise<boolean> {
    return role === 'admin' || (await this.ownerOf(runId)) === name
  }

  /** The runs that somebody may see, newest first. */
  async list(principal: Principal, filter: RunFilter & { readonly limit: number }) {
    if (principal.role === 'admin') return this.app.listRuns(filter)
    const found: RunRecord[] = []
    for (let { after } = filter; ; ) {
      const page = await this.app.listRuns({ ...filter, limit: pageSize, ...(after && { after }) })
      for (const run of page)
        if ((await this.isVisible(run, principal)) && found.push(run) >= filter.limit) return found
      if (page.length < pageSize) return found
      after = page.at(-1)
    }
  }

  /** The label `user` that a run, or the fork that it is, began with; empty for none. */
  async ownerOf(runId: string): Promise<string> {
    const known = this.known.get(runId)
    if (known !== undefined) return known
    let owner = ''
    const types = ['run.started', 'run.forked'] as const
    for await (const { data } of this.app.events(runId, { types, withOutput: false }))
      owner = data.labels?.user ?? owner
    if (this.known.size >= maxKnown) this.known.clear()
    this.known.set(runId, owner)
    return owner
  }
}
