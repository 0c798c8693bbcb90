import type { Stats } from 'node:fs'
import { basename, dirname } from 'node:path'
import {
  exactly,
  FileRefused,
  type OpenedFile,
  withFile,
  withFolder,
} from '../../../files/opened.ts'
import { shownPath } from '../../../files/real-place.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import { failCall, type WorkspacePath } from './code-workspace.ts'

/** Maximum size of files that are hashed, edited and overwritten. */
export const maxEditedBytes = 10_000_000

/** A file's bytes, and its status when they were read. */
export interface FileBytes {
  readonly bytes: Uint8Array
  readonly status: Stats
}

/**
 * Opens a regular file, uses it and closes it. A file that took its place since the path was resolved is not used.
 * @throws `tool_failed` if there is none
 */
export async function withRegularFile<T>(
  place: WorkspacePath,
  use: (file: OpenedFile) => Promise<T>,
): Promise<T> {
  try {
    return await withFile(place.path, exactly(place.path), use)
  } catch (error) {
    return failToOpen(error, place)
  }
}

/** All bytes of a file small enough to be edited; `undefined` if there is no file. */
export async function readEditableBytes(place: WorkspacePath): Promise<FileBytes | undefined> {
  const found = withRegularFile(place, async ({ read, status }) => {
    if (status.size > maxEditedBytes) {
      failCall(
        `${shownPath(place.relativePath)} has ${status.size} bytes; files up to ${maxEditedBytes} are changed.`,
        'Use a program for it.',
      )
    }
    return { bytes: await read(status.size), status }
  })
  return found.catch((error) => {
    if ((error as { details?: { isMissing?: unknown } }).details?.isMissing === true)
      return undefined
    throw error
  })
}

const failures: Readonly<Record<string, string>> = {
  ENOTDIR: 'does not exist: a part of its path is a file',
  EISDIR: 'is a folder',
  EACCES: 'cannot be used: permission denied',
  EPERM: 'cannot be used: permission denied',
  EROFS: 'cannot be changed: its disk is read-only',
  ENOSPC: 'was not written: the disk is full',
  ENAMETOOLONG: 'has too long a name',
}

const refusalHints: Partial<Readonly<Record<FileRefused['kind'], string>>> = {
  folder: 'Use list.',
  no_folder: 'Use read.',
  elsewhere: 'Look at what is there now.',
}

/**
 * Reports a failed file operation in words.
 * @throws `tool_failed`, or the original error if it does not concern the file
 */
export function failForFile(error: unknown, relativePath: string): never {
  if (error instanceof FileRefused)
    return failCall(`${shownPath(relativePath)} ${error.says}.`, refusalHints[error.kind])
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (failures[code] === undefined && syscall === undefined) throw error
  return failCall(`${shownPath(relativePath)} ${failures[code] ?? `failed with ${code}`}.`)
}

async function failToOpen(error: unknown, place: WorkspacePath): Promise<never> {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT') return failForFile(error, place.relativePath)
  const near = await findSimilarNames(place.path)
  throw new ScholiumError('tool_failed', `${shownPath(place.relativePath)} does not exist.`, {
    hint:
      near.length > 0
        ? `Similar names in that folder: ${near.join(', ')}.`
        : 'Use glob to find it.',
    details: { isMissing: true },
  })
}

const maxNames = 5

/** Names in the same folder that resemble a missing one. */
async function findSimilarNames(path: string): Promise<readonly string[]> {
  const wanted = basename(path).toLowerCase()
  const stem = wanted.split('.')[0] ?? ''
  const folder = dirname(path)
  const entries = withFolder(folder, exactly(folder), (opened) => opened.entries())
  const names = (await entries.catch(() => [])).map(({ name }) => name)
  const isNear = (name: string) => {
    const own = name.toLowerCase()
    return own === wanted || (stem !== '' && (own.split('.')[0] === stem || own.includes(stem)))
  }
  return names.filter(isNear).sort().slice(0, maxNames)
}
