import type { CommandSpec } from '../../arguments/command-spec.ts'
import { filterOptions } from '../../arguments/trace-options.ts'

const runHelp = 'RUN is a run id, its first or last characters, or "last".'

/** The commands that read traces from the log. */
export const traceCommands: readonly CommandSpec[] = [
  {
    name: 'trace show',
    parameters: 'RUN',
    words: [1, 1],
    summary: 'Show where a run spent its time and money.',
    details: [
      'Each line is a node, a model call or a tool call, with a bar that shows when it was active. Pauses between executions are left out. Totals by agent follow.',
      runHelp,
    ],
    options: [
      { name: 'depth', value: 'N', help: 'Show only N levels: 1 shows just the nodes.' },
      {
        name: 'all',
        help: 'Also show steps that took less than 1 % of the time and made no calls.',
      },
    ],
    examples: [
      ['scholium trace show last', ''],
      ['scholium trace show last --depth 1', 'just the nodes'],
      ['scholium trace show last --json', 'every span, as a tree'],
    ],
    load: async () => (await import('./trace-show.ts')).runTraceShow,
  },
  {
    name: 'trace stats',
    parameters: '',
    words: [0, 0],
    summary: 'Show times, tokens, costs and errors by agent across runs.',
    details: [
      'Percentiles use the nearest rank. The paths that runs took through their graphs follow, most frequent first.',
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
    summary: 'Show where two runs diverged.',
    details: [runHelp],
    options: [],
    examples: [['scholium trace compare 20261120-4kz9qd last', '']],
    load: async () => (await import('./trace-stats.ts')).runTraceCompare,
  },
  {
    name: 'trace export',
    parameters: '[RUN] [FILE]',
    words: [0, 2],
    summary: 'Export traces as JSON or CSV, or send a run to an OpenTelemetry collector.',
    details: [
      'Exports all runs, or only RUN (an id, its first or last characters, or "last"), to FILE or, without FILE or with "-", to stdout. A single argument that ends in .json or .csv, or contains a folder, is taken as FILE. CSV has one line per run; JSON includes the spans. In CSV, text that a spreadsheet would run as a formula is prefixed with an apostrophe.',
      'With --otlp, RUN is sent to the collector at OTEL_EXPORTER_OTLP_ENDPOINT, and to Langfuse if its keys are set. Span ids are the same every time.',
    ],
    options: [
      {
        name: 'output',
        short: 'o',
        value: 'FILE',
        help: 'Write to this file, whatever its ending. Never overwrites a file.',
      },
      { name: 'format', value: 'FORMAT', help: 'json or csv. Default: from the ending of FILE.' },
      { name: 'otlp', help: 'Send RUN to a collector instead of writing a file.' },
      ...filterOptions,
    ],
    examples: [
      ['scholium trace export traces.csv --since 30d', ''],
      ['scholium trace export --format json --session review-42', ''],
      ['scholium trace export last run.json', 'one run with its spans'],
      ['scholium trace export last --otlp', 'send the last run again'],
    ],
    load: async () => (await import('./trace-export.ts')).runTraceExport,
  },
  {
    name: 'trace cleanup',
    parameters: '--older-than AGE',
    words: [0, 0],
    summary: 'Delete old runs and everything they recorded.',
    details: [
      'Deletes only runs that have ended, including failed ones and those stopped by a limit. Running, waiting and interrupted runs are kept, and so are runs that a kept fork depends on.',
    ],
    options: [
      {
        name: 'older-than',
        value: 'AGE',
        help: 'Required. Minimum age since the run ended, such as 12h, 30d or 8w.',
      },
      { name: 'keep', value: 'N', help: 'Always keep the newest N runs.' },
      { name: 'dry-run', help: 'Show what would be deleted without deleting it.' },
    ],
    examples: [
      ['scholium trace cleanup --older-than 30d --dry-run', ''],
      ['scholium trace cleanup --older-than 30d --keep 100', ''],
    ],
    load: async () => (await import('./trace-cleanup.ts')).runTraceCleanup,
  },
]
