import type { Limits } from '../../kernel/limits/limits.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'

/** What a run was worked on with. */
export interface Conditions {
  /** The model of each role. */
  readonly models: Readonly<Record<string, string>>
  /** The address of each role's model where it was not its provider's public one. */
  readonly baseUrls: Readonly<Record<string, string>>
  /** The context windows that servers gave, in tokens, by model name. */
  readonly contextTokens: Readonly<Record<string, number>>
  readonly limits: Limits
}

/** Under which models and limits a run was last worked on. */
export async function recordedConditions(store: RunStore, runId: string): Promise<Conditions> {
  let conditions: Conditions = { models: {}, baseUrls: {}, contextTokens: {}, limits: {} }
  const filter = { types: ['run.started', 'run.resumed', 'run.forked'], withOutput: false } as const
  for await (const { data } of store.events(runId, filter)) {
    const recorded = data.configuration as Partial<Conditions>
    const { models = conditions.models, baseUrls = {}, contextTokens = {} } = recorded
    conditions = { models, baseUrls, contextTokens, limits: data.limits }
  }
  return conditions
}
