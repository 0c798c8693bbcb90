import type { Action, ActionRegistry } from '../../agents/actions/action.ts'
import { csvActions } from '../../agents/actions/tools/csv-actions.ts'
import { fileActions } from '../../agents/actions/tools/file-actions.ts'
import { jsonActions } from '../../agents/actions/tools/json-actions.ts'
import type { ToolActionServices } from '../../agents/actions/tools/services.ts'
import { actionName } from './agent-checks.ts'
import type { AgentFeatures } from './agent-features.ts'

/** The actions that agent files can name, done with `services`; what a feature that is off needs is not among them. */
export function agentActions(
  services: ToolActionServices,
  features: AgentFeatures,
): ActionRegistry {
  const made: readonly Action[] = [
    ...fileActions(services),
    ...jsonActions(),
    ...csvActions(services),
  ]
  const all = made.filter(({ needs }) => needs === undefined || features[needs] !== false)
  const byName = new Map(all.map((action) => [actionName(action), action]))
  return { all, get: (name) => byName.get(name) }
}
