import type { Hash, Json } from '../../kernel/json.ts'
import type { FileChange } from '../../tools/code/code-tool.ts'

/** What a session does to files beside its tools. Paths count from the workspace on. */
export interface WorkspaceFiles {
  /** The hash of a file's bytes; null where there is none. @throws `tool_failed` for one that leads out of the workspace */
  hashOf(path: string): Promise<Hash | null>
  /** Puts a text in a file's place, or takes the file away. */
  restore(path: string, text: string | null, key: string): Promise<void>
  /** The instructions of a session: see `readInstructions`. @param skills folders of skills beside the usual ones */
  readInstructions(skills: readonly string[]): Promise<Json>
}

/** Whether a write that a crash cut off was done, by the hashes of what it changes. */
export async function outcomeOfChanges(
  files: WorkspaceFiles,
  changes: readonly FileChange[],
): Promise<'undone' | { readonly output: Json } | undefined> {
  const now = await Promise.all(changes.map(({ path }) => files.hashOf(path)))
  if (changes.every(({ before }, index) => now[index] === before)) return 'undone'
  if (!changes.every(({ after }, index) => now[index] === after)) return undefined
  const [first] = changes
  return {
    output: { path: first?.path ?? '', note: foundDone, changes: changes as unknown as Json },
  }
}

const foundDone = 'It was done just before the process was interrupted.'

/** Whether a result was not given by its tool but found in the files after a crash. */
export function isFoundDone(output: Json): boolean {
  return (output as { note?: Json } | null)?.note === foundDone
}

/** The changes of a turn as one for each file: from before the first to after the last. */
export function wholeChanges(changes: readonly FileChange[]): readonly FileChange[] {
  const byPath = Map.groupBy(changes, ({ path }) => path)
  return [...byPath].flatMap(([path, all]) => {
    const [first, last] = [all[0] as FileChange, all.at(-1) as FileChange]
    const { before, kept } = first
    return before === last.after ? [] : [{ path, before, after: last.after, kept }]
  })
}
