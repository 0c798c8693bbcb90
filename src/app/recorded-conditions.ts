import type { Limits } from '../kernel/limits.ts'
import type { RunStore } from '../kernel/run-store.ts'

/** What a run was worked on with. */
export interface Conditions {
  /** The model of each role. */
  readonly models: Readonly<Record<string, string>>
  readonly limits: Limits
}

/** Under which models and limits a run was last worked on. */
export async function recordedConditions(store: RunStore, runId: string): Promise<Conditions> {
  let conditions: Conditions = { models: {}, limits: {} }
  const filter = { types: ['run.started', 'run.resumed'], withOutput: false } as const
  for await (const { data } of store.events(runId, filter)) {
    const configuration = data.configuration as { models?: Conditions['models'] } | undefined
    conditions = {
      models: configuration?.models ?? conditions.models,
      limits: (data.limits as Limits | undefined) ?? conditions.limits,
    }
  }
  return conditions
}
