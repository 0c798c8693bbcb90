import { readMcpConfig } from '../../src/tools/mcp/mcp-config.ts'
import { McpServers } from '../../src/tools/mcp/mcp-server.ts'
import { mcpTools } from '../../src/tools/mcp/mcp-tools.ts'

/** Connects a server that does not want to end, prints its process and that of its child; with `waits` it then waits to be killed. */
const args = [new URL('odd-server.ts', import.meta.url).pathname, 'stubborn']
const mcpServers = { odd: { command: process.execPath, args } }
const config = readMcpConfig(JSON.stringify({ mcpServers }), process.env)
const { servers } = new McpServers(config, { version: '0.0.0', onNotice: () => undefined })
const { signal } = new AbortController()
const { tools } = await mcpTools(servers, [], signal)
const pids = []
for (const name of ['odd.pid', 'odd.child']) {
  const tool = tools.find((candidate) => candidate.name === name)
  const result = await tool?.execute({}, { signal, key: 'test', emit: () => undefined })
  const { content } = result as { readonly content: readonly { readonly text: string }[] }
  pids.push(Number(content[0]?.text))
}
console.log(JSON.stringify(pids))
if (process.argv[2] === 'waits') setInterval(() => undefined, 1_000)
