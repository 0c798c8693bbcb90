import { type OptionSpec, runOptions } from './option.ts'

/** Options to trace a run. */
const traceOptions: readonly OptionSpec[] = [
  {
    name: 'trace-file',
    value: 'FILE',
    help: 'Append every event to this file as it happens, one JSON object per line.',
  },
  {
    name: 'log-level',
    value: 'LEVEL',
    help: 'Write log lines of this level and above: debug, info, warn or error. They replace the progress output on stderr unless --log-file is given.',
  },
  {
    name: 'log-file',
    value: 'FILE',
    help: 'Append log lines to this file, at level info unless --log-level is given.',
  },
  {
    name: 'session',
    value: 'ID',
    help: 'Label the run with a session id. Default: $SCHOLIUM_SESSION_ID.',
  },
  { name: 'user', value: 'ID', help: 'Label the run with a user id. Default: $SCHOLIUM_USER_ID.' },
]

/** The options of every command that executes a run. */
export const drivingOptions: readonly OptionSpec[] = [...runOptions, ...traceOptions]

/** The options of commands that continue an existing run. */
export const goingOnOptions: readonly OptionSpec[] = drivingOptions.map((option) =>
  option.name === 'model'
    ? { ...option, help: option.help.replace(/Default: .*$/, 'Default: the models of the run.') }
    : option,
)

/** Options that select runs. */
export const filterOptions: readonly OptionSpec[] = [
  { name: 'session', value: 'ID', help: 'Only runs of this session.' },
  { name: 'user', value: 'ID', help: 'Only runs of this user.' },
  { name: 'agent', value: 'NAME', help: 'Only runs that used this agent.' },
  {
    name: 'since',
    value: 'WHEN',
    help: 'Only runs started since: an age such as 12h, 7d or 4w, or a date such as 2026-11-20.',
  },
  {
    name: 'until',
    value: 'WHEN',
    help: 'Only runs started before a time, written as for --since.',
  },
  { name: 'limit', value: 'N', help: 'Only the newest N. Default: all.' },
]
