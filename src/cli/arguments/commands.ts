import { agentCommands } from '../commands/agents/agent-commands.ts'
import { answerExits, ask } from '../commands/ask/ask-command.ts'
import { code } from '../commands/code/code-command.ts'
import { evalCommand } from '../commands/eval/eval-command.ts'
import { references } from '../commands/library/references-command.ts'
import { papers } from '../commands/papers/papers-command.ts'
import { bundleCommands } from '../commands/runs/bundle-commands.ts'
import { traceCommands } from '../commands/runs/trace-commands.ts'
import { acp } from '../commands/set-up/acp-command.ts'
import { setUpCommands } from '../commands/set-up/set-up-commands.ts'
import type { CommandSpec } from './command-spec.ts'
import { grantOptions } from './grant-options.ts'
import { drivingOptions, goingOnOptions } from './trace-options.ts'

const runHelp = 'RUN is an id, its beginning or its end, or "last".'

const library: readonly CommandSpec[] = [
  {
    name: 'library add',
    parameters: 'PATH…',
    words: [1, Infinity],
    summary: 'Read files and folders into the library: PDF, Word, Excel, web pages …',
    details: [
      'Read are PDF, Word (.docx), Excel (.xlsx), PowerPoint (.pptx), EPUB, HTML, CSV, Markdown, text and source code, the metadata of pictures, and .zip archives of these. What a file is, its content tells.',
      'A file that is there already is left as it is; a changed one is read again. A file that cannot be read is named with the reason and never ends the rest.',
      'The files in an archive stand under its path: papers.zip/2024/a.pdf. They are removed with it.',
      'Exit code: 0 when every file is in the library, 3 when some were refused, 1 when none is in it, 2 when a path is not there.',
    ],
    options: [],
    examples: [
      ['scholium library add papers/ notes.md', ''],
      ['scholium library add talk.pptx sales.xlsx archive.zip', ''],
      ['scholium library add report.pdf --json', 'what became of each file, as JSON'],
    ],
    load: async () => (await import('../commands/library/library-add.ts')).runLibraryAdd,
  },
  {
    name: 'library list',
    parameters: '',
    words: [0, 0],
    summary: 'List what is in the library.',
    details: [],
    options: [],
    examples: [
      ['scholium library list', ''],
      ['scholium library list --json', 'with everything that is known of each source'],
    ],
    load: async () => (await import('../commands/library/library.ts')).runLibraryList,
  },
  {
    name: 'library search',
    parameters: 'QUERY',
    words: [1, Infinity],
    summary: 'Show the best passages for some words.',
    details: [],
    options: [{ name: 'limit', value: 'N', help: 'How many passages, 1 to 100. Default: 8.' }],
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
    summary: 'Take a source out of the library, by its id or its path.',
    details: ['Answers that cite it stay, but its text can no longer be checked.'],
    options: [],
    examples: [
      ['scholium library remove papers/old.pdf', ''],
      ['scholium library remove papers.zip', 'all that was read from an archive or a folder'],
      ['scholium library remove 3f9ac01e', 'the beginning of an id, as the list shows it'],
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
    options: [{ name: 'limit', value: 'N', help: 'How many. Default: 50.' }],
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
    summary: 'Show a run: its answer, and how long each part took.',
    details: [runHelp],
    options: [
      { name: 'events', help: 'Print its whole log instead, one JSON object a line.' },
      { name: 'state', help: 'Print the state of its graph instead, as JSON.' },
      {
        name: 'at',
        value: 'STEP',
        help: 'Only as it was before this step; also with --state or --events. Default: all of it, and the state at the beginning.',
      },
      {
        name: 'figures',
        value: 'DIR',
        help: "Write the answer's figures there instead, as figure-1.svg and so on. No file is replaced.",
      },
    ],
    examples: [
      ['scholium runs show last', ''],
      ['scholium runs show last --events', 'everything that happened, as NDJSON'],
      ["scholium runs show last --at 'expert[1]'", 'the run up to this step'],
      ["scholium runs show last --at 'expert[1]' --state", 'what the expert began with'],
      ['scholium runs show last --figures drawings', 'what was drawn, as SVG'],
    ],
    load: async () => (await import('../commands/runs/runs-show.ts')).runRunsShow,
  },
  {
    name: 'runs remove',
    parameters: 'RUN…',
    words: [1, Infinity],
    summary: 'Remove runs with all that they recorded.',
    details: [
      'The text of files that were given with --source stays in the library, where other runs may cite it: take it out with "scholium library remove PATH".',
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
  summary: 'Go on with a run that was interrupted, waits, or failed for a while.',
  details: [
    'Finished steps are not done again and cost nothing again. A run goes on with the models that it began with, and may be given higher limits. One that has ended gives its recorded answer.',
    'What it was begun with (the web, variables, rules, MCP servers) has to be granted again, by your configuration, an option, or at the terminal: until then nothing is done.',
    runHelp,
    answerExits,
  ],
  options: [
    ...goingOnOptions,
    ...grantOptions,
    {
      name: 'answer',
      value: 'TEXT',
      help: 'What the run waits to be told. To a plan: approve, refuse, words for the planner, or another plan as JSON with research_steps, expert_steps and needs. At a node of an agent file: approve, stop, or a JSON object that changes the state.',
    },
  ],
  examples: [
    ['scholium resume last', ''],
    ['scholium resume last --answer approve', 'a run whose plan waits for a yes'],
  ],
  load: async () => (await import('../commands/runs/resume.ts')).runResume,
}

const replay: CommandSpec = {
  name: 'replay',
  parameters: 'RUN',
  words: [1, 1],
  summary: 'Do a run again from its record alone and compare the answers.',
  details: [
    'No model is called and nothing is written. A missing or changed step is named.',
    'With --model, the record is used up to the first call of that role, and a fork goes on from there with the model.',
    runHelp,
    'Exit code: 0 when the answer is identical, 1 when not; of a fork, that of its answer.',
  ],
  options: [...goingOnOptions, ...grantOptions],
  examples: [
    ['scholium replay last', ''],
    ['scholium replay last --json', 'with the answer that came out'],
    [
      'scholium replay last --model expert=ollama:qwen3',
      'what another model makes of the same research',
    ],
  ],
  load: async () => (await import('../commands/runs/replay.ts')).runReplay,
}

const fork: CommandSpec = {
  name: 'fork',
  parameters: 'RUN',
  words: [1, 1],
  summary: 'Go on with a run another way, from any step.',
  details: [
    'The fork shares what was recorded before the step, and does nothing of it again; the run stays as it is. It begins at the last end of a node before the step, and says which that is.',
    'A step is named by its key or a part of it that no other step has, such as researcher[1], or by the number of an event, such as #42; "scholium runs show RUN" and its --events list them. Without --at the fork begins at the beginning.',
    'The models and limits of the run hold for the fork too, unless others are given; only what the fork does itself counts against them. A question that comes after the plan was made is answered from the work that was done for the other one, and the answer says so.',
    runHelp,
    answerExits,
  ],
  options: [
    { name: 'at', value: 'STEP', help: 'Do this step, and all after it, anew.' },
    {
      name: 'set',
      value: 'PATH=VALUE',
      isRepeatable: true,
      help: 'Change a field of the state there, such as control.retryLimit=2; "scholium runs show RUN --at STEP --state" shows it.',
    },
    { name: 'question', value: 'TEXT', help: 'Ask this from there on.' },
    ...grantOptions,
    ...goingOnOptions,
  ],
  examples: [
    [
      "scholium fork last --at 'expert[1]' --model expert=ollama:qwen3",
      'another expert for the same research',
    ],
    [
      "scholium fork last --at 'researcher[1]' --set 'plan.researchSteps=[\"caffeine half-life\"]'",
      'another plan',
    ],
    ['scholium fork last --question "How fast is sound?"', ''],
  ],
  load: async () => (await import('../commands/runs/fork.ts')).runFork,
}

const graph: CommandSpec = {
  name: 'graph',
  parameters: '',
  words: [0, 0],
  summary: 'Print the graph of the question team, as Mermaid.',
  details: ['With --json its nodes and edges.'],
  options: [],
  examples: [['scholium graph > team.mmd', '']],
  load: async () => (await import('../commands/agents/graph.ts')).runGraph,
}

const start: CommandSpec = {
  name: 'start',
  parameters: '',
  words: [0, 0],
  summary: 'Ask a first question of the sample library and say what to try next.',
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
  ...agentCommands,
  ...library,
  ...runs,
  resume,
  replay,
  fork,
  ...traceCommands,
  ...bundleCommands,
  references,
  evalCommand,
  ...setUpCommands,
  graph,
  start,
]
