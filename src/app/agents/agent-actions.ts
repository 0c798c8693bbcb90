import type { Action, ActionRegistry } from '../../agents/actions/action.ts'
import { createComposedActions } from '../../agents/actions/composed/create-composed-actions.ts'
import { createToolActions } from '../../agents/actions/tools/create-tool-actions.ts'
import { createStateActions } from '../../agents/actions/tools/state-actions.ts'
import type { ToolActionServices } from '../../agents/actions/tools/tool-action.ts'
import { actionName } from './agent-checks.ts'

/** The options of an app's actions, in addition to their services. */
export interface AgentActionOptions {
  readonly features: AgentFeatures
  /** Names of model providers. */
  readonly providers: readonly string[]
  /** Actions in addition to the built-in ones; built-in names take precedence. */
  readonly more?: readonly Action[]
}

/** The actions that agent files can name, backed by `services`; actions of disabled features are left out. */
export function agentActions(
  services: ToolActionServices,
  { features, providers, more = [] }: AgentActionOptions,
): ActionRegistry {
  const { memory } = services
  const made: readonly Action[] = [
    ...more,
    ...createComposedActions({ providers, features, ...(memory === undefined ? {} : { memory }) }),
    ...createStateActions(),
    ...createToolActions(services),
  ]
  const all = made.filter(({ needs }) => needs === undefined || features[needs] !== false)
  const byName = new Map(all.map((action) => [actionName(action), action]))
  return { all: [...byName.values()], get: (name) => byName.get(name) }
}

/** Features by name; `false` disables one: `{reasoning: false}`. */
export type AgentFeatures = Readonly<Record<string, boolean>>
