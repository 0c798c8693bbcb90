import type { AppParts } from '../app-parts.ts'
import { findRunId } from '../runs/run-id.ts'
import { environmentServer, environmentServers, isOn } from './environment-servers.ts'
import { recordedPapersConditions } from './papers-conditions.ts'
import type { PapersRequest } from './papers-request.ts'

/** What people call the server in `.mcp.json`. */
const usualName = 'arxiv'

/**
 * The MCP server through which arXiv is asked first; empty for none. Where the request names none, that of the run from which it goes
 * on, else the environment may (`USE_MCP_ARXIV`), for requests that may go to the web.
 * @throws `invalid_configuration` for a file of servers that is none, `invalid_input` for a server that is not there
 */
export async function mcpArxivOf(parts: AppParts, request: PapersRequest): Promise<string> {
  const { mcp, environment, store } = parts
  const { mcpArxiv, web, continue: run } = request
  if (mcpArxiv !== undefined) return mcp.namesFor([mcpArxiv])[0] ?? ''
  const known = [...mcp.servers, ...environmentServers(environment)].map(({ name }) => name)
  if (run !== undefined && web !== false) {
    const before = await recordedPapersConditions(store, await findRunId(store, run))
    const { mcpArxiv: server } = before
    if (known.includes(server) && mcp.isGranted(server)) return server
    if (server !== '')
      parts.warn(
        `The earlier papers were searched through the MCP server ${server}; these are not. To use it again: --mcp-arxiv ${server}`,
      )
  }
  if (web !== true || !isOn(environment.USE_MCP_ARXIV)) return ''
  return known.includes(usualName) ? usualName : environmentServer
}
