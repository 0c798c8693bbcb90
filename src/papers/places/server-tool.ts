import type { JsonObject } from '../../kernel/json.ts'
import type { DescribedTool, McpAccess, McpOffer } from '../../tools/mcp/mcp-access.ts'
import type { McpResult } from '../../tools/mcp/tool-result.ts'

/** An MCP server that knows arXiv. */
export interface PaperServerSettings {
  readonly access: Pick<McpAccess, 'offer' | 'call'>
  /** Its name in the configuration. */
  readonly server: string
  /** By what its files are remembered: the same for the same program or address, whatever it is called. */
  readonly identity: string
  /** Where it puts the files that it names; without it no file of its is read. */
  readonly folder?: string
}

/** What a call gave, or why it gave nothing. */
export type ServerAnswer =
  | { readonly ok: true; readonly result: McpResult }
  | { readonly ok: false; readonly reason: string; readonly detail: string; readonly hint?: string }

/** Calls a tool of the server by the server's own name for it, with input made for the parameters that the tool says it has. */
export async function callServerTool(
  { access, server }: PaperServerSettings,
  toolName: string,
  inputFor: (has: (parameter: string) => JsonObject | undefined) => JsonObject,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const offer = await access.offer([server], [], signal)
  const tool = offer.tools.find(({ name }) => name === toolName || name.endsWith(`.${toolName}`))
  if (tool === undefined) return notOffered(server, toolName, offer)
  const input = inputFor((parameter) => schemaOf(tool, parameter))
  const run = { signal, key: `papers/${toolName}`, emit: () => undefined }
  const outcome = await access.call(tool, [], input, run)
  if (outcome.ok) return { ok: true, result: outcome.result }
  const { code: reason, message: detail, hint } = outcome.error
  return { ok: false, reason, detail, ...(hint === undefined ? {} : { hint }) }
}

function schemaOf({ parameters }: DescribedTool, name: string): JsonObject | undefined {
  const { properties } = parameters as {
    readonly properties?: Readonly<Record<string, JsonObject>>
  }
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** The server could not be had, or its tool may not be used, or there is none. */
function notOffered(server: string, toolName: string, offer: McpOffer): ServerAnswer {
  const { unavailable, notices } = offer
  const [failure] = unavailable
  if (failure !== undefined) return { ok: false, reason: 'server_failed', detail: failure.detail }
  const why = notices.find(({ text }) => text.includes(toolName))
  const detail = why?.text ?? `MCP server "${server}" has no tool ${toolName}.`
  return { ok: false, reason: why === undefined ? 'not_offered' : 'not_allowed', detail }
}
