import type { Terminal } from '../terminal.ts'
import type { GivenOptions } from './option.ts'

/** The form of what goes to stdout. */
export type OutputFormat = 'text' | 'json' | 'stream-json'

/** A command as it was called. */
export interface Invocation {
  /** What stands after the command's name. */
  readonly words: readonly string[]
  readonly options: GivenOptions
  readonly format: OutputFormat
  readonly terminal: Terminal
}

/** Does a command; gives the exit code. */
export type RunCommand = (invocation: Invocation) => Promise<number>
