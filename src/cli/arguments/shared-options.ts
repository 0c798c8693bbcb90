import type { OptionSpec } from './option.ts'

/** Lets a command go to the web. */
export const webOption: OptionSpec = {
  name: 'web',
  help: 'Search and read on the web too: pages, Wikipedia, papers, transcripts. Default: what the configuration says, else no; nothing but calls of models then leaves this machine.',
}

/** Keeps a question from the web. */
export const noWebOption: OptionSpec = {
  name: 'no-web',
  help: 'Ask nothing of the web, whatever the configuration or the question before (--continue) says.',
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

/** More skills for a session of the coding agent. */
export const skillsOption: OptionSpec = {
  name: 'skills',
  value: 'DIR',
  isRepeatable: true,
  help: 'A folder of skills (folders with a SKILL.md) beside .scholium/skills of the project and skills of the home.',
}
