import * as z from 'zod'
import { runAgent } from '../../../kernel/agent/agent-loop.ts'
import { createToolRegistry } from '../../../kernel/agent/tool.ts'
import { endsAt, ScholiumError } from '../../../kernel/errors.ts'
import { isJsonObject, type JsonObject } from '../../../kernel/json.ts'
import { noticeCutAnswer } from '../../../kernel/model/cut-answer.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { settleAll } from '../../../kernel/run/settle-all.ts'
import { nearest } from '../../../kernel/text/nearest.ts'
import type { ActionCall } from '../action.ts'
import { taintByCalls, toolsNamed } from './agent-tools.ts'
import { type RetryRule, withRetries } from './ask-model.ts'
import { notDone, textOf } from './composed-action.ts'
import { modelFor, type Providers, withSettings } from './model-choice.ts'
import { conversationOf, type ModelParams, modelParams, retryParams } from './model-params.ts'
import { metered, usageOf } from './model-usage.ts'

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
      'As settings.agents has it: {max_attempts, backoff}, the calls at most and by what the wait between them grows.',
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

/** An agent of `settings.agents`. */
export interface NamedAgent {
  readonly name: string
  readonly systemPrompt: string
  readonly params: ModelParams
  readonly tools: readonly string[]
}

/** The agent of a name, or why there is none. */
export function agentNamed(
  { scope }: Pick<ActionCall, 'scope'>,
  name: string,
): NamedAgent | { readonly error: string } {
  const { agents } = scope.settings
  const known = isJsonObject(agents) ? agents : {}
  const found = Object.hasOwn(known, name) ? known[name] : undefined
  if (isJsonObject(found)) return readAgent(name, found)
  const names = Object.keys(known)
  const meant = nearest(name, names)
  const advice =
    meant === undefined ? ` There are: ${names.join(', ') || 'none'}.` : ` Did you mean "${meant}"?`
  return { error: `There is no agent "${name}" in settings.agents.${advice}` }
}

function readAgent(name: string, found: JsonObject): NamedAgent {
  const { system_prompt: prompt, tools, description: _, ...params } = found
  return {
    name,
    systemPrompt: prompt === undefined || prompt === null ? '' : textOf(prompt),
    params: params as ModelParams,
    tools: Array.isArray(tools) ? tools.map((tool) => textOf(tool)) : [],
  }
}

/**
 * Work for each of several, so many at once, each in a branch of its own: what it gave, in their order.
 * @param segment names the branches: `worker[1]`, …
 * @throws what ends the run before any other failure, else the first
 */
export async function atOnce<Item, Result>(
  context: RunContext,
  segment: string,
  items: readonly Item[],
  limit: number,
  work: (item: Item, context: RunContext, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const branches = items.map((_, index) => context.branch(`${segment}[${index + 1}]`))
  const settled = await settleAll(items, limit, (item, index) =>
    work(item, branches[index] as RunContext, index),
  )
  context.join(branches)
  const failed = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const ending = failed.find((reason) => isEnding(reason, context))
  if (failed.length > 0) throw ending ?? failed[0]
  return settled.map((result) => (result as PromiseFulfilledResult<Result>).value)
}

function isEnding(reason: unknown, { path }: RunContext): boolean {
  return !(reason instanceof ScholiumError) || endsAt(reason, path)
}

/** The agents that there are; of others the log tells. */
export async function knownAgents(
  call: ActionCall,
  names: readonly string[],
): Promise<readonly NamedAgent[]> {
  const known: NamedAgent[] = []
  for (const [index, name] of names.entries()) {
    const agent = agentNamed(call, name)
    if ('error' in agent)
      await call.context.notice(
        `unknown[${index + 1}]`,
        'warning',
        `${agent.error} It is left out.`,
      )
    else known.push(agent)
  }
  return known
}
