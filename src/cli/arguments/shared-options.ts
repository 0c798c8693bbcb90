import type { OptionSpec } from './option.ts'

/** Allows a command to use the web. */
export const webOption: OptionSpec = {
  name: 'web',
  help: 'Also search and read the web: pages, Wikipedia, papers, transcripts. Default: as configured, otherwise no; then only model calls leave this machine.',
}

/** Answers a question without the web. */
export const noWebOption: OptionSpec = {
  name: 'no-web',
  help: 'Do not use the web, even if the configuration or the continued run did.',
}

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

/** Additional skills for a session of the coding agent. */
export const skillsOption: OptionSpec = {
  name: 'skills',
  value: 'DIR',
  isRepeatable: true,
  help: 'Another folder of skills (subfolders with a SKILL.md), in addition to .scholium/skills in the project and skills in the home.',
}
