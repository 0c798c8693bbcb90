import type { AppParts } from '../app-parts.ts'
import { environmentServer, isOn } from './environment-servers.ts'
import type { PapersRequest } from './papers-request.ts'

/** What people call the server in `.mcp.json`. */
const usualName = 'arxiv'

/**
 * The MCP server through which arXiv is asked first; empty for none. Where the request names none, the environment may
 * (`USE_MCP_ARXIV`), for requests that may go to the web.
 * @throws `invalid_configuration` for a file of servers that is none, `invalid_input` for a server that is not there
 */
export function mcpArxivOf(
  { mcp, environment }: Pick<AppParts, 'mcp' | 'environment'>,
  { mcpArxiv, web }: PapersRequest,
): string {
  if (mcpArxiv !== undefined) return mcp.namesFor([mcpArxiv])[0] ?? ''
  if (web !== true || !isOn(environment.USE_MCP_ARXIV)) return ''
  return mcp.servers.some(({ name }) => name === usualName) ? usualName : environmentServer
}
