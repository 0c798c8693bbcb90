import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import * as z from 'zod'
import { hashJson, type Json, type JsonObject } from '../../../kernel/json.ts'
import type { ToolAction } from '../action.ts'
import { needed, type ToolActionServices } from './services.ts'
import { notDone, toolAction } from './tool-action.ts'
import { shown, type WorkspacePlace, workspacePlace } from './workspace-path.ts'

const maxReadBytes = 5_000_000
const maxWriteBytes = 10_000_000

const path = z
  .string()
  .min(1)
  .describe(
    'The file, from the workspace on: data/input.txt. What leads out of the workspace is refused.',
  )

const encoding = z
  .enum(['utf-8', 'base64'])
  .default('utf-8')
  .describe('utf-8 for text; base64 for bytes that are none.')

/** Reads and writes files of the workspace. */
export function fileActions(services: ToolActionServices): readonly ToolAction[] {
  return [readAction(services), writeAction(services)]
}

function readAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'file.read',
    description: 'Reads a file of the workspace: text, or bytes in base64. At most 5 MB.',
    input: z.strictObject({ path, encoding }),
    effect: 'read',
    untrusted: 'results',
    result: '{content, path, size_bytes, success}, or {error, success: false, error_type}',
    async execute({ path, encoding }): Promise<Json> {
      const place = await workspacePlace(needed(services, 'workspace'), path)
      if (!place.ok) return placeRefused(place)
      const bytes = await readInside(place.path, path)
      if (!(bytes instanceof Uint8Array)) return bytes
      const read = { path, size_bytes: bytes.length, success: true }
      if (encoding === 'base64') return { content: Buffer.from(bytes).toString('base64'), ...read }
      const content = textOf(bytes)
      return content === undefined
        ? notDone(`${shown(path)} is no text in UTF-8. Read it with encoding: base64.`, 'binary')
        : { content, ...read }
    },
  })
}

/** The bytes of a regular file; a link that took its place since the path was looked at is not followed. */
async function readInside(real: string, written: string): Promise<Uint8Array | JsonObject> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  try {
    return await withFile(open(real, flags), async (file) => {
      const status = await file.stat()
      if (!status.isFile()) return notDone(`${shown(written)} is no regular file.`, 'not_a_file')
      return status.size > maxReadBytes
        ? notDone(
            `${shown(written)} has ${status.size} bytes; at most ${maxReadBytes} are read.`,
            'too_large',
          )
        : await file.readFile()
    })
  } catch (error) {
    return fileFailure(error, written)
  }
}

async function withFile<T>(
  opening: Promise<FileHandle>,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await opening
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** Text in UTF-8 without its byte order mark; `undefined` for what is none. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function writeAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'file.write',
    description:
      'Writes a file of the workspace, whole or not at all, in place of one that is there. Makes the folders that are missing. At most 10 MB.',
    input: z.strictObject({
      path,
      content: z.json().describe('The text. A list or a map is written as JSON.'),
      encoding,
    }),
    effect: 'write',
    result: '{path, size_bytes, success}, or {error, success: false, error_type}',
    async execute({ path, content, encoding }, { key }): Promise<Json> {
      const bytes = bytesOf(content, encoding)
      if (bytes === undefined) return notDone('The content is not base64.', 'invalid_content')
      if (bytes.length > maxWriteBytes)
        return notDone(
          `The content has ${bytes.length} bytes; at most ${maxWriteBytes} are written.`,
          'too_large',
        )
      const place = await workspacePlace(needed(services, 'workspace'), path)
      if (!place.ok) return placeRefused(place)
      if (place.path.toLowerCase().split(sep).includes('.git'))
        return notDone('Nothing is written to .git, whose files Git may run.', 'outside_workspace')
      try {
        await replaceFile(place.path, bytes, key)
      } catch (error) {
        return fileFailure(error, path)
      }
      return { path, size_bytes: bytes.length, success: true }
    },
  })
}

function bytesOf(content: Json, encoding: 'utf-8' | 'base64'): Uint8Array | undefined {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  const isBase64 = /^[A-Za-z\d+/\s]*={0,2}\s*$/.test(text)
  return isBase64 ? Buffer.from(text, 'base64') : undefined
}

/** Writes beside the file first, so that nobody ever sees half of it. Links are replaced, not followed. */
async function replaceFile(path: string, bytes: Uint8Array, key: string): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const before = await lstat(path).catch(() => undefined)
  if (before?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
  const beside = join(
    folder,
    `.${basename(path).slice(0, 100)}.${hashJson([key, path]).slice(0, 12)}.tmp`,
  )
  try {
    await rm(beside, { force: true })
    await writeNew(beside, bytes, before?.isFile() ? before.mode & 0o777 : 0o666)
    await rename(beside, path)
  } finally {
    await rm(beside, { force: true })
  }
}

function writeNew(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  return withFile(open(path, 'wx', mode), async (file) => {
    await file.writeFile(bytes)
    await file.sync()
  })
}

function placeRefused(place: WorkspacePlace & { readonly ok: false }): JsonObject {
  return notDone(place.error, place.errorType)
}

const failures: Readonly<Record<string, readonly [errorType: string, says: string]>> = {
  ENOENT: ['file_not_found', 'is not there'],
  ENOTDIR: ['file_not_found', 'is not there: a part of its path is a file'],
  EISDIR: ['is_directory', 'is a folder'],
  EACCES: ['permission_denied', 'may not be used: permission was denied'],
  EPERM: ['permission_denied', 'may not be used: permission was denied'],
  EROFS: ['permission_denied', 'may not be changed: its disk is read-only'],
  ELOOP: ['outside_workspace', 'became a link meanwhile'],
  ENOSPC: ['io_error', 'was not written: the disk is full'],
  ENAMETOOLONG: ['invalid_path', 'has too long a name'],
}

/** What went wrong with a file, as data; anything that is no failure of the file is thrown on. */
function fileFailure(error: unknown, written: string): JsonObject {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  const [errorType, says] = failures[code] ?? ['io_error', `failed with ${code}`]
  if (failures[code] === undefined && syscall === undefined) throw error
  return notDone(`${shown(written)} ${says}.`, errorType)
}
