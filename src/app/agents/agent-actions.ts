import type { Action, ActionRegistry } from '../../agents/actions/action.ts'
import { composedRefusals, createComposedActions } from '../../agents/actions/composed/index.ts'
import { academicActions } from '../../agents/actions/tools/academic-actions.ts'
import { cacheActions } from '../../agents/actions/tools/cache-actions.ts'
import { codeActions } from '../../agents/actions/tools/code-actions.ts'
import { csvActions } from '../../agents/actions/tools/csv-actions.ts'
import { dataActions } from '../../agents/actions/tools/data-actions.ts'
import { fileActions } from '../../agents/actions/tools/file-actions.ts'
import { httpActions } from '../../agents/actions/tools/http-actions.ts'
import { jsonActions } from '../../agents/actions/tools/json-actions.ts'
import { libraryActions } from '../../agents/actions/tools/library-actions.ts'
import { memoryActions } from '../../agents/actions/tools/memory-actions.ts'
import { ragActions } from '../../agents/actions/tools/rag-actions.ts'
import type { ToolActionServices } from '../../agents/actions/tools/services.ts'
import { textActions } from '../../agents/actions/tools/text-actions.ts'
import {
  validateActions,
  validateInputAction,
} from '../../agents/actions/tools/validate-actions.ts'
import { webActions } from '../../agents/actions/tools/web-actions.ts'
import { actionName } from './agent-checks.ts'
import type { AgentFeatures } from './agent-features.ts'

/** What the actions of an app are made with beside their services. */
export interface AgentActionOptions {
  readonly features: AgentFeatures
  /** Names of providers that models can be of. */
  readonly providers: readonly string[]
}

/** The actions that agent files can name, done with `services`; what a feature that is off needs is not among them. */
export function agentActions(
  services: ToolActionServices,
  { features, providers }: AgentActionOptions,
): ActionRegistry {
  const { memory } = services
  const made: readonly Action[] = [
    ...createComposedActions({ providers, features, ...(memory === undefined ? {} : { memory }) }),
    ...fileActions(services),
    ...jsonActions(),
    ...csvActions(services),
    ...dataActions(services),
    ...textActions(),
    ...validateActions(),
    validateInputAction(),
    ...libraryActions(services),
    ...ragActions(services),
    ...memoryActions(services),
    ...cacheActions(services),
    ...codeActions(services),
    ...httpActions(services),
    ...webActions(services),
    ...academicActions(services),
  ]
  const all = made.filter(({ needs }) => needs === undefined || features[needs] !== false)
  const byName = new Map(all.map((action) => [actionName(action), action]))
  return { all: [...byName.values()], get: (name) => byName.get(name) }
}

/** Actions of the format that there are not, and what each would need. */
export function refusedActions(features: AgentFeatures): ReadonlyMap<string, string> {
  return composedRefusals(features)
}
