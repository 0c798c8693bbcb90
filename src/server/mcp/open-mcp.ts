import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
} from '@modelcontextprotocol/server'
import type { RunSite } from '../run-site.ts'
import type { ExtendMcp } from '../server-options.ts'
import { type Principal, roles } from '../tokens.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { createMcpMemory } from './mcp-site.ts'

/** The MCP server over HTTP: without sessions, so that each request is answered for whoever makes it. */
export function openMcp(
  { streams: _, uploads: _uploads, ...site }: RunSite,
  extend: ExtendMcp,
): McpHttpHandler {
  const memory = createMcpMemory()
  const create = ({ authInfo }: { readonly authInfo?: AuthInfo }) => {
    const principal = readPrincipal(authInfo)
    const server = createMcpServer({ ...site, ...memory, principal, isServed: true })
    extend(server, memory.asked)
    return server
  }
  return createMcpHandler(create, {
    onerror: (error) => {
      if (!isOfClient(error)) site.onFailure(error)
    },
  })
}

/** Who makes a request, in the package's form. */
export function toAuthInfo({ name, role }: Principal): AuthInfo {
  return { token: '', clientId: name, scopes: [role] }
}

function readPrincipal({ clientId, scopes }: AuthInfo = toAuthInfo(nobody)): Principal {
  const role = roles.find((one) => scopes.includes(one)) ?? 'read'
  return { name: clientId, role }
}

const nobody: Principal = { name: '', role: 'read' }

/** Whether the package reports what is wrong with a request, which its answer says. */
function isOfClient(error: Error): boolean {
  return error instanceof ProtocolError || error.message.startsWith('Rejected inbound request')
}
