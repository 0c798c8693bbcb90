import { endsAt, toFailure } from './errors.ts'
import type { Json } from './json.ts'
import type { Message, ToolCallPart, ToolResultPart } from './message.ts'
import type { RunContext } from './run-context.ts'
import { settleAll } from './settle-all.ts'
import type { Tool, ToolRegistry } from './tool.ts'
import { unknownTool, type WriteGuard, type WriteRefusal } from './write-guard.ts'

/** The calls of one message, and what they are made with. */
export interface CallsOfTurn {
  readonly calls: readonly ToolCallPart[]
  /** The ids of the calls that only their shape shows. */
  readonly unsure: ReadonlySet<string>
  readonly tools: ToolRegistry
  /** What the model had been shown when it made the calls: nothing of this turn's results. */
  readonly guard: WriteGuard
}

/** Calls of one message that run at once. */
const maxParallelCalls = 8

/** Does the calls of one message, several at once: a message with their results in the order of the calls. */
export async function callTools(context: RunContext, turn: CallsOfTurn): Promise<Message> {
  const { calls } = turn
  const branches = calls.map((call, index) =>
    context.branch(`tool[${index + 1}]:${stepName(call.toolName)}`),
  )
  const settled = await settleAll(calls, maxParallelCalls, (call, index) =>
    callTool(branches[index] as RunContext, turn, call),
  )
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
}

type Prepared = Ready | { readonly ok: false; readonly refusal: Json }

async function prepare(
  context: RunContext,
  { tools, guard, unsure }: CallsOfTurn,
  call: ToolCallPart,
): Promise<Prepared> {
  const tool = tools.get(call.toolName)
  if (tool === undefined) return { ok: false, refusal: unknownTool(call.toolName, tools) }
  const refused = guard.refusalOf(tool)
  if (refused !== undefined) return refuse(context, refused)
  // What is quoted from a page may look like a call, so nothing is changed on the strength of a shape.
  if (unsure.has(call.toolCallId) && tool.effect === 'write') {
    const error = `${tool.name} was not called, because it changes something and its call stood in plain text. If you mean it, call the tool properly, or write <tool_call>{"name": "${tool.name}", "arguments": {…}}</tool_call> and nothing else.`
    return { ok: false, refusal: { error } }
  }
  const report = (text: string) => context.warn('hook', text)
  const rendered = await context.services.hooks.run('tool:call:before', call, report)
  const parsed = tool.parse(rendered.input)
  if (!parsed.ok)
    return { ok: false, refusal: { error: `Invalid arguments for ${tool.name}: ${parsed.reason}` } }
  const unreachable = guard.reachRefusalOf(tool, parsed.value)
  if (unreachable !== undefined) return refuse(context, unreachable)
  return { ok: true, tool, input: parsed.value }
}

async function refuse(context: RunContext, { told, result }: WriteRefusal): Promise<Prepared> {
  await context.notice('refused', 'warning', told)
  return { ok: false, refusal: result }
}

async function execute(
  context: RunContext,
  { tool, input }: Ready,
  isTainted: boolean,
): Promise<Json> {
  const { timeoutMs, effect } = tool
  const output = await context.step(
    'call',
    effect,
    { tool: tool.name, input },
    ({ signal, key }) =>
      tool.execute(input, {
        signal,
        key,
        emit: (data) => context.emit('progress', data, 'call'),
        ...(isTainted ? { isTainted } : {}),
      }),
    { label: tool.name, timeoutMs, reservation: { steps: 1, tokens: 0, costUsd: 0 } },
  )
  const report = (text: string) => context.warn('hook.after', text)
  return context.services.hooks.run('tool:call:after', output, report)
}

function finalise(call: ToolCallPart, output: Json, isError: boolean): ToolResultPart {
  const { toolCallId, toolName } = call
  return { type: 'tool-result', toolCallId, toolName, output, ...(isError ? { isError } : {}) }
}

/** A model chooses the name, so what a key cannot carry is replaced. */
function stepName(toolName: string): string {
  return toolName.replaceAll(/[^\w.-]/g, '_').slice(0, 60)
}
