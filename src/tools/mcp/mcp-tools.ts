import type { ProgressCallback } from '@modelcontextprotocol/client'
import { type Tool, type ToolRun, wireToolName } from '../../kernel/agent/tool.ts'
import { ScholiumError, toFailure } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject, sha256 } from '../../kernel/json.ts'
import { withDeadline } from '../../kernel/run/deadline.ts'
import type { Effect } from '../../kernel/run/event.ts'
import { redactSecrets } from '../../kernel/run/secrets.ts'
import { serverTitle } from './failure-text.ts'
import type { McpServerConfig } from './mcp-config.ts'
import { connectTimeoutMs, type McpConnection, pingTimeoutMs } from './mcp-connection.ts'
import type { McpServer } from './mcp-server.ts'
import { describeChanges, listTools, type McpTool, type ToolList } from './tool-list.ts'
import { type McpResult, resultText, toResult } from './tool-result.ts'
import { findArgumentsProblem } from './tool-schema.ts'
import { cleanLine } from './untrusted-text.ts'

/** A server's tool. */
export interface McpServerTool extends Tool {
  /** The server's name in the configuration. */
  readonly server: string
}

/** The tools of servers, and the servers that failed. */
export interface McpToolSet {
  readonly tools: readonly McpServerTool[]
  readonly gaps: readonly { readonly server: string; readonly reason: string }[]
}

/** Time to restart a server before a call: both attempts and the pause between them. */
const restartAllowanceMs = 2 * connectTimeoutMs + pingTimeoutMs

/**
 * The tools that servers offer now; connects the servers. A failed server is a gap and does not affect the others.
 * Results are untrusted. A tool counts as a `write` unless the server says that it only reads and the operator trusts
 * the server.
 * @param takenNames names of other tools
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
  const names = assignToolNames(
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
  const effect = findEffect(tool, config)
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
  if (!isJsonObject(value)) return { ok: false, reason: 'the arguments must be an object' }
  const reason = findArgumentsProblem(schema, value)
  return reason === undefined ? { ok: true, value } : { ok: false, reason }
}

function findEffect(tool: McpTool, { isTrusted }: McpServerConfig): Effect {
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
  const title = `${serverTitle(server.config)}: the tool ${JSON.stringify(cleanLine(tool.name, 80))}`
  if (now === undefined) {
    throw new ScholiumError('tool_failed', `${title} is no longer offered.`)
  }
  const effect = findEffect(tool, server.config)
  if (effect !== findEffect(now, server.config)) {
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

/** Time limit for all pages of a list. */
const maxListMs = 60_000

/** The current tools of one server, listed once, and again after a change or restart. */
class OfferedTools {
  readonly server: McpServer
  private list: ToolList | undefined
  private version = -1

  constructor(server: McpServer) {
    this.server = server
  }

  /**
   * The list; changes since the last time are reported as notices.
   * @throws as {@link McpServer.request}
   */
  async now(signal: AbortSignal): Promise<ToolList> {
    const { server, list } = this
    if (list !== undefined && this.version === server.toolsVersion) return list
    const request = { what: 'the list of its tools', isWrite: false }
    let version = this.version
    const listNow = (connection: McpConnection) => {
      version = server.toolsVersion
      return withDeadline(signal, maxListMs, (stop) => listTools(connection, stop))
    }
    const fresh = await server.request(request, listNow, signal)
    this.version = version
    const told = new Set(list?.problems)
    const problems = fresh.problems.filter((problem) => !told.has(problem))
    const changes = list === undefined ? [] : describeChanges(list, fresh)
    for (const text of [...problems, ...changes]) server.notice('warning', text)
    this.list = fresh
    return fresh
  }
}

/** A call of a server's tool. */
interface McpCall {
  readonly tool: McpTool
  readonly input: JsonObject
  /** Whether it may change something. */
  readonly isWrite: boolean
  readonly signal: AbortSignal
  /** The server's progress reports. */
  onProgress?(progress: JsonObject): void
}

const maxErrorChars = 4_000
const maxProgressNotes = 1_000

/**
 * Calls a tool and returns its result as data, without the server's secrets.
 * @throws `tool_failed` with the tool's own message if it reports a failure, or as {@link McpServer.request}
 */
async function callTool(server: McpServer, call: McpCall): Promise<McpResult> {
  const { config } = server
  const what = `the tool ${JSON.stringify(cleanLine(call.tool.name, 80))}`
  const request = { what, isWrite: call.isWrite }
  const work = (connection: McpConnection) => sendCall(connection, call, config.timeoutMs)
  const raw = await server.request(request, work, call.signal)
  const result = redactSecrets(toResult(raw), config.secrets)
  if (raw.isError !== true) return result
  const reason = resultText(result, maxErrorChars) || 'It gives no reason.'
  throw new ScholiumError('tool_failed', `${serverTitle(config)}: ${what} failed: ${reason}`)
}

function sendCall(connection: McpConnection, call: McpCall, timeoutMs: number) {
  const { tool, input, signal, onProgress } = call
  let notes = 0
  const onprogress: ProgressCallback = (progress) => {
    if (++notes > maxProgressNotes) return
    onProgress?.({
      progress: progress.progress,
      ...(progress.total === undefined ? {} : { total: progress.total }),
      ...(progress.message === undefined ? {} : { message: cleanLine(progress.message, 200) }),
    })
  }
  return connection.client.callTool(
    { name: tool.name, arguments: { ...input } },
    {
      signal,
      timeout: timeoutMs,
      maxTotalTimeout: timeoutMs,
      // Without its output schema: a server's patterns are not run here.
      toolDefinition: { name: tool.name, inputSchema: { ...tool.schema, type: 'object' } },
      ...(onProgress === undefined ? {} : { onprogress }),
    },
  )
}

const maxWireChars = 64
const hashChars = 8

/**
 * Assigns a name to each pair of server and tool, in order: `server.tool`, in valid characters. A name that is too long
 * or could be confused with another ends with a hash of the pair, so it is the same in every run.
 */
export function assignToolNames(
  pairs: readonly (readonly [server: string, tool: string])[],
  takenNames: readonly string[],
): readonly string[] {
  const plain = pairs.map(([server, tool]) => `${toNamePart(server)}.${toNamePart(tool)}`)
  const taken = new Set(takenNames.map(wireToolName))
  const uses = new Map<string, number>()
  for (const name of plain) uses.set(toWireName(name), (uses.get(toWireName(name)) ?? 0) + 1)
  return plain.map((name, index) => {
    const isPlain =
      name.length <= maxWireChars &&
      uses.get(toWireName(name)) === 1 &&
      !taken.has(wireToolName(name))
    return isPlain ? name : withHash(name, JSON.stringify(pairs[index]))
  })
}

function toWireName(name: string): string {
  return name.replaceAll('.', '_')
}

function withHash(name: string, identity: string): string {
  const room = maxWireChars - hashChars - 1
  return `${name.slice(0, room).replace(/\.$/, '')}_${sha256(identity).slice(0, hashChars)}`
}

/** A part of a name: starts with a letter, followed by letters, digits, `_` and `-`. */
function toNamePart(text: string): string {
  const allowed = text.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  return /^[A-Za-z]/.test(allowed) ? allowed : `x${allowed}`
}
