import { readFileSync } from 'node:fs'
import { ScholiumError } from '../kernel/errors.ts'
import { findNearest } from '../kernel/text/nearest.ts'
import { wordToPaste } from '../kernel/text/shell-word.ts'
import type { CommandSpec } from './arguments/command-spec.ts'
import { commands } from './arguments/commands.ts'
import { commandHelp, groupHelp, rootHelp } from './arguments/help.ts'
import type { Invocation, OutputFormat } from './arguments/invocation.ts'
import { type GivenOptions, globalOptions, type OptionSpec } from './arguments/option.ts'
import { parseArguments, wordsOf } from './arguments/parse-arguments.ts'
import { type Host, Terminal } from './terminal.ts'

/** Runs a command line; returns the exit code. @param argv the arguments after `scholium` */
export async function main(argv: readonly string[], host: Host = process): Promise<number> {
  const end = argv.indexOf('--')
  const flags = end < 0 ? argv : argv.slice(0, end)
  const terminal = new Terminal(host, { hasColor: !flags.includes('--no-color') })
  try {
    const exitCode = await dispatch(argv, terminal)
    if (terminal.writeFailure === undefined) return exitCode
    throw new ScholiumError(
      'internal',
      `The output could not be written: ${terminal.writeFailure.message}.`,
      {
        hint: 'Check where the output goes: the disk may be full.',
      },
    )
  } catch (error) {
    if (isMissingPackage(error)) throw error
    const { reportError } = await import('./report-error.ts')
    return reportError(error, { terminal, format: formatAskedFor(flags) })
  }
}

/** A package is not installed: the launcher knows what to do. */
function isMissingPackage(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.startsWith('Cannot find package')
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { words, options } = parseArguments(argv, listOptions(commandIn(argv)))
  if (options.has('version')) return print(terminal, `${version()}\n`)
  const isHelp = words[0] === 'help' || options.has('help')
  const named = words[0] === 'help' ? words.slice(1) : words
  if (named[0] === undefined) return print(terminal, rootHelp())
  const isGroup = commands.some(({ name }) => name.startsWith(`${named[0]} `))
  if (isHelp && isGroup && named[1] === undefined) return print(terminal, groupHelp(named[0]))
  const command = commandFor(named, isGroup)
  if (isHelp) return print(terminal, commandHelp(command))
  checkOptions(command, options)
  const own = named.slice(command.name.split(' ').length)
  checkWords(command, own)
  checkPaths(command, own, options)
  terminal.home = options.text('home')
  const invocation: Invocation = { words: own, options, format: chooseFormat(options), terminal }
  return (await command.load())(invocation)
}

