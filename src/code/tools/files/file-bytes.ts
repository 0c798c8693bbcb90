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
import { type CodePlace, refuse } from './code-workspace.ts'

/** Files up to this size are hashed, edited and overwritten. */
export const maxEditedBytes = 10_000_000

/** The bytes of a file, and what was there when they were read. */
export interface FileBytes {
  readonly bytes: Uint8Array
  readonly status: Stats
}

/**
 * Does something with a regular file and closes it. What took its place since the path was looked at is not used.
 * @throws `tool_failed` when there is none
 */
export async function withRegularFile<T>(
  place: CodePlace,
  use: (file: OpenedFile) => Promise<T>,
): Promise<T> {
  try {
    return await withFile(place.path, exactly(place.path), use)
  } catch (error) {
    return openFailed(error, place)
  }
}

/** All bytes of a file that is small enough to be changed; `undefined` where there is no file. */
export async function editableBytes(place: CodePlace): Promise<FileBytes | undefined> {
  const found = withRegularFile(place, async ({ read, status }) => {
    if (status.size > maxEditedBytes) {
      refuse(
        `${shownPath(place.way)} has ${status.size} bytes; files up to ${maxEditedBytes} are changed.`,
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
 * What the system says of a file, in words.
 * @throws `tool_failed`, or what was thrown where it is no failure of the file
 */
export function fileFailed(error: unknown, way: string): never {
  if (error instanceof FileRefused)
    return refuse(`${shownPath(way)} ${error.says}.`, refusalHints[error.kind])
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (failures[code] === undefined && syscall === undefined) throw error
  return refuse(`${shownPath(way)} ${failures[code] ?? `failed with ${code}`}.`)
}

async function openFailed(error: unknown, place: CodePlace): Promise<never> {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT') return fileFailed(error, place.way)
  const near = await similarNames(place.path)
  throw new ScholiumError('tool_failed', `${shownPath(place.way)} is not there.`, {
    hint: near.length > 0 ? `Beside it there are: ${near.join(', ')}.` : 'Use glob to find it.',
    details: { isMissing: true },
  })
}

const mostNames = 5

/** Names in the same folder that share a beginning or an end with one that is missing. */
async function similarNames(path: string): Promise<readonly string[]> {
  const wanted = basename(path).toLowerCase()
  const stem = wanted.split('.')[0] ?? ''
  const folder = dirname(path)
  const entries = withFolder(folder, exactly(folder), (opened) => opened.entries())
  const names = (await entries.catch(() => [])).map(({ name }) => name)
  const isNear = (name: string) => {
    const own = name.toLowerCase()
    return own === wanted || (stem !== '' && (own.split('.')[0] === stem || own.includes(stem)))
  }
  return names.filter(isNear).sort().slice(0, mostNames)
}
