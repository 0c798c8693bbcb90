import { ScholiumError } from '../../kernel/errors.ts'
import { findNearest } from '../../kernel/text/nearest.ts'
import { GivenOptions, type OptionSpec } from './option.ts'

/** A parsed command line: words and options, in any order. */
export interface Arguments {
  readonly words: readonly string[]
  readonly options: GivenOptions
}

/**
 * Parses a command line. Options may appear anywhere before `--`; `-`, and numbers such as `-5`, are words.
 * @throws `invalid_input` for an option that is not among `specs`, a missing value, or a second value for an option
 * that takes one
 */
export function parseArguments(argv: readonly string[], specs: readonly OptionSpec[]): Arguments {
  const words: string[] = []
  const values = new Map<string, string[]>()
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] as string
    if (token === '--') {
      words.push(...argv.slice(index + 1))
      break
    }
    if (!isOption(token)) {
      words.push(token)
      continue
    }
    const { spec, inline } = identify(token, specs)
    let value = ''
    if (spec.value !== undefined) {
      value = inline ?? valueAfter(argv, index, spec)
      if (inline === undefined) index++
    } else if (inline !== undefined) {
      throw new ScholiumError('invalid_input', `--${spec.name} takes no value.`)
    }
    add(values, spec, value)
  }
  return { words, options: new GivenOptions(values) }
}

/** The words of a command line, which may be invalid. */
export function wordsOf(argv: readonly string[], specs: readonly OptionSpec[]): readonly string[] {
  const words: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] as string
    if (token === '--') return [...words, ...argv.slice(index + 1)]
    if (!isOption(token)) words.push(token)
    else if (findSpec(token, specs)?.value !== undefined) {
      const next = argv[index + 1]
      if (next !== undefined && !isOption(next)) index++
    }
  }
  return words
}

function findSpec(given: string, specs: readonly OptionSpec[]): OptionSpec | undefined {
  return specs.find(({ name, short }) => given === `--${name}` || given === `-${short}`)
}

function isOption(token: string): boolean {
  return /^-(?:-|[a-zA-Z])/.test(token)
}

function identify(
  token: string,
  specs: readonly OptionSpec[],
): { readonly spec: OptionSpec; readonly inline: string | undefined } {
  const equals = token.indexOf('=')
  const given = equals < 0 ? token : token.slice(0, equals)
  const inline = equals < 0 ? undefined : token.slice(equals + 1)
  const spec = findSpec(given, specs)
  if (spec !== undefined) return { spec, inline }
  const meant = findNearest(
    given,
    specs.map(({ name }) => `--${name}`),
  )
  throw new ScholiumError('invalid_input', `Unknown option ${given}.`, {
    hint:
      meant === undefined
        ? 'If it is part of your text, put -- before the text.'
        : `Did you mean ${meant}?`,
  })
}

function valueAfter(argv: readonly string[], index: number, spec: OptionSpec): string {
  const next = argv[index + 1]
  if (next !== undefined && !isOption(next)) return next
  throw new ScholiumError('invalid_input', `--${spec.name} needs a value.`, {
    hint: `Write it as: --${spec.name}=${spec.value}`,
  })
}

function add(values: Map<string, string[]>, spec: OptionSpec, value: string): void {
  const earlier = values.get(spec.name) ?? []
  if (earlier.length > 0 && spec.value !== undefined && spec.isRepeatable !== true) {
    throw new ScholiumError('invalid_input', `--${spec.name} was given more than once.`, {
      hint: 'Give it once.',
    })
  }
  values.set(spec.name, [...earlier, value])
}
