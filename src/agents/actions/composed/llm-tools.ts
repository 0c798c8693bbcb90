import * as z from 'zod'
import { type AgentOutcome, runAgent } from '../../../kernel/agent/agent-loop.ts'
import { type Message, toolCallsOf } from '../../../kernel/agent/message.ts'
import { createToolRegistry, type Tool, type ToolRegistry } from '../../../kernel/agent/tool.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import { noticeCutAnswer } from '../../../kernel/model/cut-answer.ts'
import type { ActionCall, ActionRegistry, ComposedAction } from '../action.ts'
import { findTools, type ToolReading, taintByCalls } from './agent-tools.ts'
import { listTurnSteps } from './ask-agent.ts'
import { retryOrThrow } from './ask-model.ts'
import { defineComposedAction, failedResult } from './composed-action.ts'
import { applyLlmSettings, chooseActionModel, type Providers } from './model-choice.ts'
import {
  createConversation,
  hasPrompt,
  missingPrompt,
  modelParams,
  promptParams,
  retryParams,
  wordingParams,
} from './model-params.ts'
import { meterModel, readUsage } from './model-usage.ts'

const givenTool = z.union([
  z.string(),
  z.strictObject({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.json()).optional(),
    action: z.string().optional(),
  }),
])

type GivenTool = z.output<typeof givenTool>

/** Parameters with tools that a model may call. */
export const toolParams = {
  tools: z
    .array(givenTool)
    .nullish()
    .describe(
      'Single-effect actions, by name, or {name, description, parameters, action} to describe one differently.',
    ),
  tool_choice: z
    .string()
    .nullish()
    .describe('auto, none (no tools), or the name of the only tool to offer. Default auto.'),
  max_tool_rounds: z
    .int()
    .min(0)
    .max(1_000)
    .nullish()
    .describe('Maximum number of model calls with tools. Default 10.'),
}

/** Tools as given in parameters. */
export type ToolParams = z.output<z.ZodObject<typeof toolParams>>

const params = z
  .strictObject({
    ...modelParams,
    ...wordingParams,
    ...promptParams,
    ...retryParams,
    ...toolParams,
  })
  .refine(hasPrompt, missingPrompt)

/** Description of what a call with tools returns in addition to the answer. */
export const toolResult =
  'tool_calls: [{name, arguments}], tool_results: [{name, result, is_error}], rounds; if there is no answer within the rounds or a tool is unknown: {error, success: false, …}'

/** `llm.tools`: a model that calls tools until it answers. */
export function llmToolsAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'llm.tools',
    description: 'Calls a model that may use tools, until it answers.',
    params,
    result: `{content, usage, model}, ${toolResult}`,
    run: (given, call) => askWithTools('llm.tools', given, call, providers),
  })
}

/** Asks a model that may call tools until it answers. Once per call. @param who the action's name, for messages */
export async function askWithTools(
  who: string,
  given: z.output<typeof params>,
  call: ActionCall,
  providers: Providers,
): Promise<JsonObject> {
  const { context } = call
  const found = readOffered(given, call.actions)
  if (!found.ok) return failedResult(found.error, { tool_calls: [], tool_results: [] })
  const settings = applyLlmSettings(call, given, providers)
  const chosen = await chooseActionModel(context, who, settings, providers)
  const messages = createConversation(context, given)
  const most = given.max_tool_rounds ?? 10
  return retryOrThrow(context, settings, async (inside) => {
    const model = meterModel(chosen, given)
    const tools = createToolRegistry(found.tools)
    const { isTainted, scope } = call
    const agent = { model: model.binding, tools, maxTurns: most, isTainted, allow: scope.allow }
    const outcome = await runAgent(inside, agent, messages)
    if (outcome.isCut) await noticeCutAnswer(inside, 'answer', model.binding)
    const called = outcome.results.map(({ toolName }) => toolName)
    taintByCalls(call, found.tools, called)
    const facts = {
      ...listCalls(outcome, outcome.messages.slice(messages.length), tools),
      usage: await readUsage(inside, model, listTurnSteps(most)),
      model: chosen.name,
    }
    return outcome.stopReason === 'answer'
      ? { content: outcome.text, ...facts }
      : failedResult(`There was no answer within ${most} model calls.`, { content: '', ...facts })
  })
}

/** The calls of a loop and their results, by tool name. */
function listCalls(
  { results }: AgentOutcome,
  added: readonly Message[],
  tools: ToolRegistry,
): JsonObject {
  const nameOf = (name: string) => tools.get(name)?.name ?? name
  return {
    tool_calls: added.flatMap(toolCallsOf).map(({ toolName, input }) => ({
      name: nameOf(toolName),
      arguments: input,
    })),
    tool_results: results.map(({ toolName, output, isError = false }) => ({
      name: nameOf(toolName),
      result: output,
      is_error: isError,
    })),
    rounds: added.filter(({ role }) => role === 'assistant').length,
  }
}

/** The tools offered to a model: all, none or one, according to `tool_choice`. */
function readOffered(
  { tools, tool_choice: choice }: ToolParams,
  actions: ActionRegistry,
): ToolReading {
  const given = tools ?? []
  if (choice === 'none') return { ok: true, tools: [] }
  if (!choice || choice === 'auto' || choice === 'required') return readTools(given, actions)
  const chosen = given.filter((one) => (typeof one === 'string' ? one : one.name) === choice)
  return chosen.length > 0
    ? readTools(chosen, actions)
    : { ok: false, error: `tool_choice names ${choice}, which is not among the tools.` }
}

function readTools(given: readonly GivenTool[], actions: ActionRegistry): ToolReading {
  const tools: Tool[] = []
  for (const one of given) {
    const shown = typeof one === 'string' ? { name: one } : one
    const found = findTools([shown.action ?? shown.name], actions)
    if (!found.ok) return found
    const [tool] = found.tools
    if (tool !== undefined) tools.push(renameToolFields(tool, shown))
  }
  return { ok: true, tools }
}

function renameToolFields(
  tool: Tool,
  { name, description, parameters }: Exclude<GivenTool, string>,
): Tool {
  return {
    ...tool,
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters: asSchema(parameters as JsonObject) }),
  }
}

/** A JSON Schema, also from parameters listed by name with their types and `required`. */
function asSchema(parameters: JsonObject): JsonObject {
  if (parameters.type === 'object') return parameters
  const entries = Object.entries(parameters).map(([name, facts]) => {
    const { required, ...schema } = isJsonObject(facts) ? facts : {}
    return { name, schema, isRequired: required === true }
  })
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    required: entries.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  }
}
