import { agentCommands } from '../commands/agents/agent-commands.ts'
import { answerExits, ask } from '../commands/ask/ask-command.ts'
import { code } from '../commands/code/code-command.ts'
import { evalCommand } from '../commands/eval/eval-command.ts'
import { references } from '../commands/library/references-command.ts'
import { papers } from '../commands/papers/papers-command.ts'
import { bundleCommands } from '../commands/runs/bundle-commands.ts'
import { traceCommands } from '../commands/runs/trace-commands.ts'
import { acp, mcp, serve, setUpCommands, tokens } from '../commands/set-up/set-up-commands.ts'
import type { CommandSpec } from './command-spec.ts'
import { grantOptions } from './grant-options.ts'
import { drivingOptions, goingOnOptions } from './trace-options.ts'

const runHelp = 'RUN is a run id, its first or last characters, or "last".'

const library: readonly CommandSpec[] = [
  {
    name: 'library add',
    parameters: 'PATH…',
    words: [1, Infinity],
    summary: 'Add files and folders to the library: PDF, Word, Excel, web pages and more.',
    details: [
      'Supported: PDF, Word (.docx), Excel (.xlsx), PowerPoint (.pptx), EPUB, HTML, CSV, Markdown, plain text, source code, image metadata, and .zip archives of these. File types are detected by content.',
      'Unchanged files are skipped; changed files are read again. A file that cannot be read is reported with the reason, and the others are still added.',
      'Files in an archive are listed under its path, such as papers.zip/2024/a.pdf, and removed with it.',
      'Exit code: 0 if every file is in the library, 3 if some were refused, 1 if all were, 2 if a path does not exist.',
    ],
    options: [],
    examples: [
      ['scholium library add papers/ notes.md', ''],
      ['scholium library add talk.pptx sales.xlsx archive.zip', ''],
      ['scholium library add report.pdf --json', 'the outcome for each file, as JSON'],
    ],
    load: async () => (await import('../commands/library/library-add.ts')).runLibraryAdd,
  },
  {
    name: 'library list',
    parameters: '',
    words: [0, 0],
    summary: 'List the sources in the library.',
    details: [],
    options: [],
    examples: [
      ['scholium library list', ''],
      ['scholium library list --json', 'with all metadata of each source'],
    ],
    load: async () => (await import('../commands/library/library.ts')).runLibraryList,
  },
  {
    name: 'library search',
    parameters: 'QUERY',
    words: [1, Infinity],
    summary: 'Show the passages that best match a query.',
    details: [],
    options: [
      { name: 'limit', value: 'N', help: 'Maximum number of passages, 1 to 100. Default: 8.' },
    ],
    examples: [
      ['scholium library search caffeine half-life', ''],
      ['scholium library search "plate boundaries" --limit 3', ''],
    ],
    load: async () => (await import('../commands/library/library.ts')).runLibrarySearch,
  },
  {
    name: 'library remove',
    parameters: 'ID-or-PATH',
    words: [1, 1],
    summary: 'Remove a source from the library, by its id or path.',
    details: ['Answers that cite it are kept, but can no longer be checked against it.'],
    options: [],
    examples: [
      ['scholium library remove papers/old.pdf', ''],
      ['scholium library remove papers.zip', 'everything from one archive or folder'],
      ['scholium library remove 3f9ac01e', 'a shortened id, as listed'],
    ],
    load: async () => (await import('../commands/library/library.ts')).runLibraryRemove,
  },
]

const runs: readonly CommandSpec[] = [
  {
    name: 'runs list',
    parameters: '',
    words: [0, 0],
    summary: 'List runs, newest first.',
    details: [],
    options: [{ name: 'limit', value: 'N', help: 'Maximum number of runs. Default: 50.' }],
    examples: [
      ['scholium runs list', ''],
      ['scholium runs list --limit 5 --json', ''],
    ],
    load: async () => (await import('../commands/runs/runs.ts')).runRunsList,
  },
  {
    name: 'runs show',
    parameters: 'RUN',
    words: [1, 1],
    summary: 'Show a run: its answer, its steps and their times.',
    details: [runHelp],
    options: [
      { name: 'events', help: 'Print the whole event log instead, one JSON object per line.' },
      { name: 'state', help: 'Print the state of the graph instead, as JSON.' },
      {
        name: 'at',
        value: 'STEP',
        help: 'Show the run as it was before this step, also with --state and --events. Without --at, the whole run is shown, and with --state its initial state.',
      },
      {
        name: 'figures',
        value: 'DIR',
        help: "Save the answer's figures to this folder instead, as figure-1.svg and so on. Never overwrites a file.",
      },
    ],
    examples: [
      ['scholium runs show last', ''],
      ['scholium runs show last --events', 'every event, as NDJSON'],
      ["scholium runs show last --at 'expert[1]'", 'the run up to this step'],
      [
        "scholium runs show last --at 'expert[1]' --state",
        'the state that the expert started from',
      ],
      ['scholium runs show last --figures drawings', 'the figures, as SVG'],
    ],
    load: async () => (await import('../commands/runs/runs-show.ts')).runRunsShow,
  },
  {
    name: 'runs remove',
    parameters: 'RUN…',
    words: [1, Infinity],
    summary: 'Delete runs and everything they recorded.',
    details: [
      'Text of files given with --source stays in the library, since other runs may cite it. Remove it with "scholium library remove PATH".',
      runHelp,
    ],
    options: [],
    examples: [['scholium runs remove 20261120-4kz9qd', '']],
    load: async () => (await import('../commands/runs/runs.ts')).runRunsRemove,
  },
]

