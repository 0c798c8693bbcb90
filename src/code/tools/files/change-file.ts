import type { Stats } from 'node:fs'
import { shownPath } from '../../../files/real-place.ts'
import { removeFile, replaceFile } from '../../../files/replace-file.ts'
import type { ToolRun } from '../../../kernel/agent/tool.ts'
import { type Hash, sha256 } from '../../../kernel/json.ts'
import { findHiddenInName, showHiddenOnOneLine } from '../../../kernel/text/visible-text.ts'
import type { ChangeOutcome, FileChange, FileMemory, UndoOutcome } from '../code-tool.ts'
import { readCodeText } from './code-text.ts'
import { type CodeWorkspace, failCall, type WorkspacePath } from './code-workspace.ts'
import { type FileBytes, failForFile, maxEditedBytes, readEditableBytes } from './file-bytes.ts'

/** A change that was prepared but not made; the earlier content is kept. */
export interface PlannedChange {
  readonly place: WorkspacePath
  readonly change: FileChange
  /** The earlier text without its byte order mark; `undefined` for a new file. */
  readonly before: string | undefined
  readonly after: string
  readonly bytes: Uint8Array
  readonly found: FileBytes | undefined
}

/**
 * Prepares a file's new text and keeps its present content.
 * @throws `tool_failed` if the text is too long or the present file could not be restored
 */
export async function planChange(
  memory: FileMemory,
  place: WorkspacePath,
  found: FileBytes | undefined,
  { byteOrderMark = '', after }: { readonly byteOrderMark?: string; readonly after: string },
): Promise<PlannedChange> {
  const character = findHiddenInName(place.relativePath)
  if (character !== undefined)
    failCall(
      `The name of ${shownPath(showHiddenOnOneLine(place.relativePath))} holds a character that nobody sees: ${character}.`,
      'Use a name without it.',
    )
  const bytes = new TextEncoder().encode(byteOrderMark + after)
  if (bytes.length > maxEditedBytes)
    failCall(`The text has ${bytes.length} bytes; at most ${maxEditedBytes} are written.`)
  const text = found === undefined ? undefined : readCodeText(found.bytes)
  if (typeof text === 'string')
    return failCall(`${shownPath(place.relativePath)} is not UTF-8 text.`)
  const kept = text === undefined ? null : await memory.keep(text.byteOrderMark + text.text)
  const before = found === undefined ? null : sha256(found.bytes)
  const change: FileChange = { path: place.relativePath, before, after: sha256(bytes), kept }
  return { place, change, before: text?.text, after, bytes, found }
}

/**
 * Makes a prepared change, if the file is still as it was when the change was prepared.
 * @throws `tool_failed`, also if this is not the change that was approved
 */
export async function makeChange(
  planned: PlannedChange,
  { key, permitted = [] }: Pick<ToolRun, 'key' | 'permitted'>,
): Promise<void> {
  const { place, bytes, found, change } = planned
  const [shown] = permitted as readonly FileChange[]
  const isShown = shown?.path === change.path && shown.after === change.after
  if (shown !== undefined && !(isShown && shown.before === change.before))
    failCall(
      `${shownPath(place.relativePath)} was changed since this was asked about.`,
      'Read it again.',
    )
  if (change.before === change.after) return
  await replaceFile({
    path: place.path,
    bytes,
    key,
    beforeRename: (now) => requireUnchanged(place, found, now),
  }).catch((error) => failForFile(error, place.relativePath))
}

/** @throws `tool_failed` if the file is not the one that was read */
function requireUnchanged(
  place: WorkspacePath,
  found: FileBytes | undefined,
  now: Stats | undefined,
): void {
  const then = found?.status
  const isSame =
    now?.ino === then?.ino && now?.size === then?.size && now?.mtimeMs === then?.mtimeMs
  if (!isSame)
    failCall(
      `${shownPath(place.relativePath)} was changed by somebody else meanwhile.`,
      'Read it again.',
    )
}

/** Whether a change was made, judged by the file as it is: for a change whose end is not in the log. */
export async function findChangeOutcome(
  workspace: CodeWorkspace,
  change: FileChange,
): Promise<ChangeOutcome> {
  const now = hashBytes(await readEditableBytes(await workspace.place(change.path)))
  if (now === change.after) return 'done'
  return now === change.before ? 'not_done' : 'unknown'
}

function hashBytes(found: FileBytes | undefined): Hash | null {
  return found === undefined ? null : sha256(found.bytes)
}

/**
 * Undoes a change if the file is still as the change left it. A file that the change created is removed.
 * @param text what {@link FileMemory.keep} was given, for a file that existed before
 * @param key of the step that does it
 * @throws `tool_failed` if the text is not the earlier content
 */
export async function undoChange(
  workspace: CodeWorkspace,
  change: FileChange,
  text: string | undefined,
  key: string,
): Promise<UndoOutcome> {
  const place = await workspace.place(change.path)
  const found = await readEditableBytes(place)
  const now = hashBytes(found)
  if (now === change.before) return 'already_undone'
  if (now !== change.after) return 'changed_since'
  const { path, relativePath } = place
  if (change.before === null) {
    await removeFile(path).catch((error) => failForFile(error, relativePath))
    return 'undone'
  }
  const bytes = new TextEncoder().encode(text ?? '')
  if (sha256(bytes) !== change.before)
    failCall(`What ${shownPath(relativePath)} was before is not what was kept.`)
  const beforeRename = (now: Stats | undefined) => requireUnchanged(place, found, now)
  await replaceFile({ path, bytes, key, beforeRename }).catch((error) =>
    failForFile(error, relativePath),
  )
  return 'undone'
}

/** Runs work on the same path one after another. */
export type PathQueue = <T>(path: string, work: () => Promise<T>) => Promise<T>

/** Creates the queue. The calls of a turn run concurrently; those on the same file must see each other's changes. */
export function createPathQueue(): PathQueue {
  const last = new Map<string, Promise<unknown>>()
  return (path, work) => {
    const before = last.get(path) ?? Promise.resolve()
    const done = before.then(work, work)
    const settled = done.catch(() => {})
    last.set(path, settled)
    settled.then(() => {
      if (last.get(path) === settled) last.delete(path)
    })
    return done
  }
}
