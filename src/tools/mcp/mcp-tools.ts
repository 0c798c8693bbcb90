import type { Tool, ToolRun } from '../../kernel/agent/tool.ts'
import { ScholiumError, toFailure } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Effect } from '../../kernel/run/event.ts'
import { titleOf } from './failure-text.ts'
import type { McpServerConfig } from './mcp-config.ts'
import { connectTimeoutMs, pingTimeoutMs } from './mcp-connection.ts'
import type { McpServer } from './mcp-server.ts'
import { OfferedTools } from './offered-tools.ts'
import { callTool } from './tool-calls.ts'
import type { McpTool } from './tool-list.ts'
import { toolNames } from './tool-names.ts'
import { argumentsProblem, isObject } from './tool-schema.ts'
import { cleanLine } from './untrusted-text.ts'

/** A tool of a server. */
export interface McpServerTool extends Tool {
  /** The server's name in the configuration. */
  readonly server: string
}

/** The tools of servers, and which servers gave none. */
export interface McpToolSet {
  readonly tools: readonly McpServerTool[]
  readonly gaps: readonly { readonly server: string; readonly reason: string }[]
}

/** Room for starting a server again before a call: both attempts and the wait between them. */
const restartAllowanceMs = 2 * connectTimeoutMs + pingTimeoutMs

/**
 * The tools that servers offer now, for a model to call; connects the servers. A server that fails is a gap and takes nothing with it.
 * What a tool gives back is the server's word: untrusted. A tool counts as a `write` unless the server says that it only reads and
 * the operator trusts the server.
 * @param takenNames names of the tools beside which these are to stand
 */
export async function mcpTools(
  servers: readonly McpServer[],
  takenNames: readonly string[],
  signal: AbortSignal,
): Promise<McpToolSet> {
  const offers = servers.map((server) => new OfferedTools(server))
  const lists = await Promise.allSettled(offers.map((offered) => offered.now(signal)))
  signal.throwIfAborted()
  const found = lists.flatMap((list, index) => {
    const offered = offers[index] as OfferedTools
    return list.status === 'rejected' ? [] : list.value.tools.map((tool) => ({ offered, tool }))
  })
  const names = toolNames(
    found.map(({ offered, tool }) => [offered.server.name, tool.name]),
    takenNames,
  )
  const gaps = lists.flatMap((list, index) => {
    if (list.status === 'fulfilled') return []
    const { message } = toFailure(list.reason)
    return [{ server: servers[index]?.name ?? '', reason: message }]
  })
  const tools = found.map(({ offered, tool }, index) =>
    toTool(names[index] as string, offered, tool),
  )
  return { tools, gaps }
}

function toTool(name: string, offered: OfferedTools, tool: McpTool): McpServerTool {
  const { config } = offered.server
  const effect = effectOf(tool, config)
  return {
    name,
    server: config.name,
    description: `[From the MCP server ${JSON.stringify(cleanLine(config.name, 60))}, in its own words] ${tool.description}`,
    parameters: tool.schema,
    effect,
    untrusted: config.isTrusted ? 'results' : 'all',
    timeoutMs: config.timeoutMs + restartAllowanceMs,
    parse: (input) => parseArguments(tool.schema, input),
    execute: (input, run) => execute(offered, tool, input, run),
  }
}

/** Arguments checked against a tool's schema. */
export function parseArguments(schema: JsonObject, input: unknown): ReturnType<Tool['parse']> {
  const value = input ?? {}
  if (!isObject(value)) return { ok: false, reason: 'the arguments must be an object' }
  const reason = argumentsProblem(schema, value)
  return reason === undefined ? { ok: true, value } : { ok: false, reason }
}

function effectOf(tool: McpTool, { isTrusted }: McpServerConfig): Effect {
  return isTrusted && tool.claimsReadOnly ? 'read' : 'write'
}

async function execute(
  offered: OfferedTools,
  tool: McpTool,
  input: Json,
  { signal, emit }: ToolRun,
): Promise<Json> {
  const { server } = offered
  const { tools } = await offered.now(signal)
  const now = tools.find(({ name }) => name === tool.name)
  const title = `${titleOf(server.config)}: the tool ${JSON.stringify(cleanLine(tool.name, 80))}`
  if (now === undefined) {
    throw new ScholiumError('tool_failed', `${title} is no longer offered.`)
  }
  const effect = effectOf(tool, server.config)
  if (effect !== effectOf(now, server.config)) {
    const message = `${title} was marked as read-only before but is not now; it was not called.`
    throw new ScholiumError('tool_failed', message)
  }
  const isWrite = effect === 'write'
  const call = {
    tool: now,
    input: input as Record<string, Json>,
    isWrite,
    signal,
    onProgress: emit,
  }
  return callTool(server, call)
}
