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

/** What the actions that make steps of their own are made with. */
export interface ComposedOptions {
  /** Names of providers that models can be of: what stands before the colon in `provider:model`. */
  readonly providers: readonly string[]
  /** What is kept from run to run, for `cache.wrap`. Absent: it says so. */
  readonly memory?: () => AgentMemory
  /** Parts that are switched off. Default: none is. */
  readonly features?: ComposedFeatures
}

/** What can be switched off. */
export interface ComposedFeatures {
  /** `reason.*`. */
  readonly reasoning?: boolean
}

/** The actions that make steps of their own, those of features that are switched off left out. */
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
