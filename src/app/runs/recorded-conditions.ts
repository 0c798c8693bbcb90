import type { Limits } from '../../kernel/limits/limits.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'

/** What a run was worked on with. */
export interface Conditions {
  /** The model of each role. */
  readonly models: Readonly<Record<string, string>>
  /** The address of each role's model where it was not its provider's public one. */
  readonly baseUrls: Readonly<Record<string, string>>
  readonly limits: Limits
}

/** Under which models and limits a run was last worked on. */
export async function recordedConditions(store: RunStore, runId: string): Promise<Conditions> {
  let conditions: Conditions = { models: {}, baseUrls: {}, limits: {} }
  const filter = { types: ['run.started', 'run.resumed', 'run.forked'], withOutput: false } as const
  for await (const { data } of store.events(runId, filter)) {
    const { models = conditions.models, baseUrls = {} } = data.configuration as Partial<Conditions>
    conditions = { models, baseUrls, limits: data.limits }
  }
  return conditions
}
