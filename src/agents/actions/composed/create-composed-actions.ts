import type { ComposedAction } from '../action.ts'
import type { AgentMemory } from '../tools/agent-memory.ts'
import { agentActions } from './agent-actions.ts'
import { toolsListAction } from './agent-tools.ts'
import { cacheWrapAction } from './cache-wrap.ts'
import { coreActions } from './core-actions.ts'
import { embedAction, llmActions } from './llm-actions.ts'
import { llmToolsAction } from './llm-tools.ts'
import { summarizeAction } from './memory-summarize.ts'
import { planActions } from './plan-actions.ts'
import { reasonActions } from './reason-actions.ts'
import { reflectionActions } from './reflection-actions.ts'
import { retryLoopAction } from './retry-loop.ts'

/** What composed actions are created with. */
export interface ComposedOptions {
  /** Known provider names: the part before the colon in `provider:model`. */
  readonly providers: readonly string[]
  /** Storage across runs, for `cache.wrap`. Absent: the action reports that. */
  readonly memory?: () => AgentMemory
  /** Optional features. Default: all on. */
  readonly features?: ComposedFeatures
}

/** Features that can be switched off. */
export interface ComposedFeatures {
  /** `reason.*`. */
  readonly reasoning?: boolean
}

/** Creates the composed actions, without those of features that are switched off. */
export function createComposedActions({
  providers: names,
  memory,
  features = {},
}: ComposedOptions): readonly ComposedAction[] {
  const providers: ReadonlySet<string> = new Set(names)
  return [
    ...coreActions(),
    ...llmActions(providers),
    llmToolsAction(providers),
    embedAction(providers),
    ...(features.reasoning === false ? [] : reasonActions(providers)),
    toolsListAction(),
    ...agentActions(providers),
    ...planActions(providers),
    ...reflectionActions(providers),
    retryLoopAction(),
    cacheWrapAction(memory),
    summarizeAction(providers),
  ]
}
