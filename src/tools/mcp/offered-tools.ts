import { withDeadline } from '../../kernel/run/deadline.ts'
import type { McpConnection } from './mcp-connection.ts'
import type { McpServer } from './mcp-server.ts'
import { changesOf, listTools, type ToolList } from './tool-list.ts'

/** How long all pages of a list may take. */
const maxListMs = 60_000

/** The tools of one server as they are now. Listed once, and again when the server says so or was started again. */
export class OfferedTools {
  readonly server: McpServer
  private list: ToolList | undefined
  private version = -1

  constructor(server: McpServer) {
    this.server = server
  }

  /** The list; what of it changed since the last time is told as a notice. @throws as {@link McpServer.request} */
  async now(signal: AbortSignal): Promise<ToolList> {
    const { server, list } = this
    if (list !== undefined && this.version === server.toolsVersion) return list
    const request = { what: 'the list of its tools', isWrite: false }
    let version = this.version
    const listNow = (connection: McpConnection) => {
      version = server.toolsVersion
      return withDeadline(signal, maxListMs, (stop) => listTools(connection, stop))
    }
    const fresh = await server.request(request, listNow, signal)
    this.version = version
    const told = new Set(list?.problems)
    const problems = fresh.problems.filter((problem) => !told.has(problem))
    const changes = list === undefined ? [] : changesOf(list, fresh)
    for (const text of [...problems, ...changes]) server.notice('warning', text)
    this.list = fresh
    return fresh
  }
}
