import type { Json } from '../../kernel/json.ts'
import { asObject } from '../render/as-object.ts'
import { cut, oneLine, visibleOnOneLine } from '../render/text.ts'

const mostTitleColumns = 300

/** A tool call in a few words: `read src/a.ts`, `bash npm test`. */
export function toolTitle(name: string, input: Json): string {
  const given = typeof input === 'string' ? { input } : asObject(input)
  const main = mainNames.map((key) => given[key]).find((value) => typeof value === 'string')
  const first = main ?? Object.values(given).find((value) => typeof value === 'string')
  const words =
    typeof first === 'string' ? visibleOnOneLine(first) : isEmpty(given) ? '' : shown(given)
  const where =
    name === 'grep' && typeof given.path === 'string' ? ` in ${visibleOnOneLine(given.path)}` : ''
  return cut(`${visibleOnOneLine(name)} ${words}${where}`.trim(), mostTitleColumns)
}

/** The most telling arguments, in order of preference. */
const mainNames = ['command', 'pattern', 'path', 'filepath', 'url', 'question', 'query', 'job_id']

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}

function shown(value: object): string {
  if ('todos' in value && Array.isArray(value.todos)) return `${value.todos.length} items`
  return visibleOnOneLine(JSON.stringify(value))
}

/** The outcome of a tool call in a few words, or why it failed. */
export function toolNote(name: string, output: Json, isError: boolean): string {
  const said = asObject(output)
  if (isRefused(output, isError)) return refusalNote(errorText(output))
  if (isError) return errorText(output)
  if (typeof said.exitCode === 'number' || said.exitCode === null) return commandNote(said)
  if (typeof said.jobId === 'string') return `runs as ${oneLine(said.jobId)}`
  if (typeof said.matchCount === 'number') return counted(said.matchCount, 'match', 'matches')
  for (const [key, one, many] of listNames) {
    const list = said[key]
    if (Array.isArray(list)) return counted(list.length, one, many)
  }
  return name === 'read' && typeof said.totalLines === 'number'
    ? counted(said.totalLines, 'line', 'lines')
    : ''
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

/** The reason of a refusal; what the person said is on the screen already. */
function refusalNote(text: string): string {
  const reason = text.replace(/^.*? was not called: /, '')
  return reason.startsWith('the person said no') ? 'not done' : reason
}

/** Lists in results, and what to call their members. */
const listNames = [
  ['paths', 'path', 'paths'],
  ['entries', 'entry', 'entries'],
  ['todos', 'item', 'items'],
] as const

/** The text of an error result. */
export function errorText(output: Json): string {
  if (typeof output === 'string') return oneLine(output)
  const { error, message, code } = asObject(output)
  if (code === 'outcome_unknown') return 'it was cut off while running; the outcome is unknown'
  const text = [error, message].find((part) => typeof part === 'string')
  return oneLine(typeof text === 'string' ? text : JSON.stringify(output))
}

function commandNote({
  exitCode,
  endedBy,
  isTimedOut,
  failure,
  durationMs,
}: Record<string, unknown>) {
  const end =
    isTimedOut === true
      ? 'took too long'
      : typeof failure === 'string'
        ? oneLine(failure)
        : typeof endedBy === 'string'
          ? `ended by ${oneLine(endedBy)}`
          : `exit code ${exitCode}`
  const time = typeof durationMs === 'number' ? `, ${(durationMs / 1000).toFixed(1)} s` : ''
  return `${end}${time}`
}

/** Whether a rule or the person forbade a call. */
export function isRefused(output: Json, isError: boolean): boolean {
  return isError && / was not called: /.test(errorText(output))
}

/** Whether a command failed. */
export function isFailedCommand(output: Json): boolean {
  const { exitCode } = asObject(output)
  return exitCode !== undefined && exitCode !== 0
}

/** The output of a command; empty for the result of anything else. */
export function printedBy(output: Json): string {
  const { output: printed, exitCode } = asObject(output)
  return exitCode !== undefined && typeof printed === 'string' ? printed : ''
}

/** A diff of what a call replaces, as far as its arguments show it; empty if they do not. */
export function diffOfInput(name: string, input: Json): string {
  const { old, new: next, content, text, edits } = asObject(input)
  if (name === 'write' && typeof content === 'string') return signed('+', content)
  if (name !== 'edit') return ''
  if (typeof old === 'string' && typeof next === 'string')
    return `${signed('-', old)}\n${signed('+', next)}`
  if (typeof text === 'string') return signed('+', text)
  if (!Array.isArray(edits)) return ''
  return edits.map((edit) => diffOfInput(name, edit)).join('\n')
}

function signed(sign: string, text: string): string {
  if (text === '') return ''
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.map((line) => `${sign}${line}`).join('\n')
}
