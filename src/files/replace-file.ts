import type { Stats } from 'node:fs'
import { lstat, mkdir, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { hashJson } from '../kernel/json.ts'
import { exactly, withFolder } from './opened.ts'
import { writeThroughDraft } from './write-whole.ts'

/** A file replacement. */
export interface Replacement {
  /** Absolute, without links on the way to its folder. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Key of the step, which makes the name of its temporary file unique. */
  readonly key: string
  /** Called with the target's status right before the rename; if it throws, nothing is changed. */
  readonly beforeRename?: (now: Stats | undefined) => void
}

/**
 * Replaces a file atomically through a temporary file next to it, and creates missing folders. The new file keeps the
 * old permissions. Links are replaced, not followed. Everything happens in the folder that was opened and checked, so a
 * folder swapped for a link meanwhile is not written to.
 * @throws `FileRefused` if the folder leads elsewhere, or the file system's error
 */
export async function replaceFile({ path, bytes, key, beforeRename }: Replacement): Promise<void> {
  await makeFolder(dirname(path))
  const name = basename(path)
  const draftName = `.${name.slice(0, 100)}.${hashJson([key, path]).slice(0, 12)}.tmp`
  await withFolder(dirname(path), exactly(dirname(path)), async (folder) => {
    const [target, draft] = [folder.at(name), folder.at(draftName)]
    const before = await readStatus(target)
    if (before?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
    const mode = before?.isFile() ? before.mode & 0o777 : undefined
    const beforeReplacing = async () => {
      beforeRename?.(await readStatus(target))
      await folder.check()
    }
    const options = { draft, mode: mode ?? 0o666, beforeRename: beforeReplacing }
    await writeThroughDraft(target, options, async (file) => {
      await file.writeFile(bytes)
      // The umask applies to new files only.
      if (mode !== undefined) await file.chmod(mode)
    })
  })
}

/**
 * Removes a file from the folder that was opened and checked.
 * @param path absolute, without links on the way to its folder
 * @throws `FileRefused` if the folder leads elsewhere, or the file system's error
 */
export async function removeFile(path: string): Promise<void> {
  await withFolder(dirname(path), exactly(dirname(path)), ({ at }) => rm(at(basename(path))))
}

/** Creates a folder and its missing parents, each inside the parent that was opened. */
async function makeFolder(path: string): Promise<void> {
  const isThere = await readStatus(path)
  if (isThere !== undefined || dirname(path) === path) return
  await makeFolder(dirname(path))
  await withFolder(dirname(path), exactly(dirname(path)), async ({ at }) => {
    await mkdir(at(basename(path))).catch((error: NodeJS.ErrnoException) => {
      // Created by someone else meanwhile; opening it will tell what it is.
      if (error.code !== 'EEXIST') throw error
    })
  })
}

function readStatus(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined)
}
