import type { CommandSpec } from '../../arguments/command-spec.ts'
import { mcpOptions, noWebOption, skillsOption, webOption } from '../../arguments/shared-options.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'

/** `scholium acp` for the help and the reading of its arguments. */
export const acp: CommandSpec = {
  name: 'acp',
  parameters: '',
  words: [0, 0],
  summary: 'Serve the coding agent to an editor over the Agent Client Protocol.',
  details: [
    'An editor such as Zed starts this command and talks to it over stdin and stdout; messages for people go to stderr. Sessions are shared with "scholium code": each can resume the other\'s.',
    "With --mcp, only the MCP servers of your own configuration are started, not those of the editor or of a project's .mcp.json.",
    'Exits when stdin closes, with code 0.',
  ],
  options: [skillsOption, webOption, noWebOption, ...mcpOptions, ...drivingOptions],
  examples: [
    ['scholium acp', "as an agent command in the editor's settings"],
    ['scholium acp --model ollama:qwen3 --web', ''],
  ],
  load: async () => (await import('./acp.ts')).runAcp,
}
