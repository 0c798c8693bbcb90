import type { McpConnection } from './mcp-connection.ts'
import type { McpServer } from './mcp-server.ts'
import { changesOf, listTools, type ToolList } from './tool-list.ts'

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
      return listTools(connection, signal)
    }
    const fresh = await server.request(request, listNow, signal)
    this.version = version
    const told = new Set(list?.problems)
    for (const problem of fresh.problems.filter((one) => !told.has(one))) this.tell(problem)
    if (list !== undefined) for (const change of changesOf(list, fresh)) this.tell(change)
    this.list = fresh
    return fresh
  }

  private tell(sentence: string): void {
    this.server.notice('warning', `and its tools: ${sentence}`)
  }
}
