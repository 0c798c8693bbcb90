import type { MoreTools } from '../../code/parts.ts'
import type { CodeInput } from '../../code/settings.ts'
import type { Json } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { McpOffer } from '../../tools/mcp/mcp-access.ts'
import type { AppParts } from '../app-parts.ts'
import { researchTool } from './research-tool.ts'

/** A server that starts up may take so long. */
const offerTimeoutMs = 120_000

/** The question team as a tool, and what MCP servers offer: once a session, so that a replay needs no server. */
export async function moreTools(
  parts: AppParts,
  context: RunContext,
  input: CodeInput,
  hasWeb: boolean,
): Promise<MoreTools> {
  const research = researchTool(parts, input.web && hasWeb)
  if (input.mcp.length === 0) return { tools: [research], allowed: [], notes: [] }
  const { createMcpRunTools } = await import('../../tools/mcp/run-tools.ts')
  const { tools, unavailable, notices } = await offerOf(parts, context, input.mcp)
  const scope = {
    access: () => parts.mcp.access(),
    library: parts.library,
    takenNames: [],
    now: () => parts.clock.now(),
  }
  return {
    tools: [research, ...createMcpRunTools(tools, scope)],
    // A tool that may change something is only offered where a rule of the operator names it.
    allowed: tools.flatMap(({ name, effect }) => (effect === 'write' ? [name] : [])),
    notes: [
      ...notices.map(({ text }) => text),
      ...unavailable.map(({ source, detail }) => `${source} could not be reached: ${detail}`),
    ],
  }
}

function offerOf(
  parts: AppParts,
  context: RunContext,
  servers: readonly string[],
): Promise<McpOffer> {
  const offer = async (signal: AbortSignal) =>
    (await (await parts.mcp.access()).offer(servers, [], signal)) as unknown as Json
  return context.step('mcp', 'read', { servers: [...servers] }, ({ signal }) => offer(signal), {
    label: 'asking the MCP servers',
    timeoutMs: offerTimeoutMs,
  }) as unknown as Promise<McpOffer>
}
