import { type OptionSpec, runOptions } from './option.ts'

/** What a run can be watched with. */
const traceOptions: readonly OptionSpec[] = [
  {
    name: 'trace-file',
    value: 'FILE',
    help: 'Append every event to this file while it happens, one JSON object a line.',
  },
  {
    name: 'log-level',
    value: 'LEVEL',
    help: 'Write log lines: debug, info, warn or error. To stderr, in place of the progress, unless --log-file is given.',
  },
  {
    name: 'log-file',
    value: 'FILE',
    help: 'Append log lines to this file. Level without --log-level: info.',
  },
  {
    name: 'session',
    value: 'ID',
    help: 'File the run under a session. Default: $SCHOLIUM_SESSION_ID.',
  },
  { name: 'user', value: 'ID', help: 'File the run under a user. Default: $SCHOLIUM_USER_ID.' },
]

/** The options of every command that drives a run. */
export const drivingOptions: readonly OptionSpec[] = [...runOptions, ...traceOptions]

/** The options of the commands that go on with a run that there is. */
export const goingOnOptions: readonly OptionSpec[] = drivingOptions.map((option) =>
  option.name === 'model'
    ? { ...option, help: option.help.replace(/Default: .*$/, 'Default: the models of the run.') }
    : option,
)

/** Which runs the commands on several of them mean. */
export const filterOptions: readonly OptionSpec[] = [
  { name: 'session', value: 'ID', help: 'Only runs of this session.' },
  { name: 'user', value: 'ID', help: 'Only runs of this user.' },
  { name: 'agent', value: 'NAME', help: 'Only runs in which this agent worked.' },
  {
    name: 'since',
    value: 'WHEN',
    help: 'Only runs begun since: an age such as 12h, 7d or 4w, or a date such as 2026-11-20.',
  },
  { name: 'until', value: 'WHEN', help: 'Only runs begun before.' },
  { name: 'limit', value: 'N', help: 'Only the newest so many. Default: all.' },
]
