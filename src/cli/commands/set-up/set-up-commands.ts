import type { CommandSpec } from '../../arguments/command-spec.ts'
import { runOptions } from '../../arguments/option.ts'
import { mcpOptions, webOption } from '../../arguments/shared-options.ts'

const doctor: CommandSpec = {
  name: 'doctor',
  parameters: '',
  words: [0, 0],
  summary: 'Look whether everything works, and say what to do where it does not.',
  details: [
    'The program, the home and its disk, the configuration, the model of each role (reached, tool calls, structured output, price), Python for calculations, and the readers of files. Models that are known to cost nothing, as those of Ollama, are called; others are only asked for their list, unless --call is given. The sources on the web are asked only where the web is switched on, and MCP servers started only where questions may use them.',
    'Exit code: 0 when all works, warnings too; 1 when something does not.',
  ],
  options: [
    {
      name: 'call',
      help: 'Call paid models as well, with a few hundred tokens each; says what it cost.',
    },
    { name: 'max-seconds', value: 'S', help: 'End after so many seconds. Default: 60.' },
    ...runOptions.filter(({ name }) => name === 'model'),
    webOption,
    ...mcpOptions,
  ],
  examples: [
    ['scholium doctor', ''],
    ['scholium doctor --web', 'the sources on the web too'],
    ['scholium doctor --mcp', 'the MCP servers too: they are started'],
    ['scholium doctor --model ollama:llama3.2', 'before it is used'],
    ['scholium doctor --json', 'for programs'],
  ],
  load: async () => (await import('./doctor.ts')).runDoctor,
}

const models: CommandSpec = {
  name: 'models',
  parameters: '[PROVIDER]',
  words: [0, 1],
  summary: 'Show the model of each role and the providers, or what a provider has.',
  details: ['Without PROVIDER nothing is asked over the network.'],
  options: runOptions.filter(({ name }) => name === 'model'),
  examples: [
    ['scholium models', ''],
    ['scholium models ollama', 'what is fetched there'],
  ],
  load: async () => (await import('./models.ts')).runModels,
}

const config: readonly CommandSpec[] = [
  {
    name: 'config',
    parameters: '',
    words: [0, 0],
    summary: 'Show every setting, its value and where it came from.',
    details: [
      'A setting comes from the command line, else the environment, else the .env file of the project, else its scholium.yaml, else your own, else it has its default. Keys are never shown, only that they are set.',
      'Exit code: 0, or 2 when something is wrong in a file or a variable.',
    ],
    options: runOptions,
    examples: [
      ['scholium config', ''],
      ['scholium config --json', 'for programs'],
    ],
    load: async () => (await import('./config.ts')).runConfig,
  },
  {
    name: 'config init',
    parameters: '',
    words: [0, 0],
    summary: 'Write a first scholium.yaml, all of it commented out.',
    details: ['Into this folder. A file that is there is never written over.'],
    options: [{ name: 'user', help: 'Write your own configuration instead.' }],
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
  summary: 'Say that the runs in a home are your own, so that they can be resumed.',
  details: [
    'A home that you make with Scholium is known as yours. One that somebody else made, that was copied or moved, or that an older version made, is not: you can look at its runs but not resume them, since a record says what is done. Look at what it holds before you say yes.',
    'DIR is the home. Default: the .scholium folder of this project that is not used, else the home in use.',
  ],
  options: [{ name: 'yes', help: 'Do not ask.' }],
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
    summary: 'Show the folders that you trust.',
    details: [
      'A folder whose instructions to models you take for your own, since you said "always" when you were asked; and homes that you made or said are yours.',
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
      'You are asked about its instructions again. Of a home, you can look at its runs but not resume them, until you say that it is yours: scholium home trust DIR',
    ],
    options: [],
    examples: [['scholium trust remove ~/project', '']],
    load: async () => (await import('./trust.ts')).runTrustRemove,
  },
]

/** The commands that set Scholium up and look after it. */
export const setUpCommands: readonly CommandSpec[] = [doctor, models, ...config, home, ...trust]
