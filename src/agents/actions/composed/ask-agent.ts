import * as z from 'zod'
import { runAgent } from '../../../kernel/agent/agent-loop.ts'
import { createToolRegistry } from '../../../kernel/agent/tool.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { noticeCutAnswer } from '../../../kernel/model/cut-answer.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import type { ActionCall } from '../action.ts'
import type { NamedAgent } from './agent-settings.ts'
import { type RetryRule, withRetries } from './ask-model.ts'
import { notDone } from './composed-action.ts'
import { modelFor, type Providers, withSettings } from './model-choice.ts'
import { conversationOf, type ModelParams, modelParams, retryParams } from './model-params.ts'
import { metered, usageOf } from './model-usage.ts'
import { taintByCalls, toolsNamed } from './tools-of-agent.ts'

/** Parameters of all actions that ask agents: over what `settings.agents` says of them. */
export const askingParams = {
  ...modelParams,
  ...retryParams,
  retry: z
    .strictObject({
      max_attempts: z.int().min(1).max(100).optional(),
      backoff: z.number().min(1).max(100).optional(),
    })
    .nullish()
    .describe(
      'As in settings.agents: {max_attempts, backoff}, the maximum number of calls and the factor by which the wait between them grows.',
    ),
}

/** How agents are asked, whichever they are. */
export type AskingParams = z.output<z.ZodObject<typeof askingParams>>

/** What an agent answered: `{response, content, agent, success, attempts, …}`, or `{error, success: false, agent, attempts}`. */
export type AgentAnswer = JsonObject & { readonly agent: string; readonly success: boolean }

/** Model calls of one agent with tools at most. */
const maxTurns = 10

/** Asks an agent of the file for a task, tools and all. Once for each context. @throws what is the file's or the run's */
export async function askAgent(
  call: ActionCall,
  context: RunContext,
  agent: NamedAgent,
  task: string,
  { params, providers }: { readonly params: AskingParams; readonly providers: Providers },
): Promise<AgentAnswer> {
  const { name } = agent
  const found = toolsNamed(agent.tools, call.actions)
  if (!found.ok) return { ...notDone(found.error), agent: name, success: false, attempts: 0 }
  const given = { ...agent.params, ...definedOf(params) }
  const settings = withSettings(call, given, providers)
  const chosen = await modelFor(context, `agent ${name}`, settings, providers)
  const prompt = {
    prompt: task,
    ...(agent.systemPrompt === '' ? {} : { system: agent.systemPrompt }),
  }
  const messages = conversationOf(context, prompt)
  const rule = retryRuleOf(settings)
  const { outcome, attempts } = await withRetries(context, rule, async (inside) => {
    const model = metered(chosen)
    const done = await runAgent(
      inside,
      {
        model: model.binding,
        tools: createToolRegistry(found.tools),
        maxTurns: found.tools.length === 0 ? 1 : maxTurns,
        isTainted: call.isTainted,
        allow: call.scope.allow,
      },
      messages,
    )
    if (done.isCut) await noticeCutAnswer(inside, 'answer', model.binding)
    taintByCalls(
      call,
      found.tools,
      done.results.map(({ toolName }) => toolName),
    )
    return { ...done, usage: await usageOf(inside, model, turnSteps(maxTurns)) }
  })
  const facts = { agent: name, attempts, elapsed_ms: 0, model: chosen.name }
  if (!outcome.ok) return { ...notDone(outcome.error.message), ...facts, success: false }
  const { text, stopReason, usage } = outcome.value
  if (stopReason === 'max_turns') {
    const error = `The agent "${name}" gave no answer within ${maxTurns} model calls.`
    return { ...notDone(error), ...facts, usage, success: false }
  }
  return { response: text, content: text, ...facts, usage, success: true }
}

/** How often an agent is asked again: `retry` counts the calls, `max_retries` those after the first. */
function retryRuleOf(settings: AskingParams): RetryRule {
  const { retry } = settings
  if (!retry) return settings
  const { max_attempts: most = 3, backoff } = retry
  const own = { max_retries: settings.max_retries ?? most - 1 }
  return { ...settings, ...own, ...(backoff === undefined ? {} : { backoff }) }
}

/** The keys of the steps in which a loop of so many turns asks its model. */
export function turnSteps(turns: number): readonly string[] {
  return Array.from({ length: turns }, (_, index) => [
    `${index + 1}/model`,
    `${index + 1}/model.empty`,
  ]).flat()
}

/** The part of an action's parameters that says how agents are asked. */
export function askingOf(given: AskingParams): AskingParams {
  const own = Object.keys(askingParams)
  return Object.fromEntries(Object.entries(given).filter(([key]) => own.includes(key)))
}

function definedOf(params: AskingParams): ModelParams {
  const defined = Object.entries(params).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  return Object.fromEntries(defined) as ModelParams
}