const resume: CommandSpec = {
  name: 'resume',
  parameters: 'RUN',
  words: [1, 1],
  summary: 'Resume an interrupted, waiting or temporarily failed run.',
  details: [
    'Finished steps are not repeated and cost nothing. The run keeps its models; limits can be raised. A run that has already ended prints its recorded answer.',
    'Permissions that the run started with (web, environment variables, rules, MCP servers) must be granted again: by your configuration, by an option, or at the terminal. Until then nothing is executed.',
    runHelp,
    answerExits,
  ],
  options: [
    ...goingOnOptions,
    ...grantOptions,
    {
      name: 'finish',
      help: 'End the run at once, with a partial answer from the work that is done.',
    },
    {
      name: 'answer',
      value: 'TEXT',
      help: 'Answer what the run is waiting for. For a plan: approve, refuse, feedback for the planner, or another plan as JSON with research_steps, expert_steps and needs. At a node of an agent file: approve, stop, or a JSON object with changes to the state.',
    },
  ],
  examples: [
    ['scholium resume last', ''],
    ['scholium resume last --answer approve', 'approve the plan of a waiting run'],
    ['scholium resume last --finish', 'the answer so far, after Ctrl-C'],
  ],
  load: async () => (await import('../commands/runs/resume.ts')).runResume,
}

const replay: CommandSpec = {
  name: 'replay',
  parameters: 'RUN',
  words: [1, 1],
  summary: 'Re-run a run from its log alone and compare the answers.',
  details: [
    'No model is called and nothing is written. Missing or changed steps are listed.',
    'With --model, the log is used up to the first call of that role; a fork then continues with the new model.',
    runHelp,
    'Exit code: 0 if the answer is identical, 1 if not; for a fork, the exit code of its answer.',
  ],
  options: [...goingOnOptions, ...grantOptions],
  examples: [
    ['scholium replay last', ''],
    ['scholium replay last --json', 'includes the resulting answer'],
    ['scholium replay last --model expert=ollama:qwen3', 'another model, same research'],
  ],
  load: async () => (await import('../commands/runs/replay.ts')).runReplay,
}

const fork: CommandSpec = {
  name: 'fork',
  parameters: 'RUN',
  words: [1, 1],
  summary: 'Branch off from any step of a run: another model, question or state.',
  details: [
    'The fork shares everything recorded before the step and repeats none of it. The original run is not changed. The fork starts after the last node that ended before the step; it prints the name of that node.',
    'STEP is a step key, a unique part of one such as researcher[1], or an event number such as #42; "scholium runs show RUN" lists keys, with --events also numbers. Without --at, the fork starts from the beginning.',
    "The fork keeps the run's models and limits unless you give others; only its own work counts towards the limits. A new --question after the planning step is answered from research done for the original question, and the answer says so.",
    runHelp,
    answerExits,
  ],
  options: [
    { name: 'at', value: 'STEP', help: 'Redo this step and everything after it.' },
    {
      name: 'set',
      value: 'PATH=VALUE',
      isRepeatable: true,
      help: 'Change a field of the state at that step, such as control.retryLimit=2. To see the state: scholium runs show RUN --at STEP --state.',
    },
    { name: 'question', value: 'TEXT', help: 'Ask this question from that step on.' },
    ...grantOptions,
    ...goingOnOptions,
  ],
  examples: [
    [
      "scholium fork last --at 'expert[1]' --model expert=ollama:qwen3",
      'another expert, same research',
    ],
    [
      "scholium fork last --at 'researcher[1]' --set 'plan.researchSteps=[\"caffeine half-life\"]'",
      'another plan',
    ],
    ['scholium fork last --question "How fast is sound?"', ''],
  ],
  load: async () => (await import('../commands/runs/fork.ts')).runFork,
}

const diff: CommandSpec = {
  name: 'diff',
  parameters: 'RUN RUN',
  words: [2, 2],
  summary: 'Compare the answers of two runs, claim by claim.',
  details: [
    'Shows which sentences differ in wording, sources or verdict, and which only one of the answers has. Citation numbers do not count: sources are compared by their content.',
    runHelp,
    'Exit code: 0 if both answers have the same claims, sources and verdicts, 1 if not.',
  ],
  options: [],
  examples: [
    ['scholium diff 20261120-4kz9qd last', 'a run and its fork'],
    ['scholium diff 4kz9qd last --json', 'every pair of claims, as JSON'],
  ],
  load: async () => (await import('../commands/runs/diff.ts')).runDiff,
}

const graph: CommandSpec = {
  name: 'graph',
  parameters: '',
  words: [0, 0],
  summary: 'Print the graph of the ask workflow as Mermaid.',
  details: ['With --json: its nodes and edges.'],
  options: [],
  examples: [['scholium graph > team.mmd', '']],
  load: async () => (await import('../commands/agents/graph.ts')).runGraph,
}

const start: CommandSpec = {
  name: 'start',
  parameters: '',
  words: [0, 0],
  summary: 'Ask the sample library a first question and show what to try next.',
  details: [],
  options: drivingOptions,
  examples: [['scholium start', '']],
  isHidden: true,
  load: async () => (await import('../commands/set-up/start.ts')).runStart,
}

/** Every command, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  ask,
  papers,
  code,
  acp,
  serve,
  ...tokens,
  mcp,
  ...agentCommands,
  ...library,
  ...runs,
  resume,
  replay,
  fork,
  diff,
  ...traceCommands,
  ...bundleCommands,
  references,
  evalCommand,
  ...setUpCommands,
  graph,
  start,
]
