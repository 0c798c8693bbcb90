/** A word of a command line. */
export interface ShellWord {
  /** The argument passed to the command if the word is literal, otherwise the word as written, without quotes. */
  readonly text: string
  /** `text` with a backslash before quoted characters that would be special in a rule: `\*`, `\\`. */
  readonly pattern: string
  /** Whether the shell substitutes nothing: no variable, command substitution, glob, tilde or braces. */
  readonly isLiteral: boolean
}

/** Where a command reads from or writes to. */
export interface ShellRedirect {
  /** Without the number of the stream: `>`, `>>`, `>|`, `&>`, `&>>`, `>&`, `<&`, `<`, `<>`, `<<<`. */
  readonly operator: string
  readonly target: ShellWord
}

/** One command of a line. */
export interface ShellCommand {
  readonly words: readonly ShellWord[]
  /** `NAME=value` before the command, as written. */
  readonly assignments: readonly string[]
  readonly redirects: readonly ShellRedirect[]
  /** Whether another command of the line may run at the same time, in the same pipe or in the background. */
  readonly isConcurrent: boolean
}

/** How a read-only command is understood. */
export interface ReadingForm {
  /** Words that may contain a file name: all except those known to be text. */
  readonly names: readonly string[]
  /** Files and folders given to it. */
  readonly operands: readonly string[]
}

/** What a command may run, other than itself. A word that is not literal stands for something unknown. */
export interface CalledCommands {
  /** What its arguments tell it to run, as words or as text. */
  readonly explicit: readonly (readonly ShellWord[])[]
  /** What it may run, for all that is known. */
  readonly possible: readonly (readonly ShellWord[])[]
}

/** Thrown inside the parser for unsupported syntax. */
export class Unparsable extends Error {}
