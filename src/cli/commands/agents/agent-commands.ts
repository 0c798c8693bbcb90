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
  help: 'Merge this file over the agent file: its values win, nodes are matched by name.',
}

const modelOption: OptionSpec = {
  name: 'model',
  value: 'NAME',
  isRepeatable: true,
  help: 'Language model for nodes that name none, such as ollama:llama3.2 or openai:gpt-5.4-mini; "scholium models" lists providers. critic=NAME sets the model of critics. Default: none; nodes that need one fail.',
}

const run: CommandSpec = {
  name: 'run',
  parameters: 'AGENT.yaml [KEY=VALUE…]',
  words: [1, Infinity],
  summary: 'Run an agent file: a graph of model calls, actions and code.',
  details: [
    'An agent file is YAML that describes nodes and the edges between them; see docs/yaml-agents.md. The final state, or the value of core.return, goes to stdout, progress to stderr.',
    'KEY=VALUE sets a value in the initial state. Values that are valid JSON are read as JSON, others as text; numbers too long to keep every digit stay text. Without --model no language model is used; actions, code and the library still work.',
    'Files are read and written only in the workspace. http.*, web.* and academic.* need --web. Code runs in a sandbox without files or network.',
    `${answerExits} An interrupted or waiting run can be resumed; its id is printed.`,
  ],
  options: [
    {
      name: 'input',
      short: 'i',
      value: 'INPUT',
      isRepeatable: true,
      help: 'Initial state: a JSON object, @FILE that contains one, "-" for stdin, or KEY=VALUE.',
    },
    overlayOption,
    {
      name: 'workspace',
      value: 'DIR',
      help: 'The only folder in which files are read and written. Default: this folder.',
    },
    {
      name: 'web',
      help: 'Let actions use the web: http.*, web.*, academic.*. Default: no; then only model calls leave this machine.',
    },
    {
      name: 'allow-origin',
      value: 'ORIGIN',
      isRepeatable: true,
      help: 'With --web: also allow this origin in your own network, such as http://127.0.0.1:8080.',
    },
    ...mcpOptions,
    {
      name: 'env',
      value: 'NAME[=VALUE]',
      isRepeatable: true,
      help: 'Let the agent file read this environment variable. Its value is recorded in the run.',
    },
    secretOption,
    {
      name: 'memory',
      value: 'NAME',
      help: 'Share memory.*, ltm.* and cache.* data among all runs with this name. Default: each agent file has its own.',
    },
    {
      name: 'allow',
      value: 'TOOL',
      isRepeatable: true,
      help: 'Let models use this write tool, such as file.write, even after they have read untrusted text.',
    },
    {
      name: 'interrupt-before',
      value: 'NODE',
      isRepeatable: true,
      help: 'Pause and ask you before this node.',
    },
    {
      name: 'interrupt-after',
      value: 'NODE',
      isRepeatable: true,
      help: 'Pause and ask you after this node.',
    },
    { name: 'stream', help: 'Same as --output-format stream-json.' },
    ...drivingOptions.map((option) => (option.name === 'model' ? modelOption : option)),
  ],
  examples: [
    ['scholium run agents/cited-search.yaml', ''],
    [
      'scholium run agents/cited-search.yaml question="What is CRISPR?"',
      'with a value for its state',
    ],
    ['scholium run AGENT.yaml --input @input.json --json', 'JSON output for scripts'],
    ['scholium run AGENT.yaml --model ollama:llama3.2', 'with a language model'],
    ['scholium run AGENT.yaml --interrupt-before publish', 'review before it continues'],
    ['scholium resume last --answer approve', 'continue the waiting run'],
  ],
  load: async () => (await import('./run.ts')).runRun,
}

const validate: CommandSpec = {
  name: 'validate',
  parameters: 'AGENT.yaml…',
  words: [1, Infinity],
  summary: 'Check agent files without running them; every problem is shown with its line.',
  details: [
    'Finds YAML errors, unknown keys, actions and parameters, edges to missing nodes, invalid templates and conditions, and unreachable nodes.',
    'Exit code: 0, or 2 if a file has an error.',
  ],
  options: [{ name: 'strict', help: 'Treat warnings as errors.' }, overlayOption],
  examples: [
    ['scholium validate agents/*.yaml', ''],
    ['scholium validate AGENT.yaml --strict --json', 'for scripts'],
  ],
  load: async () => (await import('./validate.ts')).runValidate,
}

const inspect: CommandSpec = {
  name: 'inspect',
  parameters: 'AGENT.yaml',
  words: [1, 1],
  summary: 'Print the graph of an agent file as Mermaid, DOT (Graphviz) or JSON.',
  details: [
    'The JSON contains the complete file as it would run, with imports and overlays resolved.',
  ],
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
  summary: 'List the actions that agent files can use, or describe one.',
  details: ['NAME is a family, such as file, or an action, such as file.read.'],
  options: [],
  examples: [
    ['scholium actions', ''],
    ['scholium actions file.read', 'with its parameters'],
  ],
  load: async () => (await import('./actions.ts')).runActions,
}

/** The commands for agent files. */
export const agentCommands: readonly CommandSpec[] = [run, validate, inspect, actions]
