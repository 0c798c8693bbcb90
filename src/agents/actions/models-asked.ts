import type { JsonObject } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { Action, AgentScope } from './action.ts'

/**
 * Which models an action asks where its parameters name none, and how: those of the run, by role, and `settings.llm` of the
 * file. `null` for an action that asks none: one effect.
 */
export function modelsAsked(
  action: Action | undefined,
  { services }: RunContext,
  { settings }: Pick<AgentScope, 'settings'>,
): JsonObject | null {
  if (action?.kind !== 'composed') return null
  const { models } = services
  return {
    default: nameOf(() => models.forRole('default')),
    critic: nameOf(() => models.forRole('critic')),
    embedding: nameOf(() => models.forEmbedding?.()),
    settings: settings.llm ?? null,
  }
}

function nameOf(choose: () => { readonly name: string } | undefined): string | null {
  try {
    return choose()?.name ?? null
  } catch {
    // A role without a model asks none, and says so where it is needed.
    return null
  }
}
