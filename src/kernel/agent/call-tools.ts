import { endsAt, toFailure } from '../errors.ts'
import { isJsonObject, isNestedDeeper, type Json, maxJsonDepth } from '../json.ts'
import type { Effect } from '../run/event.ts'
import type { RunContext } from '../run/run-context.ts'
import { settleAll } from '../run/run-with-dependencies.ts'
import type { StepOptions } from '../step/step-attempt.ts'
import { beginsAsJson, inputFromValue, objectInText } from '../text/tool-call-parameters.ts'
import type { Message, ToolCallPart, ToolResultPart } from './message.ts'
import type { Tool, ToolRegistry } from './tool.ts'
import { unknownTool, type WriteGuard, type WriteRefusal } from './write-guard.ts'

/** The calls of one message, and what they are made with. */
export interface CallsOfTurn {
  readonly calls: readonly ToolCallPart[]
  /** The ids of the calls that only their shape shows. */
  readonly unsure: ReadonlySet<string>
  /** Calls that are not made, each with the message for the model. */
  readonly refused: ReadonlyMap<ToolCallPart, string>
  readonly tools: ToolRegistry
  /** What the model had been shown when it made the calls: nothing of this turn's results. */
  readonly guard: WriteGuard
  readonly inOrder?: boolean
  readonly permit?: (call: AskedCall) => Promise<Permission>
  readonly onMade?: (made: ToolResultPart) => void
}

/** A refusal, as a message for the model, or permission for the call. */
export type Permission =
  | { readonly refusal: Json }
  | {
      readonly refusal?: undefined
      /** The way to find out after a crash whether it was made. */
      readonly decide?: StepOptions['decide']
      /** What it was let through to do: {@link ToolRun.permitted}. */
      readonly permitted?: Json
    }

/** A call before it is made. */
export interface AskedCall {
  /** That of the call: what is asked there is asked once. */
  readonly context: RunContext
  readonly tool: Tool
  /** The checked arguments. */
  readonly input: Json
  readonly toolCallId: string
  readonly effect: Effect
  /** What the rule for text from elsewhere says against it. */
  readonly tainted: WriteRefusal | undefined
}

/** Calls of one message that run at once. */
const maxParallelCalls = 8

/** Does the calls of one message, several at once: a message with their results in the order of the calls. */
export async function callTools(context: RunContext, turn: CallsOfTurn): Promise<Message> {
  const { calls, tools } = turn
  const isOrdered =
    turn.inOrder === true && calls.some((call) => tools.get(call.toolName)?.effect === 'write')
  const branches = calls.map((call, index) =>
    context.branch(`tool[${index + 1}]:${stepName(call.toolName)}`),
  )
  const settled = await settleAll(calls, isOrdered ? 1 : maxParallelCalls, async (call, index) => {
    const branch = branches[index] as RunContext
    if (isOrdered) branch.advanceTime(context.now())
    const result = await callTool(branch, turn, call)
    if (isOrdered) context.join([branch])
    turn.onMade?.(result)
    return result
  })
  const failed = settled.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  context.join(branches)
  const parts = settled.map((result) => (result as PromiseFulfilledResult<ToolResultPart>).value)
  return { id: context.id('tools'), role: 'tool', parts, createdAt: context.now() }
}

/** One tool call in three phases: prepare, execute, finalise. A refusal is a value. */
async function callTool(
  context: RunContext,
  turn: CallsOfTurn,
  call: ToolCallPart,
): Promise<ToolResultPart> {
  const prepared = await prepare(context, turn, call)
  if (!prepared.ok) return finalise(call, prepared.refusal, true)
  try {
    const output = await execute(context, prepared, turn.guard.isTainted)
    return finalise(call, output, false)
  } catch (error) {
    if (endsAt(error, context.path)) throw error
    const { message, code, hint } = toFailure(error)
    return finalise(call, { error: message, code, ...(hint === undefined ? {} : { hint }) }, true)
  }
}

interface Ready {
  readonly ok: true
  readonly tool: Tool
  readonly input: Json
  readonly effect: Effect
  readonly decide: StepOptions['decide']
  readonly permitted: Json | undefined
}

type Prepared = Ready | { readonly ok: false; readonly refusal: Json }

