import type { Terminal } from '../terminal.ts'
import type { GivenOptions } from './option.ts'

/** The output format of stdout. */
export type OutputFormat = 'text' | 'json' | 'stream-json'

/** A command as it was called. */
export interface Invocation {
  /** The words after the command's name. */
  readonly words: readonly string[]
  readonly options: GivenOptions
  readonly format: OutputFormat
  readonly terminal: Terminal
}

/** Runs a command; returns the exit code. */
export type RunCommand = (invocation: Invocation) => Promise<number>
