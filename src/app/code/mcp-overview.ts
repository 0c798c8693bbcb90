import { toFailure } from '../../kernel/errors.ts'
import { listPrompts, listResources } from '../../tools/mcp/resources.ts'
import type { AppParts } from '../app-parts.ts'
import { sessionInput } from './session-messages.ts'

const timeoutMs = 30_000

/** The MCP servers of a session with their resources and prompts, for people. */
export async function mcpOverview(parts: AppParts, runId: string): Promise<string> {
  const { mcp } = await sessionInput(parts.store, runId)
  if (mcp.length === 0)
    return 'This session uses no MCP servers. To use the configured ones, start it with --mcp.'
  const blocks = await Promise.all(mcp.map((name) => serverText(parts, name)))
  return blocks.join('\n')
}

async function serverText(parts: AppParts, name: string): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const server = await parts.mcp.server(name)
    const resources = (await listResources(server, signal)).items
    const prompts = (await listPrompts(server, signal)).items
    return [
      name,
      ...resources.map(({ uri, title, name: own }) => `  @${name}:${uri}  ${title ?? own ?? ''}`),
      ...prompts.map((prompt) => `  /${name}:${prompt.name}  ${prompt.description ?? ''}`),
    ].join('\n')
  } catch (error) {
    return `${name}: could not be reached: ${toFailure(error).message}`
  }
}