async function prepare(
  context: RunContext,
  turn: CallsOfTurn,
  call: ToolCallPart,
): Promise<Prepared> {
  const { tools, guard, unsure, permit } = turn
  const tool = tools.get(call.toolName)
  const error = turn.refused.get(call) ?? whyUnreadable(call, tool)
  if (error !== undefined) return { ok: false, refusal: { error } }
  if (tool === undefined) return { ok: false, refusal: unknownTool(call.toolName, tools) }
  const tainting = permit === undefined ? guard.refusalOf(tool) : undefined
  if (tainting !== undefined) return refuse(context, tainting)
  // What is quoted from a page may look like a call, so nothing is changed on the strength of a shape.
  if (unsure.has(call.toolCallId) && tool.effect === 'write') {
    const error = `${tool.name} was not called, because it changes something and its call stood in plain text. If you mean it, call the tool properly, or write <tool_call>{"name": "${tool.name}", "arguments": {…}}</tool_call> and nothing else.`
    return { ok: false, refusal: { error } }
  }
  const report = (text: string) => context.warn('hook', text)
  const rendered = await context.services.hooks.run('tool:call:before', call, report)
  const parsed = parseInput(tool, rendered.input)
  if (!parsed.ok)
    return { ok: false, refusal: { error: `Invalid arguments for ${tool.name}: ${parsed.reason}` } }
  const input = parsed.value
  const unreachable = guard.reachRefusalOf(tool, input)
  if (unreachable !== undefined && permit === undefined) return refuse(context, unreachable)
  const effect = tool.effectOf?.(input) ?? tool.effect
  const tainted = effect === 'write' ? guard.refusalOf(tool) : unreachable
  const { toolCallId } = call
  const permission = await permit?.({ context, tool, input, toolCallId, effect, tainted })
  if (permission?.refusal !== undefined) return { ok: false, refusal: permission.refusal }
  const { decide, permitted } = permission ?? {}
  return { ok: true, tool, input, effect, decide, permitted }
}

/**
 * The checked arguments; those that are no object stand for the tool's only parameter if they do not fit otherwise. Text may be a
 * part of something else, so it does so only where the tool changes nothing.
 */
function parseInput(tool: Tool, input: Json): ReturnType<Tool['parse']> {
  const parsed = tool.parse(input)
  if (parsed.ok || isJsonObject(input)) return parsed
  if (typeof input === 'string' && tool.effect === 'write') return parsed
  const named = inputFromValue(tool, input)
  const again = named === undefined ? parsed : tool.parse(named)
  return again.ok ? again : parsed
}

/** The message to the model about an incomplete call, no part of which is carried out. */
export function notWhole({ toolName }: ToolCallPart, reason: string): string {
  return `The call of ${toolName} was not made: ${reason}. Make it again, whole. Do what is long in parts: several smaller calls, each in a message of its own.`
}

/** Why arguments that cannot be read are none. */
export const unreadable = 'its arguments are cut off or no valid JSON object'

/** The message to the model about arguments that came as text and cannot be parsed. */
function whyUnreadable(call: ToolCallPart, tool: Tool | undefined): string | undefined {
  const { input } = call
  // As an answer a text may begin in any way.
  if (typeof input !== 'string' || !beginsAsJson(input) || tool?.endsWork === true) return undefined
  if (isNestedDeeper(input, maxJsonDepth))
    return notWhole(call, `its arguments are nested more than ${maxJsonDepth} levels deep`)
  return objectInText(input) === undefined ? notWhole(call, unreadable) : undefined
}

async function refuse(context: RunContext, { message, result }: WriteRefusal): Promise<Prepared> {
  await context.notice('refused', 'warning', message)
  return { ok: false, refusal: result }
}

async function execute(context: RunContext, ready: Ready, isTainted: boolean): Promise<Json> {
  const { tool, input } = ready
  const output =
    tool.performs === undefined
      ? await executeAsStep(context, ready, isTainted)
      : await tool.performs(context.child('call'), input, isTainted)
  const report = (text: string) => context.warn('hook.after', text)
  return context.services.hooks.run('tool:call:after', output, report)
}

function executeAsStep(
  context: RunContext,
  { tool, input, effect, decide, permitted }: Ready,
  isTainted: boolean,
): Promise<Json> {
  const { timeoutMs } = tool
  return context.step(
    'call',
    effect,
    { tool: tool.name, input },
    ({ signal, key }) =>
      tool.execute(input, {
        signal,
        key,
        emit: (data) => context.emit('progress', data, 'call'),
        ...(isTainted ? { isTainted } : {}),
        ...(permitted === undefined ? {} : { permitted }),
      }),
    {
      label: tool.name,
      timeoutMs,
      reservation: { steps: 1, tokens: 0, costUsd: 0 },
      ...(decide === undefined ? {} : { decide }),
    },
  )
}

function finalise(call: ToolCallPart, output: Json, isError: boolean): ToolResultPart {
  const { toolCallId, toolName } = call
  return { type: 'tool-result', toolCallId, toolName, output, ...(isError ? { isError } : {}) }
}

/** A model chooses the name, so what a key cannot carry is replaced. */
function stepName(toolName: string): string {
  return toolName.replaceAll(/[^\w.-]/g, '_').slice(0, 60)
}
