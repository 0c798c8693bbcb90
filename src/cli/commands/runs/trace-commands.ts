import type { CommandSpec } from '../../arguments/command-spec.ts'
import { filterOptions } from '../../arguments/trace-options.ts'

const runHelp = 'RUN is an id, its beginning or its end, or "last".'

/** The commands that read traces out of the log. */
export const traceCommands: readonly CommandSpec[] = [
  {
    name: 'trace show',
    parameters: 'RUN',
    words: [1, 1],
    summary: 'Show where the time and the money of a run went.',
    details: [
      'Each line is a node, or a call of a model or a tool, with a bar for when it was at work; pauses between executions are left out. Below, the same by agent.',
      runHelp,
    ],
    options: [
      { name: 'depth', value: 'N', help: 'Only so many levels: 1 shows the nodes alone.' },
      { name: 'all', help: 'Also what took less than a hundredth of the time and called nothing.' },
    ],
    examples: [
      ['scholium trace show last', ''],
      ['scholium trace show last --depth 1', 'the nodes alone'],
      ['scholium trace show last --json', 'every span, as a tree'],
    ],
    load: async () => (await import('./trace-show.ts')).runTraceShow,
  },
  {
    name: 'trace stats',
    parameters: '',
    words: [0, 0],
    summary: 'Show times, tokens, costs and errors of agents over many runs.',
    details: [
      'Percentiles are by nearest rank. The ways that runs took through their graph are listed below, the most frequent first.',
    ],
    options: filterOptions,
    examples: [
      ['scholium trace stats', ''],
      ['scholium trace stats --since 7d --agent researcher', ''],
      ['scholium trace stats --session review-42 --json', ''],
    ],
    load: async () => (await import('./trace-stats.ts')).runTraceStats,
  },
  {
    name: 'trace compare',
    parameters: 'RUN RUN',
    words: [2, 2],
    summary: 'Show where the ways of two runs through their graph part.',
    details: [runHelp],
    options: [],
    examples: [['scholium trace compare 20261120-4kz9qd last', '']],
    load: async () => (await import('./trace-stats.ts')).runTraceCompare,
  },
  {
    name: 'trace export',
    parameters: '[RUN] [FILE]',
    words: [0, 2],
    summary: 'Write traces as JSON or CSV, or send a run to a collector.',
    details: [
      'All runs, or RUN alone; into FILE, or without one, or where it is "-", to stdout. A lone word is a FILE where it ends in .json or .csv, or leads into a folder; else it is a RUN: an id, its beginning or its end, or "last". CSV has a line for each run, JSON also its spans. Text that a spreadsheet would take for a formula has an apostrophe before it.',
      'With --otlp RUN is sent to the OpenTelemetry collector that OTEL_EXPORTER_OTLP_ENDPOINT names, and to Langfuse when its keys are set; its spans have the same ids each time.',
    ],
    options: [
      {
        name: 'output',
        short: 'o',
        value: 'FILE',
        help: 'Write into this file, whatever it is called. One that is there is never overwritten.',
      },
      { name: 'format', value: 'FORMAT', help: 'json or csv. Default: what the end of FILE says.' },
      { name: 'otlp', help: 'Send RUN instead of writing a file.' },
      ...filterOptions,
    ],
    examples: [
      ['scholium trace export traces.csv --since 30d', ''],
      ['scholium trace export --format json --session review-42', ''],
      ['scholium trace export last run.json', 'one run with its spans'],
      ['scholium trace export last --otlp', 'send a run again'],
    ],
    load: async () => (await import('./trace-export.ts')).runTraceExport,
  },
  {
    name: 'trace cleanup',
    parameters: '--older-than AGE',
    words: [0, 0],
    summary: 'Remove old runs with all that they recorded.',
    details: [
      'Only runs that have ended, also those that failed or that a limit ended; what runs, waits or was interrupted stays, and so does what a kept fork needs.',
    ],
    options: [
      {
        name: 'older-than',
        value: 'AGE',
        help: 'Required. Those that ended so long ago: 12h, 30d, 8w.',
      },
      { name: 'keep', value: 'N', help: 'Keep the newest so many of them whatever their age.' },
      { name: 'dry-run', help: 'Say what would be removed, and remove nothing.' },
    ],
    examples: [
      ['scholium trace cleanup --older-than 30d --dry-run', ''],
      ['scholium trace cleanup --older-than 30d --keep 100', ''],
    ],
    load: async () => (await import('./trace-cleanup.ts')).runTraceCleanup,
  },
]
