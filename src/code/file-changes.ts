import type { Json } from '../kernel/json.ts'
import type { CodeInput } from './settings.ts'
import type { ChangeOutcome, FileChange, UndoOutcome } from './tools/code-tool.ts'

/** Operations on files outside of tool calls. Paths are relative to the workspace. */
export interface WorkspaceFiles {
  /**
   * Whether a change was made, judged by the file's present content. @throws `tool_failed` if the file may not be
   * changed
   */
  findOutcome(change: FileChange): Promise<ChangeOutcome>
  /**
   * Undoes a change if the file is still as the change left it.
   * @param text the content kept from before; `undefined` if the file did not exist
   * @param key of the step that does it
   * @throws `tool_failed` if the file may not be changed or the kept text is not the earlier content
   */
  undo(change: FileChange, text: string | undefined, key: string): Promise<UndoOutcome>
  /** Reads the instructions of a session; see {@link readInstructions}. */
  readInstructions(input: Pick<CodeInput, 'skills' | 'isTrusted'>): Promise<Json>
}

/** Whether a call interrupted by a crash took effect, judged by the files it changes. */
export async function findCallOutcome(
  files: Pick<WorkspaceFiles, 'findOutcome'>,
  changes: readonly FileChange[],
): Promise<'undone' | { readonly output: Json } | undefined> {
  const outcomes = await Promise.all(changes.map((change) => files.findOutcome(change)))
  if (outcomes.every((outcome) => outcome === 'not_done')) return 'undone'
  if (!outcomes.every((outcome) => outcome === 'done')) return undefined
  const [first] = changes
  return {
    output: { path: first?.path ?? '', note: foundDoneNote, changes },
  }
}

const foundDoneNote = 'It was done just before the process was interrupted.'

/** Whether a result came from the files after a crash instead of from the tool. */
export function wasFoundDone(output: Json): boolean {
  return (output as { note?: Json } | null)?.note === foundDoneNote
}

/** Files that differ from their state before the first change. */
export function listChangedFiles(changes: readonly FileChange[]): readonly string[] {
  const byPath = Map.groupBy(changes, ({ path }) => path)
  return [...byPath].flatMap(([path, all]) => (all[0]?.before === all.at(-1)?.after ? [] : [path]))
}

/** All changes of a turn to one file, merged. */
export interface MergedChange {
  readonly change: FileChange
  /**
   * Whether something else changed the file between two changes of the turn; `change` then covers only what came
   * after.
   */
  readonly isPart: boolean
}

/**
 * Merges a turn's changes per file, from before the first to after the last, as far back as nothing else intervened.
 */
export function mergeChanges(changes: readonly FileChange[]): readonly MergedChange[] {
  const byPath = Map.groupBy(changes, ({ path }) => path)
  return [...byPath].flatMap(([path, all]) => {
    const cut = all.findLastIndex((change, at) => at > 0 && change.before !== all[at - 1]?.after)
    const [first, last] = [all[Math.max(0, cut)] as FileChange, all.at(-1) as FileChange]
    const { before, kept } = first
    const change = { path, before, after: last.after, kept }
    return before === last.after ? [] : [{ change, isPart: cut > 0 }]
  })
}
