import type { RunCommand } from './invocation.ts'
import type { OptionSpec } from './option.ts'

/** A command of the command line. */
export interface CommandSpec {
  /** One word, or two: `library add`. */
  readonly name: string
  readonly parameters: string
  /** The minimum and maximum number of words it takes. */
  readonly words: readonly [number, number]
  /** One sentence for the list of commands. */
  readonly summary: string
  /** Paragraphs of its help below the summary. */
  readonly details: readonly string[]
  /** In addition to the global ones. */
  readonly options: readonly OptionSpec[]
  /** Each with its meaning. */
  readonly examples: readonly (readonly [command: string, meaning: string])[]
  readonly isHidden?: true
  /** Loads the code on first use, so that help is fast. */
  load(): Promise<RunCommand>
}
