import { ScholiumError } from '../../kernel/errors.ts'

/** An option of the command line. */
export interface OptionSpec {
  /** Without the dashes. */
  readonly name: string
  /** One letter, used after a single dash. */
  readonly short?: string
  /** A placeholder for its value in the help; a flag has none. */
  readonly value?: string
  readonly isRepeatable?: true
  readonly help: string
}

/** The options that every command takes. */
export const globalOptions: readonly OptionSpec[] = [
  { name: 'json', help: 'Print one JSON object instead of text.' },
  {
    name: 'output-format',
    value: 'FORMAT',
    help: 'text, json, or stream-json (one JSON object per line, the result last).',
  },
  {
    name: 'home',
    value: 'DIR',
    help: 'Folder for runs and library. Default: $SCHOLIUM_HOME, else a .scholium folder that you created in this project, else your user data folder.',
  },
  {
    name: 'config',
    value: 'FILE',
    help: 'Configuration file. Default: scholium.yaml of this project, then your own.',
  },
  { name: 'quiet', short: 'q', help: 'Hide progress output.' },
  { name: 'no-color', help: 'Print without colours. Same as setting NO_COLOR.' },
  { name: 'help', short: 'h', help: 'Show this help.' },
  { name: 'version', short: 'V', help: 'Print the version.' },
]

/** The options of commands that execute a run. */
export const runOptions: readonly OptionSpec[] = [
  {
    name: 'model',
    value: 'NAME',
    isRepeatable: true,
    help: 'Language model, such as ollama:llama3.2 or openai:gpt-5.4-mini; "scholium models" lists providers. ROLE=NAME sets one role: planner, researcher, expert, critic, finalizer, verifier. Default: the built-in extractive engine, which is not a language model.',
  },
  { name: 'max-steps', value: 'N', help: 'Stop after N model and tool calls.' },
  { name: 'max-tokens', value: 'N', help: 'Stop after N tokens.' },
  { name: 'max-cost-usd', value: 'USD', help: 'Stop before the cost exceeds this.' },
  { name: 'max-seconds', value: 'S', help: 'Stop after S seconds of work.' },
  {
    name: 'max-log-mb',
    value: 'MB',
    help: 'Stop when the log reaches this size. Default: 256.',
  },
]

/** The given options, read by type. */
export class GivenOptions {
  private readonly values: ReadonlyMap<string, readonly string[]>

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.values = values
  }

  /** The names of the options that were given. */
  get names(): readonly string[] {
    return [...this.values.keys()]
  }

  has(name: string): boolean {
    return this.values.has(name)
  }

  /** Every value of an option, in order. */
  texts(name: string): readonly string[] {
    return this.values.get(name) ?? []
  }

  text(name: string): string | undefined {
    return this.values.get(name)?.at(-1)
  }

  /** A text that is not empty: an unset shell variable would make it so. @throws `invalid_input` for an empty one */
  filled(name: string): string | undefined {
    const text = this.text(name)
    if (text?.trim() === '') throw refusedValue(name, text, 'a value')
    return text
  }

  /** An integer of at least `minimum`. @throws `invalid_input` for anything else */
  whole(name: string, minimum: number): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const number = Number(text)
    if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= minimum) return number
    throw refusedValue(name, text, `a whole number of at least ${minimum}`)
  }

  /** One of the given words. @throws `invalid_input` for anything else */
  choice<T extends string>(name: string, words: readonly T[]): T | undefined {
    const text = this.text(name)
    const found = words.find((word) => word === text)
    if (text === undefined || found !== undefined) return found
    throw refusedValue(name, text, `one of: ${words.join(', ')}`)
  }

  /** A number from 0 to 1. @throws `invalid_input` for anything else */
  share(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const number = Number(text)
    if (/^\d*\.?\d+$/.test(text) && number <= 1) return number
    throw refusedValue(name, text, 'a number from 0 to 1')
  }

  /** A number above 0. @throws `invalid_input` for anything else */
  amount(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const number = Number(text)
    if (/^\d*\.?\d+$/.test(text) && number > 0) return number
    throw refusedValue(name, text, 'a number above 0')
  }
}

function refusedValue(name: string, text: string, wanted: string): ScholiumError {
  return new ScholiumError('invalid_input', `Invalid value for --${name}: "${text}".`, {
    hint: `Give ${wanted}.`,
  })
}
