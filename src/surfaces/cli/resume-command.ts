import type { GivenOptions } from './option.ts'

/** The command that goes on with a run as it was begun: with the MCP servers that the command line asked for. */
export function resumeCommand(options: GivenOptions, runId: string): string {
  return withServers(options, `scholium resume ${runId}`)
}

/** A text in which commands that go on with a run ask for the MCP servers for which this one asked. */
export function withServers(options: GivenOptions, text: string): string {
  if (!['mcp', 'mcp-server', 'mcp-arxiv'].some((name) => options.has(name))) return text
  return text.replace(/\bscholium resume \S+(?! --mcp)\b/g, '$& --mcp')
}
