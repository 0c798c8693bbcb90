import { replaceHidden } from '../../kernel/text/visible-text.ts'
import type { Invocation, OutputFormat } from '../arguments/invocation.ts'
import type { Terminal } from '../terminal.ts'

/** Prints a command's result: as text, as one JSON value, or as the last line of a stream. */
export function printResult(invocation: Invocation, value: object, text: () => string): void {
  const { terminal, format } = invocation
  if (format === 'text') terminal.stdout.write(ended(text()))
  else printJson(terminal, format, 'result', value)
}

/** Prints a value for programs; each line of a stream has a `type`. In a stream, each member of a list is a line. */
export function printJson(
  terminal: Terminal,
  format: Exclude<OutputFormat, 'text'>,
  type: string,
  value: object,
): void {
  const text = format === 'json' ? jsonText(value) : escaped(streamLine(type, value))
  terminal.stdout.write(`${text}\n`)
}

/** A value as indented JSON that is safe for a terminal. */
export function jsonText(value: object): string {
  return escaped(JSON.stringify(value, null, 2))
}

/** One line of a stream. */
export function printLine(terminal: Terminal, value: object): void {
  terminal.stdout.write(`${escaped(JSON.stringify(value))}\n`)
}

function streamLine(type: string, value: object): string {
  return Array.isArray(value)
    ? [
        ...value.map((item) => JSON.stringify(item)),
        JSON.stringify({ type, count: value.length }),
      ].join('\n')
    : JSON.stringify({ type, ...value })
}

/** Escapes invisible and control characters: programs read the same value. */
function escaped(json: string): string {
  return replaceHidden(json, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
