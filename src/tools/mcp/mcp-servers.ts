import { ScholiumError } from '../../kernel/errors.ts'
import type { McpConfig } from './mcp-config.ts'
import { McpServer, type McpSurroundings } from './mcp-server.ts'

/** The servers of a configuration. Each starts on first use; close them when done. */
export class McpServers {
  readonly servers: readonly McpServer[]

  constructor(config: Pick<McpConfig, 'servers'>, surroundings: McpSurroundings) {
    this.servers = config.servers.map((server) => new McpServer(server, surroundings))
  }

  /**
   * The server with this name.
   * @throws `invalid_input` if there is none
   */
  get(name: string): McpServer {
    const server = this.servers.find((candidate) => candidate.name === name)
    if (server !== undefined) return server
    const names = this.servers.map((known) => known.name).join(', ')
    throw new ScholiumError(
      'invalid_input',
      `There is no MCP server "${name}". Servers: ${names || 'none'}.`,
    )
  }

  /** Ends all connections and processes; resolves when they are gone. */
  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()))
  }
}
