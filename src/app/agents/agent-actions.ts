import type { Action, ActionRegistry } from '../../agents/actions/action.ts'
import { createComposedActions } from '../../agents/actions/composed/create-composed-actions.ts'
import { createToolActions } from '../../agents/actions/tools/create-tool-actions.ts'
import { createStateActions } from '../../agents/actions/tools/state-actions.ts'
import type { ToolActionServices } from '../../agents/actions/tools/tool-action.ts'
import { actionName } from './agent-checks.ts'

/** What the actions of an app are made with beside their services. */
export interface AgentActionOptions {
  readonly features: AgentFeatures
  /** Names of providers that models can be of. */
  readonly providers: readonly string[]
  /** Actions beside the built-in ones, whose names win. */
  readonly more?: readonly Action[]
}

/** The actions that agent files can name, done with `services`; what a feature that is off needs is not among them. */
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

/** Parts of the program by name; `false` switches one off: `{reasoning: false}`. */
export type AgentFeatures = Readonly<Record<string, boolean>>
