import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'

/**
 * Writes a file, readable by this user only, atomically: readers see the old file or the new one, also if the process is
 * killed. A draft that a killed process left is replaced; a symbolic link in its place is not followed.
 * @param flush whether the content must be on disk on return, so that the file survives a power failure
 * @throws the file system's error; the draft is deleted
 */
export function writeWhole(
  path: string,
  content: string | Uint8Array,
  { flush = false }: { readonly flush?: boolean } = {},
): void {
  const draft = `${path}.${process.pid}.tmp`
  rmSync(draft, { force: true })
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: 0o600, flush })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** How {@link writeThroughDraft} replaces a file. */
export interface DraftOptions {
  /** A path next to the target. What is there is replaced; a symbolic link is not followed. */
  readonly draft: string
  /** Permissions of the new file, before the umask. Default: readable by this user only. */
  readonly mode?: number
  /** Called right before the rename; if it throws, the target stays as it is. */
  readonly beforeRename?: () => Promise<void>
}

/**
 * Like {@link writeWhole}, for a file that is written over time or under conditions. The content is on disk before it
 * replaces the target.
 * @returns what `write` returns
 * @throws what `write` or `beforeRename` throws, or the file system's error; the draft is deleted
 */
export async function writeThroughDraft<T>(
  path: string,
  { draft, mode = 0o600, beforeRename }: DraftOptions,
  write: (file: FileHandle) => Promise<T>,
): Promise<T> {
  await rm(draft, { force: true })
  try {
    const file = await open(draft, 'wx', mode)
    let written: T
    try {
      written = await write(file)
      await file.sync()
    } finally {
      await file.close()
    }
    await beforeRename?.()
    await rename(draft, path)
    return written
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
