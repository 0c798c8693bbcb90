import type { CommandSpec } from '../../arguments/command-spec.ts'
import { secretOption } from '../../arguments/grant-options.ts'
import type { OptionSpec } from '../../arguments/option.ts'
import { mcpOptions } from '../../arguments/shared-options.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'
import { answerExits } from '../ask/ask-command.ts'

const overlayOption: OptionSpec = {
  name: 'overlay',
  short: 'f',
  value: 'FILE',
  isRepeatable: true,
  help: 'Lay this file over the agent file: its values win, nodes are matched by name.',
}

const modelOption: OptionSpec = {
  name: 'model',
  value: 'NAME',
  isRepeatable: true,
  help: 'The language model of nodes that name none, such as ollama:llama3.2 or openai:gpt-5.4-mini; "scholium models" lists providers. critic=NAME sets that of critics. Default: none; nodes that need one fail.',
}

const run: CommandSpec = {
  name: 'run',
  parameters: 'AGENT.yaml [KEY=VALUE…]',
  words: [1, Infinity],
  summary: 'Run an agent file: nodes that call models, actions and code.',
  details: [
    'An agent file is YAML: nodes, and the way from node to node; docs/yaml-agents.md teaches it. What the last state holds, or what core.return gave, goes to stdout, progress to stderr.',
    'KEY=VALUE gives the state a value to begin with: as JSON where it is some, else as text; a number that would lose digits stays text. Without a model the run uses none: actions, code and the library work all the same.',
    'Files are read and written in the workspace only. http.*, web.* and academic.* need --web. Code runs in a process without files and network.',
    `${answerExits} An interrupted run, or one that waits for you, can be resumed; its id is printed.`,
  ],
  options: [
    {
      name: 'input',
      short: 'i',
      value: 'INPUT',
      isRepeatable: true,
      help: 'What the state begins with: a JSON object, @FILE with one, "-" for stdin, or KEY=VALUE.',
    },
    overlayOption,
    {
      name: 'workspace',
      value: 'DIR',
      help: 'The folder out of which no file is read or written. Default: this folder.',
    },
    {
      name: 'web',
      help: 'Let actions ask the web: http.*, web.*, academic.*. Default: no; nothing but calls of models leaves this machine.',
    },
    {
      name: 'allow-origin',
      value: 'ORIGIN',
      isRepeatable: true,
      help: 'With --web: let them ask this origin although it is of your own network, such as http://127.0.0.1:8080.',
    },
    ...mcpOptions,
    {
      name: 'env',
      value: 'NAME[=VALUE]',
      isRepeatable: true,
      help: 'Let the file read this variable of the environment. Its value is in the record of the run.',
    },
    secretOption,
    {
      name: 'memory',
      value: 'NAME',
      help: 'Share what memory.*, ltm.* and cache.* keep with all files run under this name. Default: each file keeps its own.',
    },
    {
      name: 'allow',
      value: 'TOOL',
      isRepeatable: true,
      help: 'Let models use this tool although it changes something and they have read words from elsewhere, such as file.write.',
    },
    {
      name: 'interrupt-before',
      value: 'NODE',
      isRepeatable: true,
      help: 'Wait for you before this node.',
    },
    {
      name: 'interrupt-after',
      value: 'NODE',
      isRepeatable: true,
      help: 'Wait for you after this node.',
    },
    { name: 'stream', help: 'Print every event as a line of JSON: --output-format stream-json.' },
    ...drivingOptions.map((option) => (option.name === 'model' ? modelOption : option)),
  ],
  examples: [
    ['scholium run agents/cited-search.yaml', ''],
    [
      'scholium run agents/cited-search.yaml question="What is CRISPR?"',
      'with a value of its state',
    ],
    ['scholium run AGENT.yaml --input @input.json --json', 'one JSON object for programs'],
    ['scholium run AGENT.yaml --model ollama:llama3.2', 'with a language model'],
    ['scholium run AGENT.yaml --interrupt-before publish', 'to look before it goes on'],
    ['scholium resume last --answer approve', 'a run that waits'],
  ],
  load: async () => (await import('./run.ts')).runRun,
}

const validate: CommandSpec = {
  name: 'validate',
  parameters: 'AGENT.yaml…',
  words: [1, Infinity],
  summary: 'Check agent files without running them: each problem with its line.',
  details: [
    'Found are faults of YAML, keys that are none, nodes that edges name and nobody has, actions and parameters that are none, templates and conditions that cannot be read, nodes that are never reached.',
    'Exit code: 0, or 2 when a file has an error.',
  ],
  options: [{ name: 'strict', help: 'Take warnings for errors.' }, overlayOption],
  examples: [
    ['scholium validate agents/*.yaml', ''],
    ['scholium validate AGENT.yaml --strict --json', 'for programs'],
  ],
  load: async () => (await import('./validate.ts')).runValidate,
}

const inspect: CommandSpec = {
  name: 'inspect',
  parameters: 'AGENT.yaml',
  words: [1, 1],
  summary: 'Draw the graph of an agent file, as Mermaid, for Graphviz, or as JSON.',
  details: ['The JSON has the whole file as it is run: imports and overlays taken in.'],
  options: [
    { name: 'format', value: 'FORMAT', help: 'mermaid (default), dot or json.' },
    overlayOption,
  ],
  examples: [
    ['scholium inspect AGENT.yaml > agent.mmd', ''],
    ['scholium inspect AGENT.yaml --format dot > agent.dot', ''],
  ],
  load: async () => (await import('./inspect.ts')).runInspect,
}

const actions: CommandSpec = {
  name: 'actions',
  parameters: '[NAME]',
  words: [0, 1],
  summary: 'List what agent files can do: actions, or one with its parameters.',
  details: ['NAME may be a family, such as file, or an action, such as file.read.'],
  options: [],
  examples: [
    ['scholium actions', ''],
    ['scholium actions file.read', 'with its parameters'],
  ],
  load: async () => (await import('./actions.ts')).runActions,
}

/** The commands for agent files. */
export const agentCommands: readonly CommandSpec[] = [run, validate, inspect, actions]