function print(terminal: Terminal, text: string): number {
  terminal.stdout.write(terminal.asTyped(text))
  return 0
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Every option, in the command's own meaning: another command may use the name differently. */
function listOptions(command: CommandSpec | undefined): readonly OptionSpec[] {
  const others = commands.flatMap(({ options }) => options)
  const all = [...globalOptions, ...others, ...(command?.options ?? [])]
  return [...new Map(all.map((option) => [option.name, option])).values()]
}

/** The command named among the arguments, if any. */
function commandIn(argv: readonly string[]): CommandSpec | undefined {
  return commands
    .toSorted((one, other) => other.name.length - one.name.length)
    .find((command) => {
      const words = wordsOf(argv, listOptions(command))
      const named = words[0] === 'help' ? words.slice(1) : words
      return `${named.join(' ')} `.startsWith(`${command.name} `)
    })
}

/** @throws `invalid_input` if the words name no command */
function commandFor(words: readonly string[], isGroup: boolean): CommandSpec {
  const [first = '', second] = words
  const named = (words: string) => commands.find(({ name }) => name === words)
  const found = named(`${first} ${second}`) ?? named(first)
  if (found !== undefined) return found
  if (!isGroup) throw unknownCommand(first)
  const parts = commands.flatMap(({ name }) =>
    name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [],
  )
  const meant = second === undefined ? undefined : findNearest(second, parts)
  const what =
    second === undefined ? `"${first}" needs a subcommand` : `Unknown command "${first} ${second}"`
  throw new ScholiumError('invalid_input', `${what}: ${parts.join(', ')}.`, {
    hint:
      meant === undefined
        ? `See: scholium ${first} --help`
        : `Did you mean: scholium ${first} ${meant}`,
  })
}

function unknownCommand(word: string): ScholiumError {
  const names = commands
    .filter(({ isHidden }) => isHidden !== true)
    .map(({ name }) => name.split(' ')[0] as string)
  const meant = findNearest(word, [...new Set(names)])
  const question = /\s/.test(word) ? (wordToPaste(word, process.platform) ?? 'QUESTION') : undefined
  return new ScholiumError('invalid_input', `Unknown command "${word}".`, {
    hint: question
      ? `To ask a question: scholium ask ${question}`
      : meant === undefined
        ? 'See: scholium --help'
        : `Did you mean: scholium ${meant}`,
  })
}

/** @throws `invalid_input` for an option that the command does not take */
function checkOptions(command: CommandSpec, options: GivenOptions): void {
  const known = [...globalOptions, ...command.options].map(({ name }) => name)
  const foreign = options.names.find((name) => !known.includes(name))
  if (foreign === undefined) return
  throw new ScholiumError('invalid_input', `--${foreign} is not an option of ${command.name}.`, {
    hint: `See: scholium ${command.name} --help`,
  })
}

/** @throws `invalid_input` for too few or too many words */
function checkWords(command: CommandSpec, words: readonly string[]): void {
  const [least, most] = command.words
  if (words.length >= least && words.length <= most) return
  const what =
    words.length < least
      ? `${command.name} needs ${command.parameters}.`
      : `Unexpected argument "${words[most]}" for ${command.name}.`
  throw new ScholiumError('invalid_input', what, { hint: `See: scholium ${command.name} --help` })
}

/**
 * An empty path, such as from an unset shell variable, would mean the current folder.
 * @throws `invalid_input`
 */
function checkPaths(
  { options: specs, parameters = '' }: CommandSpec,
  words: readonly string[],
  options: GivenOptions,
): void {
  const isPath = (value = '') => /\b(?:PATH|FILE|DIR|FOLDER)\b/.test(value)
  const isEmpty = (text: string) => text.trim() === ''
  const empty = [...globalOptions, ...specs].find(
    ({ name, value }) => isPath(value) && options.texts(name).some(isEmpty),
  )
  const isWord = isPath(parameters) && words.some(isEmpty)
  if (empty === undefined && !isWord) return
  const what =
    empty === undefined
      ? 'The path is empty.'
      : `Invalid value for --${empty.name}: "${options.texts(empty.name).find(isEmpty)}".`
  throw new ScholiumError('invalid_input', what, {
    hint: 'Give a file or folder; "." is the current folder.',
  })
}

const formats: readonly string[] = ['text', 'json', 'stream-json'] satisfies readonly OutputFormat[]

/** @throws `invalid_input` for an unknown format, or two of them */
function chooseFormat(options: GivenOptions): OutputFormat {
  const named = options.text('output-format')
  if (named !== undefined && !formats.includes(named)) {
    throw new ScholiumError('invalid_input', `Invalid value for --output-format: "${named}".`, {
      hint: `Give one of: ${formats.join(', ')}.`,
    })
  }
  if (!options.has('json')) return (named ?? 'text') as OutputFormat
  if (named === undefined || named === 'json') return 'json'
  throw new ScholiumError(
    'invalid_input',
    `--json and --output-format ${named} cannot be combined.`,
    {
      hint: 'Give only one of them.',
    },
  )
}

/** The format for the error of a command line that may be invalid. */
function formatAskedFor(flags: readonly string[]): OutputFormat {
  const text = flags.join(' ')
  if (/--output-format[ =]stream-json/.test(text)) return 'stream-json'
  return flags.includes('--json') || /--output-format[ =]json/.test(text) ? 'json' : 'text'
}
