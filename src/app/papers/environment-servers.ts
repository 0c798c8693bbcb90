import { type McpServerConfig, readMcpConfig } from '../../tools/mcp/mcp-config.ts'
import type { Environment } from '../trust/user-folders.ts'

/** What the MCP server is called that the environment names for papers of arXiv: no file can call one so. */
export const environmentServer = 'USE_MCP_ARXIV'

const usualPort = '5555'

/** The MCP server that `USE_MCP_ARXIV` asks for: over HTTP on this machine, or with `USE_LEGACY_MCP` a program. */
export function environmentServers(environment: Environment): readonly McpServerConfig[] {
  const { USE_MCP_ARXIV, USE_LEGACY_MCP, MCP_ARXIV_STORAGE_PATH = '' } = environment
  if (!isOn(USE_MCP_ARXIV)) return []
  const storage = MCP_ARXIV_STORAGE_PATH.trim()
  const program = {
    command: 'arxiv-mcp-server',
    args: storage === '' ? [] : ['--storage-path', storage],
  }
  const server = isOn(USE_LEGACY_MCP)
    ? program
    : { type: 'http', url: `http://127.0.0.1:${readPort(environment)}/mcp` }
  const config = { mcpServers: { [environmentServer]: server } }
  return readMcpConfig(JSON.stringify(config), environment).servers
}

function readPort({ FASTMCP_SERVER_PORT = '' }: Environment): string {
  const port = FASTMCP_SERVER_PORT.trim()
  return /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536 ? port : usualPort
}

/** Whether a switch of the environment is on, in the words that people write there. */
export function isOn(value: string | undefined): boolean {
  return /^(?:true|1|yes|on)$/i.test((value ?? '').trim())
}
