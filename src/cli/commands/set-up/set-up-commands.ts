import type { CommandSpec } from '../../arguments/command-spec.ts'
import { runOptions } from '../../arguments/option.ts'
import { mcpOptions, noWebOption, skillsOption, webOption } from '../../arguments/shared-options.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'

const doctor: CommandSpec = {
  name: 'doctor',
  parameters: '',
  words: [0, 0],
  summary: 'Check that everything works, and explain how to fix what does not.',
  details: [
    "Checks the program, the home and its disk, the configuration, the model of each role (reachable, tool calls, structured output, price), Python for calculations, and the file readers. Free models, such as Ollama's, are called; for paid models only the model list is requested, unless --call is given. Web sources are checked only if the web is enabled, and MCP servers are started only if questions may use them.",
    'Exit code: 0 if everything works, even with warnings; 1 otherwise.',
  ],
  options: [
    {
      name: 'call',
      help: 'Also call paid models, with a few hundred tokens each, and report the cost.',
    },
    { name: 'max-seconds', value: 'S', help: 'Stop after S seconds. Default: 60.' },
    ...runOptions.filter(({ name }) => name === 'model'),
    webOption,
    ...mcpOptions,
  ],
  examples: [
    ['scholium doctor', ''],
    ['scholium doctor --web', 'include web sources'],
    ['scholium doctor --mcp', 'include MCP servers, which are started'],
    ['scholium doctor --model ollama:llama3.2', 'try a model before using it'],
    ['scholium doctor --json', 'for scripts'],
  ],
  load: async () => (await import('./doctor.ts')).runDoctor,
}

const models: CommandSpec = {
  name: 'models',
  parameters: '[PROVIDER]',
  words: [0, 1],
  summary: 'Show the model of each role and all providers, or list the models of one provider.',
  details: ['Without PROVIDER, no network request is made.'],
  options: runOptions.filter(({ name }) => name === 'model'),
  examples: [
    ['scholium models', ''],
    ['scholium models ollama', 'the models available in Ollama'],
  ],
  load: async () => (await import('./models.ts')).runModels,
}

const config: readonly CommandSpec[] = [
  {
    name: 'config',
    parameters: '',
    words: [0, 0],
    summary: 'Show every setting, its value and where it comes from.',
    details: [
      "Order of precedence: command line, environment, the project's .env file, the project's scholium.yaml, your own scholium.yaml, default. Keys are never shown, only whether they are set.",
      'Exit code: 0, or 2 if a file or variable is invalid.',
    ],
    options: runOptions,
    examples: [
      ['scholium config', ''],
      ['scholium config --json', 'for scripts'],
    ],
    load: async () => (await import('./config.ts')).runConfig,
  },
  {
    name: 'config init',
    parameters: '',
    words: [0, 0],
    summary: 'Create a starter scholium.yaml with everything commented out.',
    details: ['Creates the file in this folder. Never overwrites a file.'],
    options: [{ name: 'user', help: 'Create your user configuration instead.' }],
    examples: [['scholium config init', '']],
    load: async () => (await import('./config.ts')).runConfigInit,
  },
  {
    name: 'config schema',
    parameters: '',
    words: [0, 0],
    summary: 'Print the JSON Schema of the configuration file.',
    details: [],
    options: [],
    examples: [['scholium config schema > config.schema.json', '']],
    load: async () => (await import('./config.ts')).runConfigSchema,
  },
]

const home: CommandSpec = {
  name: 'home trust',
  parameters: '[DIR]',
  words: [0, 1],
  summary: 'Trust the runs in a home as your own, so that they can be resumed.',
  details: [
    'A home that Scholium created for you is trusted. One that was created by someone else or by an older version, or was copied or moved, is not: you can view its runs but not resume them, because a log determines what is executed. Review its runs before you confirm.',
    "DIR is the home. Default: this project's .scholium folder if it is not trusted, otherwise the current home.",
  ],
  options: [{ name: 'yes', help: 'Do not ask for confirmation.' }],
  examples: [
    ['scholium home trust', ''],
    ['scholium home trust ~/research/.scholium --yes', 'in a script'],
  ],
  load: async () => (await import('./home.ts')).runHomeTrust,
}

const trust: readonly CommandSpec[] = [
  {
    name: 'trust list',
    parameters: '',
    words: [0, 0],
    summary: 'List the folders that you trust.',
    details: [
      'These are folders whose instructions to models you chose to "always" trust, and homes that you created or trusted.',
    ],
    options: [],
    examples: [['scholium trust list', '']],
    load: async () => (await import('./trust.ts')).runTrustList,
  },
  {
    name: 'trust remove',
    parameters: 'DIR',
    words: [1, 1],
    summary: 'Stop trusting a folder.',
    details: [
      'You will be asked about its instructions again. The runs of an untrusted home can be viewed but not resumed, until you trust it again: scholium home trust DIR',
    ],
    options: [],
    examples: [['scholium trust remove ~/project', '']],
    load: async () => (await import('./trust.ts')).runTrustRemove,
  },
]

