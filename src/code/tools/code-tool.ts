import type * as z from 'zod'
import { defineTool, type Tool, type ToolDeclaration } from '../../kernel/agent/tool.ts'
import type { Hash, Json } from '../../kernel/json.ts'
import type { Effect } from '../../kernel/run/event.ts'
import { objectInText, onlyParameter } from '../../kernel/text/tool-call-parameters.ts'

/** A tool of a coding agent: a tool with what is needed to ask a person about a call, account for it and display it. */
export type CodeTool = Tool & {
  /** The effect of this call, if that depends on its arguments; never more than `effect`. */
  effectOf?(input: Json): Effect
  /** Whether the rules allow this call. Without `judge`, a read is `allow` and anything else `ask`. */
  judge?(input: Json): Judgement
  /**
   * What the call would do, for a person to decide and for the log to determine the outcome after a crash. Changes
   * nothing, but keeps what would be lost.
   * @throws `tool_failed` if the call would fail
   */
  preview?(input: Json): Promise<Preview>
  /** Files whose contents a call discloses, relative to the workspace. */
  readsFiles?(input: Json): readonly string[]
  /** The result in the form a model reads best: plain text instead of quoted JSON. */
  present?(output: Json): string
}

/** What a call would do. */
export type Preview = {
  /** One line: `edit src/a.ts (+3 −1)`. */
  readonly title: string
  /** A unified diff. */
  readonly diff?: string
  /** The complete command line. */
  readonly command?: string
  /** Paths it would change, relative to the workspace; empty if unknown, as with commands. */
  readonly paths: readonly string[]
  /**
   * Who executes or obeys the changed file merely because it is there; such a change always needs its own approval.
   * @see findObeyer
   */
  readonly obeyedBy?: string
  /** For deciding after a crash whether they were made. */
  readonly changes: readonly FileChange[]
}

/** A change of a file: hashes of its bytes before and after; `null` if there is no file. */
export type FileChange = {
  /** Relative to the workspace, with `/`. */
  readonly path: string
  readonly before: Hash | null
  readonly after: Hash | null
  /** Result of {@link FileMemory.keep} for the earlier text; `null` if there was none. */
  readonly kept: Hash | null
}

/** Whether a change was made, judged by the file as it is; `unknown` if it matches neither state. */
export type ChangeOutcome = 'done' | 'not_done' | 'unknown'

/** Result of undoing a change; `changed_since` leaves the file as it is. */
export type UndoOutcome = 'undone' | 'already_undone' | 'changed_since'

/** What is allowed without asking, what needs a yes, and what is never done. */
export type Verdict = 'allow' | 'ask' | 'deny'

/** The rules' verdict on a call. */
export type Judgement = {
  readonly verdict: Verdict
  /** One sentence for the person and, if denied, for the model. */
  readonly reason: string
  /** Rules that "always" would add to allow the call; empty if none can. */
  readonly always: readonly CommandRule[]
  /** Whether a rule may forbid the call but that cannot be determined; then only the person can allow it. */
  readonly mayBeDenied?: boolean
}

/**
 * A rule about commands, written as a command line. A `*` on its own matches any number of words, and a `*` within a
 * word any characters: `git status *`, `find * -delete *`, `npm run test:*`. The rule `*` covers every command line.
 */
export type CommandRule = {
  readonly rule: string
  readonly verdict: Verdict
}

/** A session's knowledge of files, and its storage for earlier versions. */
export interface FileMemory {
  /** Hash of a file as the session last read or wrote it; `undefined` if it did neither. */
  lastHash(path: string): Hash | undefined
  /** Keeps a text as long as the run is kept. Returns the hash to find it by. */
  keep(text: string): Promise<Hash>
}

/** An item of the to-do list. */
export type Todo = {
  readonly text: string
  readonly status: 'pending' | 'in_progress' | 'done' | 'dropped'
}

/**
 * Fields of results that concern files: from them a session knows which files it read and changed, and can undo
 * changes. `hash` covers all bytes of the file, for {@link FileMemory.lastHash}; it is absent for files too large to
 * edit.
 */
export type FileResult = {
  readonly path: string
  readonly hash?: Hash
  readonly changes?: readonly FileChange[]
}

/** Declaration of a coding agent's tool. */
interface CodeToolDeclaration<Schema extends z.ZodType, Output extends Json>
  extends ToolDeclaration<Schema> {
  /** Alternative argument names that models use: `{path: ['file_path']}`. */
  readonly otherNames?: Readonly<Record<string, readonly string[]>>
  readonly effectOf?: (input: z.output<Schema>) => ReturnType<NonNullable<CodeTool['effectOf']>>
  readonly judge?: (input: z.output<Schema>) => Judgement
  readonly preview?: (input: z.output<Schema>) => Promise<Preview>
  readonly readsFiles?: (input: z.output<Schema>) => readonly string[]
  readonly present?: (output: Output) => string
}

/** Argument names that models use for a path. */
export const pathNames = ['file_path', 'filepath', 'filename', 'file', 'target_file']
/** Argument names that models use for a folder. */
export const folderNames = ['path', 'directory', 'dir', 'folder', 'file_path']

/** Creates a tool from its declaration. */
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

/** Renames arguments to the tool's own names. An argument already present under its own name stays. */
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
 * Accepts arguments also as JSON text, as nothing, and, for tools that change nothing and need only one argument, as
 * that argument's bare text. Text that may be part of an object is not accepted as bare text.
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
