import * as z from 'zod'
import { runAgent } from '../../../kernel/agent/agent-loop.ts'
import { createToolRegistry } from '../../../kernel/agent/tool.ts'
import { endsAt, ScholiumError } from '../../../kernel/errors.ts'
import { isJsonObject, type JsonObject } from '../../../kernel/json.ts'
import { noticeCutAnswer } from '../../../kernel/model/cut-answer.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { settleAll } from '../../../kernel/run/run-with-dependencies.ts'
import { findNearest } from '../../../kernel/text/nearest.ts'
import type { ActionCall } from '../action.ts'
import { findTools, taintByCalls } from './agent-tools.ts'
import { type RetryRule, withRetries } from './ask-model.ts'
import { failedResult, toText } from './composed-action.ts'
import { applyLlmSettings, chooseActionModel, type Providers } from './model-choice.ts'
import { createConversation, type ModelParams, modelParams, retryParams } from './model-params.ts'
import { meterModel, readUsage } from './model-usage.ts'

/** Parameters of all actions that ask agents; they override `settings.agents`. */
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

/** How agents are asked. */
export type AskingParams = z.output<z.ZodObject<typeof askingParams>>

/**
 * An agent's answer: `{response, content, agent, success, attempts, …}`, or `{error, success: false, agent,
 * attempts}`.
 */
export type AgentAnswer = JsonObject & { readonly agent: string; readonly success: boolean }

/** An agent of `settings.agents`. */
export interface NamedAgent {
  readonly name: string
  readonly systemPrompt: string
  readonly params: ModelParams
  readonly tools: readonly string[]
}

/** Maximum number of model calls of an agent with tools. */
const maxTurns = 10

/** Gives an agent of the file a task, with its tools. Once per context. @throws errors of the file or the run */
export async function askAgent(
  call: ActionCall,
  context: RunContext,
  agent: NamedAgent,
  task: string,
  { params, providers }: { readonly params: AskingParams; readonly providers: Providers },
): Promise<AgentAnswer> {
  const { name } = agent
  const found = findTools(agent.tools, call.actions)
  if (!found.ok) return { ...failedResult(found.error), agent: name, success: false, attempts: 0 }
  const given = { ...agent.params, ...omitUndefined(params) }
  const settings = applyLlmSettings(call, given, providers)
  const chosen = await chooseActionModel(context, `agent ${name}`, settings, providers)
  const prompt = {
    prompt: task,
    ...(agent.systemPrompt === '' ? {} : { system: agent.systemPrompt }),
  }
  const messages = createConversation(context, prompt)
  const rule = readRetryRule(settings)
  const { outcome, attempts } = await withRetries(context, rule, async (inside) => {
    const model = meterModel(chosen)
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
    return { ...done, usage: await readUsage(inside, model, listTurnSteps(maxTurns)) }
  })
  const facts = { agent: name, attempts, elapsed_ms: 0, model: chosen.name }
  if (!outcome.ok) return { ...failedResult(outcome.error.message), ...facts, success: false }
  const { text, stopReason, usage } = outcome.value
  if (stopReason === 'max_turns') {
    const error = `The agent "${name}" gave no answer within ${maxTurns} model calls.`
    return { ...failedResult(error), ...facts, usage, success: false }
  }
  return { response: text, content: text, ...facts, usage, success: true }
}

/** How often an agent is retried: `retry` counts all calls, `max_retries` those after the first. */
function readRetryRule(settings: AskingParams): RetryRule {
  const { retry } = settings
  if (!retry) return settings
  const { max_attempts: most = 3, backoff } = retry
  const own = { max_retries: settings.max_retries ?? most - 1 }
  return { ...settings, ...own, ...(backoff === undefined ? {} : { backoff }) }
}

/** Keys of the steps in which a loop of this many turns calls its model. */
export function listTurnSteps(turns: number): readonly string[] {
  return Array.from({ length: turns }, (_, index) => [
    `${index + 1}/model`,
    `${index + 1}/model.empty`,
  ]).flat()
}

/** The parameters of an action that say how agents are asked. */
export function pickAskingParams(given: AskingParams): AskingParams {
  const own = Object.keys(askingParams)
  return Object.fromEntries(Object.entries(given).filter(([key]) => own.includes(key)))
}

function omitUndefined(params: AskingParams): ModelParams {
  const defined = Object.entries(params).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  return Object.fromEntries(defined) as ModelParams
}

/** Finds an agent by name, or says why there is none. */
export function findAgent(
  { scope }: Pick<ActionCall, 'scope'>,
  name: string,
): NamedAgent | { readonly error: string } {
  const { agents } = scope.settings
  const known = isJsonObject(agents) ? agents : {}
  const found = Object.hasOwn(known, name) ? known[name] : undefined
  if (isJsonObject(found)) return parseAgent(name, found)
  const names = Object.keys(known)
  const meant = findNearest(name, names)
  const advice =
    meant === undefined ? ` Available: ${names.join(', ') || 'none'}.` : ` Did you mean "${meant}"?`
  return { error: `There is no agent "${name}" in settings.agents.${advice}` }
}

function parseAgent(name: string, found: JsonObject): NamedAgent {
  const { system_prompt: prompt, tools, description: _, ...params } = found
  return {
    name,
    systemPrompt: prompt === undefined || prompt === null ? '' : toText(prompt),
    params: params as ModelParams,
    tools: Array.isArray(tools) ? tools.map((tool) => toText(tool)) : [],
  }
}

/**
 * Runs work on several items with limited concurrency, each in its own branch. Returns the results in the items'
 * order.
 * @param segment names the branches: `worker[1]`, …
 * @throws what ends the run, before any other failure; otherwise the first failure
 */
export async function runConcurrently<Item, Result>(
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
  const ending = failed.find((reason) => endsRun(reason, context))
  if (failed.length > 0) throw ending ?? failed[0]
  return settled.map((result) => (result as PromiseFulfilledResult<Result>).value)
}

function endsRun(reason: unknown, { path }: RunContext): boolean {
  return !(reason instanceof ScholiumError) || endsAt(reason, path)
}

/** Finds agents by name; unknown ones are noted in the log and left out. */
export async function findAgents(
  call: ActionCall,
  names: readonly string[],
): Promise<readonly NamedAgent[]> {
  const known: NamedAgent[] = []
  for (const [index, name] of names.entries()) {
    const agent = findAgent(call, name)
    if ('error' in agent)
      await call.context.notice(`unknown[${index + 1}]`, 'warning', `${agent.error} It is skipped.`)
    else known.push(agent)
  }
  return known
}
