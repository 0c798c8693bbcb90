import * as z from 'zod'
import type { ToolAction } from '../../agents/actions/action.ts'
import type { Library } from '../../retrieval/library.ts'
import type { DescribedTool } from '../../tools/mcp/mcp-access.ts'
import { createMcpRunTools } from '../../tools/mcp/run-tools.ts'
import type { AppMcp } from '../mcp/mcp.ts'

/** What actions of MCP servers need. */
export interface McpActionServices {
  readonly mcp: Pick<AppMcp, 'access'>
  library(): Library
  now(): number
}

/** Time limit for a server to start. */
const offerTimeoutMs = 120_000

/**
 * The tools that servers currently offer, as a run records them.
 * @param tell reports tools that are left out and servers that are unavailable
 */
export async function offeredMcpTools(
  mcp: Pick<AppMcp, 'access'>,
  servers: readonly string[],
  signal: AbortSignal | undefined,
  tell: (text: string) => void,
): Promise<readonly DescribedTool[]> {
  const timeout = AbortSignal.timeout(offerTimeoutMs)
  const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  const access = await mcp.access()
  const { tools, notices, unavailable } = await access.offer(servers, [], stop)
  for (const { text } of notices) tell(text)
  for (const { source, detail } of unavailable) tell(`${source} could not be reached: ${detail}`)
  return tools
}

/** Tools of servers as actions: their results are untrusted text, and are kept in the library. */
export function mcpActions(
  tools: readonly DescribedTool[],
  { mcp, library, now }: McpActionServices,
): readonly ToolAction[] {
  const scope = { access: () => mcp.access(), library: library(), takenNames: [], now }
  return createMcpRunTools(tools, scope).map((tool) => ({
    kind: 'tool',
    tool,
    // They are validated against the server's own schema when it is called.
    params: z.record(z.string(), z.json()),
    result: 'what the server returns, as stored in the library',
  }))
}
