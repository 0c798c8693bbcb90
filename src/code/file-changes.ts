import type { Json } from '../kernel/json.ts'
import type { CodeInput } from './settings.ts'
import type { ChangeOutcome, FileChange, UndoOutcome } from './tools/code-tool.ts'

/** What a session does to files beside its tools. Paths count from the workspace on. */
export interface WorkspaceFiles {
  /** Whether a change was made, by the file as it is now. @throws `tool_failed` for a file that may not be changed */
  outcomeOf(change: FileChange): Promise<ChangeOutcome>
  /**
   * Takes a change back where the file is as the change left it.
   * @param text what was kept of before; `undefined` for a file that there was not
   * @param key of the step that does it
   * @throws `tool_failed` where the file may not be changed, or the text is not that of before
   */
  undo(change: FileChange, text: string | undefined, key: string): Promise<UndoOutcome>
  /** The instructions of a session: see `readInstructions`. */
  readInstructions(input: Pick<CodeInput, 'skills' | 'isTrusted'>): Promise<Json>
}

/** Whether a call that a crash cut off was done, by the files that it changes. */
export async function findCallOutcome(
  files: Pick<WorkspaceFiles, 'outcomeOf'>,
  changes: readonly FileChange[],
): Promise<'undone' | { readonly output: Json } | undefined> {
  const outcomes = await Promise.all(changes.map((change) => files.outcomeOf(change)))
  if (outcomes.every((outcome) => outcome === 'not_done')) return 'undone'
  if (!outcomes.every((outcome) => outcome === 'done')) return undefined
  const [first] = changes
  return {
    output: { path: first?.path ?? '', note: foundDoneNote, changes: changes as unknown as Json },
  }
}

const foundDoneNote = 'It was done just before the process was interrupted.'

/** Whether a result was not given by its tool but found in the files after a crash. */
export function wasFoundDone(output: Json): boolean {
  return (output as { note?: Json } | null)?.note === foundDoneNote
}

/** The files that are not as they were before the first of their changes. */
export function listChangedFiles(changes: readonly FileChange[]): readonly string[] {
  const byPath = Map.groupBy(changes, ({ path }) => path)
  return [...byPath].flatMap(([path, all]) => (all[0]?.before === all.at(-1)?.after ? [] : [path]))
}

/** What a turn did to a file, as one change. */
export interface MergedChange {
  readonly change: FileChange
  /** Whether something else changed the file between two changes of the turn: `change` is what came after that. */
  readonly isPart: boolean
}

/** The changes of a turn as one for each file: from before the first to after the last, as far back as nothing else came between. */
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
