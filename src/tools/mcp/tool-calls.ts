import type { ProgressCallback } from '@modelcontextprotocol/client'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { redactSecrets } from '../../kernel/run/secrets.ts'
import { titleOf } from './failure-text.ts'
import type { McpConnection } from './mcp-connection.ts'
import type { McpServer } from './mcp-server.ts'
import type { McpTool } from './tool-list.ts'
import { type McpResult, resultText, toResult } from './tool-result.ts'
import { cleanLine } from './untrusted-text.ts'

/** A call of a server's tool. */
export interface McpCall {
  readonly tool: McpTool
  readonly input: JsonObject
  /** Whether it may change something. */
  readonly isWrite: boolean
  readonly signal: AbortSignal
  /** What the server says of how far it is. */
  onProgress?(progress: JsonObject): void
}

const maxErrorChars = 4_000
const maxProgressNotes = 1_000

/**
 * Calls a tool and gives its result as data, without the server's secrets.
 * @throws `tool_failed` with the tool's own words when it says that it failed, or as {@link McpServer.request}
 */
export async function callTool(server: McpServer, call: McpCall): Promise<McpResult> {
  const { config } = server
  const what = `the tool ${JSON.stringify(cleanLine(call.tool.name, 80))}`
  const request = { what, isWrite: call.isWrite }
  const work = (connection: McpConnection) => sendCall(connection, call, config.timeoutMs)
  const raw = await server.request(request, work, call.signal)
  const result = redactSecrets(toResult(raw), config.secrets)
  if (raw.isError !== true) return result
  const reason = resultText(result, maxErrorChars) || 'It gives no reason.'
  throw new ScholiumError('tool_failed', `${titleOf(config)}: ${what} failed: ${reason}`)
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
      // Without the schema of its output: a server's patterns do not run here.
      toolDefinition: { name: tool.name, inputSchema: { ...tool.schema, type: 'object' } },
      ...(onProgress === undefined ? {} : { onprogress }),
    },
  )
}
