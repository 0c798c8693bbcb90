import type { Stats } from 'node:fs'
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { hashJson } from '../kernel/json.ts'
import { exactly, withFolder } from './opened.ts'

/** How a file is replaced. */
export interface Replacement {
  /** Absolute, without links on the way to its folder. */
  readonly path: string
  readonly bytes: Uint8Array
  /** The key of the step that does it: two steps never write beside the file under one name. */
  readonly key: string
  /** Gets the last look at what is there before the new file takes its place; what it throws leaves all as it was. */
  readonly beforeRename?: (now: Stats | undefined) => void
}

/**
 * Writes beside the file first, so that nobody ever sees half of it, and makes the folders that are missing. The new file has the
 * permissions of the old one. Links are replaced, not followed. All is done in the folder that was opened and looked at: one that
 * is swapped for a link meanwhile gets nothing.
 * @throws `FileRefused` where the folder leads elsewhere, or the error of the file system
 */
export async function replaceFile({ path, bytes, key, beforeRename }: Replacement): Promise<void> {
  await makeFolder(dirname(path))
  const name = basename(path)
  const draft = `.${name.slice(0, 100)}.${hashJson([key, path]).slice(0, 12)}.tmp`
  await withFolder(dirname(path), exactly(dirname(path)), async (folder) => {
    const [target, beside] = [folder.at(name), folder.at(draft)]
    const before = await readStatus(target)
    if (before?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
    try {
      await rm(beside, { force: true })
      await writeNew(beside, bytes, before?.isFile() ? before.mode & 0o777 : undefined)
      beforeRename?.(await readStatus(target))
      await folder.check()
      await rename(beside, target)
    } finally {
      await rm(beside, { force: true })
    }
  })
}

/**
 * Removes a file in the folder that was opened and looked at.
 * @param path absolute, without links on the way to its folder
 * @throws `FileRefused` where the folder leads elsewhere, or the error of the file system
 */
export async function removeFile(path: string): Promise<void> {
  await withFolder(dirname(path), exactly(dirname(path)), ({ at }) => rm(at(basename(path))))
}

/** Makes a folder with those around it that are missing, each in the one that was opened before. */
async function makeFolder(path: string): Promise<void> {
  const isThere = await readStatus(path)
  if (isThere !== undefined || dirname(path) === path) return
  await makeFolder(dirname(path))
  await withFolder(dirname(path), exactly(dirname(path)), async ({ at }) => {
    await mkdir(at(basename(path))).catch((error: NodeJS.ErrnoException) => {
      // Somebody else made it meanwhile: what it is, opening it tells.
      if (error.code !== 'EEXIST') throw error
    })
  })
}

function readStatus(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined)
}

async function writeNew(path: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const file = await open(path, 'wx', mode ?? 0o666)
  try {
    await file.writeFile(bytes)
    // The mask of the process holds for new files only.
    if (mode !== undefined) await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}
