import type * as z from 'zod'
import { defineTool, type Tool, type ToolDeclaration } from '../../kernel/agent/tool.ts'
import type { Hash, Json } from '../../kernel/json.ts'
import type { Effect } from '../../kernel/run/event.ts'
import { objectInText, onlyParameter } from '../../kernel/text/tool-call-parameters.ts'

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

/** What a tool of a coding agent is declared with. */
interface CodeToolDeclaration<Schema extends z.ZodType, Output extends Json>
  extends ToolDeclaration<Schema> {
  /** Other names that models know arguments by: `{path: ['file_path']}`. */
  readonly otherNames?: Readonly<Record<string, readonly string[]>>
  readonly effectOf?: (input: z.output<Schema>) => ReturnType<NonNullable<CodeTool['effectOf']>>
  readonly judge?: (input: z.output<Schema>) => Judgement
  readonly preview?: (input: z.output<Schema>) => Promise<Preview>
  readonly readsFiles?: (input: z.output<Schema>) => readonly string[]
  readonly present?: (output: Output) => string
}

/** Names by which models know a path. */
export const pathNames = ['file_path', 'filepath', 'filename', 'file', 'target_file']
/** Names by which models know a folder. */
export const folderNames = ['path', 'directory', 'dir', 'folder', 'file_path']

/** A tool from its declaration. */
export function declareCodeTool<Schema extends z.ZodType, Output extends Json>(
  declaration: CodeToolDeclaration<Schema, Output>,
): CodeTool {
  type Input = z.output<Schema>
  const { effectOf, judge, preview, readsFiles, present, otherNames = {} } = declaration
  const tool = defineTool(declaration)
  return {
    ...tool,
    parse: (input) => tool.parse(renameArguments(input, otherNames)),
    ...(effectOf && { effectOf: (input: Json) => effectOf(input as Input) }),
    ...(judge && { judge: (input: Json) => judge(input as Input) }),
    ...(preview && { preview: (input: Json) => preview(input as Input) }),
    ...(readsFiles && { readsFiles: (input: Json) => readsFiles(input as Input) }),
    ...(present && { present: (output: Json) => present(output as Output) }),
  }
}

/** Arguments under the names that the tool has for them. One that is there under its own name stays. */
function renameArguments(
  input: unknown,
  otherNames: Readonly<Record<string, readonly string[]>>,
): unknown {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return input
  const known: Record<string, unknown> = { ...input }
  for (const [name, others] of Object.entries(otherNames)) {
    const other = others.find((key) => Object.hasOwn(known, key))
    if (other === undefined || Object.hasOwn(known, name)) continue
    known[name] = known[other]
    delete known[other]
  }
  return known
}

/**
 * The tool, which takes its arguments as an object, as the text of one, as nothing, and, where one alone is needed and nothing is
 * changed, as that argument's bare text. A text with anything in it that may be a part of an object is none.
 */
export function acceptLooseArguments(tool: CodeTool): CodeTool {
  return { ...tool, parse: (input) => tool.parse(readArguments(tool, input)) }
}

function readArguments(tool: CodeTool, input: unknown): unknown {
  if (input === undefined || input === null || input === '') return {}
  if (typeof input !== 'string') return input
  const object = objectInText(input)
  if (object !== undefined) return object
  const alone = onlyParameter(tool)
  const isBare = tool.effect !== 'write' && !/["'{[]/.test(input)
  return alone === undefined || !isBare ? input : { [alone]: input }
}
