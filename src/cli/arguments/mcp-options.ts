import type { OptionSpec } from './option.ts'

/** Choose the MCP servers that a command may use. */
export const mcpOptions: readonly OptionSpec[] = [
  {
    name: 'mcp',
    help: 'Use the tools of the MCP servers that are set up in .mcp.json, of this folder or your own. Default: no. Starts the programs that stand there.',
  },
  {
    name: 'mcp-server',
    value: 'NAME',
    isRepeatable: true,
    help: 'Use the tools of this MCP server alone.',
  },
  { name: 'no-mcp', help: 'Use no MCP server, whatever the configuration says.' },
]
