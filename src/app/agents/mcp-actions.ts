import * as z from 'zod'
import type { ToolAction } from '../../agents/actions/action.ts'
import type { Library } from '../../retrieval/library.ts'
import type { DescribedTool } from '../../tools/mcp/mcp-access.ts'
import { createMcpRunTools } from '../../tools/mcp/run-tools.ts'
import type { AppMcp } from '../mcp/mcp.ts'

/** What actions of MCP servers are done with. */
export interface McpActionServices {
  readonly mcp: Pick<AppMcp, 'access'>
  library(): Library
  now(): number
}

/** A server that starts up may take so long. */
const offerTimeoutMs = 120_000

/**
 * The tools that servers offer now, as a run records them.
 * @param tell told what of them is left out, and which server could not be had
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

/** Tools of servers as actions: what they give is text from elsewhere, and kept in the library. */
export function mcpActions(
  tools: readonly DescribedTool[],
  { mcp, library, now }: McpActionServices,
): readonly ToolAction[] {
  const scope = { access: () => mcp.access(), library: library(), takenNames: [], now }
  return createMcpRunTools(tools, scope).map((tool) => ({
    kind: 'tool',
    tool,
    // The server's own schema is held against them when it is called.
    params: z.record(z.string(), z.json()),
    result: 'what the server returns, as stored in the library',
  }))
}
