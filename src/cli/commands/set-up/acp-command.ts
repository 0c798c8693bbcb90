import type { CommandSpec } from '../../arguments/command-spec.ts'
import { mcpOptions, noWebOption, skillsOption, webOption } from '../../arguments/shared-options.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'

/** `scholium acp` for the help and the reading of its arguments. */
export const acp: CommandSpec = {
  name: 'acp',
  parameters: '',
  words: [0, 0],
  summary: 'Let an editor drive the coding agent, over the Agent Client Protocol.',
  details: [
    'An editor such as Zed starts it and speaks with it over stdin and stdout; what is to be told to people is on stderr. Sessions are those of "scholium code": each can go on in the other.',
    "Of MCP servers only those of your own configuration are started, with --mcp: neither the editor's nor those of a project's .mcp.json.",
    'It ends when stdin does. Exit code: 0.',
  ],
  options: [skillsOption, webOption, noWebOption, ...mcpOptions, ...drivingOptions],
  examples: [
    ['scholium acp', 'as the command of an agent in the settings of the editor'],
    ['scholium acp --model ollama:qwen3 --web', ''],
  ],
  load: async () => (await import('./acp.ts')).runAcp,
}
