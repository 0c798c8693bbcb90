import type { OptionSpec } from './option.ts'

/** Choose the MCP servers that a command may use. */
export const mcpOptions: readonly OptionSpec[] = [
  {
    name: 'mcp',
    help: "Use tools of the MCP servers in .mcp.json, this folder's or your own. Starts the programs listed there. Default: no.",
  },
  {
    name: 'mcp-server',
    value: 'NAME',
    isRepeatable: true,
    help: 'Use only the tools of this MCP server.',
  },
  { name: 'no-mcp', help: 'Use no MCP servers, even if the configuration allows them.' },
]
