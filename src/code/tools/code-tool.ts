import type { Tool } from '../../kernel/agent/tool.ts'
import type { Hash, Json } from '../../kernel/json.ts'
import type { Effect } from '../../kernel/run/event.ts'

/** A tool of a coding agent: beside what every tool has, what is needed to ask a person, to account for it, and to show it. */
export type CodeTool = Tool & {
  /** What this one call does, where that depends on its arguments; never more than `effect` says. */
  effectOf?(input: Json): Effect
  /** Whether the rules let this one call through; a tool without it is `allow` where it only reads, else `ask`. */
  judge?(input: Json): Judgement
  /**
   * What the call would do, for a person to say yes or no to, and for the log to decide its outcome by after a crash. Changes
   * nothing but that what would be lost is kept.
   * @throws `tool_failed` where the call would fail
   */
  preview?(input: Json): Promise<Preview>
  /** The files of whose contents a call gives something, from the workspace on. */
  readsFiles?(input: Json): readonly string[]
  /** The result as a model reads it best: plain text, without the quoting of JSON. */
  present?(output: Json): string
}

/** What a call would do. */
export type Preview = {
  /** One line: `edit src/a.ts (+3 −1)`. */
  readonly title: string
  /** A unified diff. */
  readonly diff?: string
  /** The command line, whole. */
  readonly command?: string
  /** What it would change, from the workspace on; empty where that is not known, as of commands. */
  readonly paths: readonly string[]
  /** Who runs or obeys what it would change because it lies there: such a change is asked about one by one. @see obeyedBy */
  readonly obeyedBy?: string
  /** To be decided by {@link FileChange} after a crash. */
  readonly changes: readonly FileChange[]
}

/** A change of a file: the hashes of its bytes before and after; `null` where there is no file. */
export type FileChange = {
  /** From the workspace on, with `/`. */
  readonly path: string
  readonly before: Hash | null
  readonly after: Hash | null
  /** What {@link FileMemory.keep} gave for the text before; `null` where there was none. */
  readonly kept: Hash | null
}

/** Whether a change was made, by the file as it is; `unknown` where it is neither as before nor as after. */
export type ChangeOutcome = 'done' | 'not_done' | 'unknown'

/** How taking a change back went; `changed_since` leaves the file as it is. */
export type UndoOutcome = 'undone' | 'already_undone' | 'changed_since'

/** What may be done without asking, what only after a yes, and what never. */
export type Verdict = 'allow' | 'ask' | 'deny'

/** What the rules say of a call. */
export type Judgement = {
  readonly verdict: Verdict
  /** One sentence for the person and, where it is denied, for the model. */
  readonly reason: string
  /** Rules that would let the call through, for "always for this"; empty where none can. */
  readonly always: readonly CommandRule[]
  /** Whether a rule may forbid it, where that cannot be told: then nothing but a person's yes lets it through. */
  readonly mayBeDenied?: boolean
}

/**
 * What is said of commands that fit. The rule is written as a command line, in which `*` alone stands for any number of words and
 * `*` within a word for any characters: `git status *`, `find * -delete *`, `npm run test:*`. The rule `*` is about all that can be
 * written in a command line.
 */
export type CommandRule = {
  readonly rule: string
  readonly verdict: Verdict
}

/** What a session knows of files and keeps of them. */
export interface FileMemory {
  /** The hash of the bytes of a file as the session last read or wrote it; `undefined` when it did neither. */
  lastHash(path: string): Hash | undefined
  /** Keeps a text for as long as the run is kept. Gives the name to find it by. */
  keep(text: string): Promise<Hash>
}

/** An item of the list of what is to be done. */
export type Todo = {
  readonly text: string
  readonly status: 'pending' | 'in_progress' | 'done' | 'dropped'
}

/**
 * What results that concern files hold, so that a session can say which files it read and changed and undo the latter. `hash` is
 * that of all bytes of the file, for {@link FileMemory.lastHash}; it is absent for files that are too large to be edited.
 */
export type FileResult = {
  readonly path: string
  readonly hash?: Hash
  readonly changes?: readonly FileChange[]
}
