import type { OptionSpec } from './option.ts'

/** Lets a run that used the servers of this folder go on with them. */
export const resumedMcpOption: OptionSpec = {
  name: 'mcp',
  help: 'Where the run used MCP servers of the .mcp.json in this folder: use them again.',
}

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
