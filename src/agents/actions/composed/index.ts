import type { ComposedAction } from '../action.ts'
import type { AgentMemory } from '../tools/agent-memory.ts'
import { agentActions } from './agent-actions.ts'
import { cacheWrapAction } from './cache-wrap.ts'
import { coreActions } from './core-actions.ts'
import { llmActions, embedAction } from './llm-actions.ts'
import { llmToolsAction } from './llm-tools.ts'
import { summarizeAction } from './memory-summarize.ts'
import { planActions } from './plan-actions.ts'
import { reasonActions } from './reason-actions.ts'
import { reflectionActions } from './reflection-actions.ts'
import { retryLoopAction } from './retry-loop.ts'
import { toolsListAction } from './tools-of-agent.ts'

export { misnamedProvider } from './model-choice.ts'

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

const dspy = ['cot', 'react', 'compile', 'optimize', 'export', 'import', 'list_compiled']

const refused: readonly (readonly [string, string])[] = [
  ['llm.local.call', 'a model loaded from a file. Serve it with ollama and use llm.call'],
  ['llm.local.chat', 'a model loaded from a file. Serve it with ollama and use llm.chat'],
  ['llm.local.stream', 'a model loaded from a file. Serve it with ollama and use llm.stream'],
  ['llm.local.embed', 'a model loaded from a file. Serve it with ollama and use llm.embed'],
  ['agent.crewai_delegate', 'CrewAI. Use agent.sequential or agent.coordinate'],
  [
    'web.ai_scrape',
    'the service ScrapeGraph. Use web.scrape and then llm.call with a response_format',
  ],
  ['ratelimit.wrap', "a limiter of calls: the services' own limits are waited for"],
  ...dspy.map(
    (name) =>
      [`reason.dspy.${name}`, `DSPy. Use reason.${name === 'react' ? 'react' : 'cot'}`] as const,
  ),
]

/** Actions of the format that there are not, and what each would need: those of switched-off features among them. */
export function composedRefusals(features: ComposedFeatures = {}): ReadonlyMap<string, string> {
  const off = features.reasoning === false ? ['cot', 'react', 'self_correct', 'decompose'] : []
  const why = 'the feature reasoning, which is switched off in the configuration'
  return new Map([...refused, ...off.map((name) => [`reason.${name}`, why] as const)])
}
