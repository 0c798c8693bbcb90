import type { Action, ActionRegistry } from '../../agents/actions/action.ts'
import { composedRefusals, createComposedActions } from '../../agents/actions/composed/index.ts'
import {
  createStateActions,
  createToolActions,
  refusedActions as refusedTools,
  type ToolActionServices,
} from '../../agents/actions/tools/index.ts'
import { actionName } from './agent-checks.ts'
import type { AgentFeatures } from './agent-features.ts'

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

/** Actions of the format that there are not, and what each would need. */
export function refusedActions(features: AgentFeatures): ReadonlyMap<string, string> {
  return new Map([...refusedTools, ...composedRefusals(features)])
}
