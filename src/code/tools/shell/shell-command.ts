/** A word of a command line. */
export interface ShellWord {
  /** What the command gets, where the word is literal; else what is written, without quotes. */
  readonly text: string
  /** `text` with a backslash before what stood in quotes and would mean something in a rule: `\*`, `\\`. */
  readonly pattern: string
  /** Whether the shell puts nothing in its place: no variable, substitution, glob, tilde or braces. */
  readonly isLiteral: boolean
}

/** Where a command reads from or writes to. */
export interface ShellRedirect {
  /** Without the number of the stream: `>`, `>>`, `>|`, `&>`, `&>>`, `>&`, `<&`, `<`, `<>`, `<<<`. */
  readonly operator: string
  readonly target: ShellWord
}

/** One command of a line: what is called, with which words. */
export interface ShellCommand {
  readonly words: readonly ShellWord[]
  /** `NAME=value` before the command, as written. */
  readonly assignments: readonly string[]
  readonly redirects: readonly ShellRedirect[]
  /** Whether another command of the line may run at the same time: one of its pipe, or one beside what is in the background. */
  readonly isConcurrent: boolean
}

/** How a command that only reads is understood. */
export interface ReadingForm {
  /** Words in which the name of a file may stand: all but those that surely are texts. */
  readonly names: readonly string[]
  /** Files and folders that it is given. */
  readonly operands: readonly string[]
}

/** What a command may call, beside what its own words say. A word that is not literal stands for what cannot be told. */
export interface CalledCommands {
  /** What it is told to call, whole or as a text. */
  readonly told: readonly (readonly ShellWord[])[]
  /** What it may call, for all that is known of it. */
  readonly possible: readonly (readonly ShellWord[])[]
}

/** Thrown within the parser for what it does not know. */
export class Unparsable extends Error {}
