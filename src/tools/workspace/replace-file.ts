import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { hashJson } from '../../kernel/json.ts'

/** How a file is replaced. */
export interface Replacement {
  readonly path: string
  readonly bytes: Uint8Array
  /** The key of the step that does it: two steps never write beside the file under one name. */
  readonly key: string
  /** The last look before the new file takes its place; what it throws leaves all as it was. */
  readonly beforeRename?: () => Promise<void>
}

/**
 * Writes beside the file first, so that nobody ever sees half of it, and makes the folders that are missing. The new file has the
 * permissions of the old one. Links are replaced, not followed.
 */
export async function replaceFile({ path, bytes, key, beforeRename }: Replacement): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const before = await lstat(path).catch(() => undefined)
  if (before?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
  const name = basename(path).slice(0, 100)
  const beside = join(folder, `.${name}.${hashJson([key, path]).slice(0, 12)}.tmp`)
  try {
    await rm(beside, { force: true })
    await writeNew(beside, bytes, before?.isFile() ? before.mode & 0o777 : undefined)
    await beforeRename?.()
    await rename(beside, path)
  } finally {
    await rm(beside, { force: true })
  }
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
