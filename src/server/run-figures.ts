import type { z } from '@hono/zod-openapi'
import type { App } from '../app.ts'
import type { JsonObject } from '../kernel/json.ts'
import { sumAccounts } from '../kernel/run/accounts.ts'
import type { RunRecord } from '../kernel/run/run-store.ts'
import { endStatuses } from './follow-run.ts'
import type { runFigures } from './run-schemas.ts'

/** What a run took, and how its claims stand. */
export type Figures = z.infer<typeof runFigures>

/** Runs whose figures are kept in memory at most. */
const maxKnown = 20_000

/** The figures of runs, added up from their logs once for each length that they have had. */
export class RunFigures {
  private readonly app: App
  private readonly known = new Map<
    string,
    { readonly lastSeq: number; readonly figures: Figures }
  >()

  constructor(app: App) {
    this.app = app
  }

  /** The figures of a run as far as its log reaches. */
  async of(run: RunRecord): Promise<Figures> {
    const { runId, lastSeq } = run
    const known = this.known.get(runId)
    if (known?.lastSeq === lastSeq) return known.figures
    const figures = await this.read(run)
    if (this.known.size >= maxKnown) this.known.clear()
    this.known.set(runId, { lastSeq, figures })
    return figures
  }

  private async read({ runId, status, lastSeq }: RunRecord): Promise<Figures> {
    const { wallMs, costUsd, modelCalls, toolCalls } = await sumAccounts(
      this.app.events(runId, { withOutput: false }),
    )
    const coverage = endStatuses.has(status) ? await this.coverageOf(runId, lastSeq) : undefined
    return {
      runId,
      lastSeq,
      wallMs,
      calls: modelCalls + toolCalls,
      ...(costUsd !== null && { costUsd }),
      ...(coverage !== undefined && { coverage }),
    }
  }

  /** The coverage that the last event of a run, its result, tells; `undefined` for a result without claims. */
  private async coverageOf(runId: string, lastSeq: number): Promise<Figures['coverage']> {
    const filter = { afterSeq: lastSeq - 1, types: ['run.finished'] } as const
    for await (const { output } of this.app.events(runId, filter)) {
      const { coverage } = (output ?? {}) as JsonObject
      if (typeof coverage === 'object' && coverage !== null)
        return coverage as NonNullable<Figures['coverage']>
    }
    return undefined
  }
}
