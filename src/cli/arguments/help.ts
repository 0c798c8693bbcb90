import type { CommandSpec } from './command-spec.ts'
import { commands } from './commands.ts'
import { globalOptions, type OptionSpec } from './option.ts'

const lineWidth = 100

/** The help of the whole command line. */
export function rootHelp(): string {
  const shown = commands.filter(({ isHidden }) => isHidden !== true)
  const rows = shown.map(
    (command): Row => [`${command.name} ${command.parameters}`.trim(), command.summary],
  )
  return [
    'Research agents that show their work: cited answers from your own files.',
    '',
    'Usage: scholium COMMAND [options]',
    '',
    ...table(rows),
    '',
    'Global options',
    ...table(globalOptions.map(optionRow)),
    '',
    'Examples',
    '  scholium ask "What is CRISPR and who invented it?"',
    '  scholium library add papers/',
    '  scholium runs show last',
    '',
    'Help for a command: scholium ask --help',
    '',
  ].join('\n')
}

/** The help of the commands that share a first word, such as `library`. */
export function groupHelp(word: string): string {
  const rows = commands
    .filter(({ name }) => name === word || name.startsWith(`${word} `))
    .map((command): Row => [`${command.name} ${command.parameters}`.trim(), command.summary])
  const usage = `Usage: scholium ${word} COMMAND [options]`
  return [
    usage,
    '',
    ...table(rows),
    '',
    `Help for a command: scholium ${rows.at(-1)?.[0].split(' ').slice(0, 2).join(' ')} --help`,
    '',
  ].join('\n')
}

/** The help of one command. */
export function commandHelp(command: CommandSpec): string {
  const { name, parameters, summary, details, options, examples } = command
  return [
    `Usage: scholium ${name}${parameters === '' ? '' : ` ${parameters}`} [options]`,
    '',
    summary,
    ...details.flatMap((paragraph) => ['', ...wrapWords(paragraph, lineWidth)]),
    ...(options.length === 0 ? [] : ['', 'Options', ...table(options.map(optionRow))]),
    '',
    'Global options',
    ...table(globalOptions.map(optionRow)),
    '',
    'Examples',
    ...examples.flatMap(([text, meaning]) => [
      ...(meaning === '' ? [] : [`  # ${meaning}`]),
      `  ${text}`,
    ]),
    '',
  ].join('\n')
}

type Row = readonly [string, string]

function optionRow({ name, short, value, isRepeatable, help }: OptionSpec): Row {
  const letter = short === undefined ? '' : `, -${short}`
  const many = isRepeatable === true ? ' Repeatable.' : ''
  return [`--${name}${value === undefined ? '' : ` ${value}`}${letter}`, `${help}${many}`]
}

/** Two columns; the second is wrapped. */
function table(rows: readonly Row[]): readonly string[] {
  const left = Math.max(...rows.map(([text]) => text.length))
  return rows.flatMap(([text, meaning]) => {
    const [first = '', ...others] = wrapWords(meaning, lineWidth - left - 4)
    const indent = ' '.repeat(left + 4)
    return [`  ${text.padEnd(left)}  ${first}`.trimEnd(), ...others.map((line) => indent + line)]
  })
}

/** The help is plain ASCII, so length equals width. */
function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
