import { RequestError } from './request-error.ts'
import type { RunOwners } from './run-owners.ts'
import type { RunningRuns, StartedRun } from './running-runs.ts'
import type { Principal } from './tokens.ts'

/** Limits how many runs of one owner are executed or wait for their turn. Admins are limited by the server's limits only. */
export class TokenRuns {
  private readonly maxRuns: number
  private readonly running: RunningRuns
  private readonly owners: RunOwners
  private readonly starting = new Map<string, number>()

  constructor(maxRuns: number, running: RunningRuns, owners: RunOwners) {
    this.maxRuns = maxRuns
    this.running = running
    this.owners = owners
  }

  /**
   * Has a run started or resumed.
   * @param resumed the run that is resumed
   * @throws `too_many_requests` while as many as allowed are executed or wait
   */
  async start(
    { name, role }: Principal,
    begin: () => Promise<StartedRun>,
    resumed?: string,
  ): Promise<StartedRun> {
    if (role === 'admin') return begin()
    const starting = (this.starting.get(name) ?? 0) + 1
    this.starting.set(name, starting)
    try {
      const others = this.running.ids.filter((runId) => runId !== resumed)
      if (starting + (await this.countOf(name, others)) > this.maxRuns)
        throw new RequestError(
          'too_many_requests',
          `${this.maxRuns} runs of this token are executed or wait for their turn.`,
          'Wait until one has ended, or interrupt one.',
        )
      return await begin()
    } finally {
      const left = (this.starting.get(name) ?? 1) - 1
      if (left === 0) this.starting.delete(name)
      else this.starting.set(name, left)
    }
  }

  private async countOf(name: string, runIds: readonly string[]): Promise<number> {
    const owners = await Promise.all(runIds.map((runId) => this.owners.ownerOf(runId)))
    return owners.filter((owner) => owner === name).length
  }
}