/** The commands for setup and maintenance. */
export const setUpCommands: readonly CommandSpec[] = [doctor, models, ...config, home, ...trust]

/** Help and options of `scholium tokens`. */
export const tokens: readonly CommandSpec[] = [
  {
    name: 'tokens add',
    parameters: 'NAME',
    words: [1, 1],
    summary: 'Create a token for requests to "scholium serve", and print it once.',
    details: [
      'NAME is who will use it. Runs that are started with it are labelled with it as their user; others who are no admins do not see them.',
      'Only a hash of the token is kept. It is valid at once, also for a server that runs.',
    ],
    options: [
      {
        name: 'role',
        value: 'ROLE',
        help: 'read: look at its own runs; run: start, change and delete them too; admin: all runs. Default: run.',
      },
    ],
    examples: [['scholium tokens add ada --role run', '']],
    load: async () => (await import('./tokens.ts')).runTokensAdd,
  },
  {
    name: 'tokens list',
    parameters: '',
    words: [0, 0],
    summary: 'List the tokens for requests to "scholium serve".',
    details: [],
    options: [],
    examples: [['scholium tokens list', '']],
    load: async () => (await import('./tokens.ts')).runTokensList,
  },
  {
    name: 'tokens revoke',
    parameters: 'NAME',
    words: [1, 1],
    summary: 'Make a token invalid.',
    details: ['It is refused from now on, also by a server that runs.'],
    options: [],
    examples: [['scholium tokens revoke ada', '']],
    load: async () => (await import('./tokens.ts')).runTokensRevoke,
  },
]

/** Help and options of `scholium serve`. */
export const serve: CommandSpec = {
  name: 'serve',
  parameters: '',
  words: [0, 0],
  summary: 'Serve the page in your browser, and runs to programs over HTTP.',
  details: [
    'Opens the page in your browser: ask, watch the run, check each sentence against its source. It is only opened from a terminal on a desktop, not with --json or where CI is set.',
    'Prints its address with a token, which is created once and kept in the home. Requests need it: "Authorization: Bearer TOKEN". Set SCHOLIUM_TOKEN to use a token of your own.',
    'Only this machine can reach the server, unless --host is given; then SCHOLIUM_TOKEN is required. Serve other machines through a proxy with TLS.',
    'Requests can start questions and papers under your configuration. They cannot name files, agent files, MCP servers, secrets or rules, except for what --files and --agents open, and use the web only with --web.',
    'Ctrl-C interrupts the runs; the next server on this home continues them. The API: docs/server.md, and /openapi.json of the server.',
  ],
  options: [
    { name: 'port', value: 'N', help: 'Port, 0 for any free one. Default: 7246.' },
    { name: 'host', value: 'HOST', help: 'Address to listen on. Default: 127.0.0.1.' },
    {
      name: 'public-url',
      value: 'URL',
      help: 'The address at which a proxy offers the server, such as https://papers.example.org.',
    },
    {
      name: 'max-runs',
      value: 'N',
      help: 'Maximum number of runs at once; others wait for their turn. Default: 4.',
    },
    {
      name: 'no-continue',
      help: 'Do not continue runs that the last server left when it was stopped or ended.',
    },
    { name: 'no-open', help: 'Do not open the page in the browser.' },
    { name: 'files', value: 'DIR', help: 'Folder whose files requests can name as sources.' },
    { name: 'agents', value: 'DIR', help: 'Folder whose agent files requests can run.' },
    ...runOptions,
    webOption,
    noWebOption,
    ...mcpOptions,
  ],
  examples: [
    ['scholium serve', ''],
    ['scholium serve --model ollama:qwen3 --web --files papers/', ''],
    ['scholium serve --port 0 --json', 'prints the address as JSON'],
  ],
  load: async () => (await import('./serve.ts')).runServe,
}

/** Help and options of `scholium acp`. */
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

/** Help and options of `scholium mcp`. */
export const mcp: CommandSpec = {
  name: 'mcp',
  parameters: '',
  words: [0, 0],
  summary: 'Serve questions, papers and the library to a chat over the Model Context Protocol.',
  details: [
    'A client such as Claude Desktop, VS Code or Cursor starts this command and talks to it over stdin and stdout; messages for people go to stderr.',
    'Its tools: ask, papers, search_library, read_source, verify_text, references, get_run. Your configuration and these options decide what they may use; a client cannot name files, MCP servers, models or rules, and uses the web only with --web.',
    'A call that is cancelled interrupts its run, which can be resumed.',
    'Exits when stdin closes, with code 0.',
  ],
  options: [
    {
      name: 'source',
      value: 'PATH',
      isRepeatable: true,
      help: 'Search this file or folder too, in addition to the library.',
    },
    { name: 'max-runs', value: 'N', help: 'Maximum number of runs at once. Default: 4.' },
    ...runOptions,
    webOption,
    noWebOption,
    ...mcpOptions,
  ],
  examples: [
    ['scholium mcp --source papers/', "as a command in the client's settings"],
    ['scholium mcp --model ollama:qwen3 --web', ''],
  ],
  load: async () => (await import('./mcp.ts')).runMcp,
}
