import { exactly, FileRefused, readWhole } from '../../../files/opened.ts'
import { hasHiddenName, realPlace, shownPath } from '../../../files/real-place.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { needed, notDone, type ToolActionServices } from './tool-action.ts'

/** A text with the size of its file. */
export interface FileText {
  readonly text: string
  readonly sizeBytes: number
}

const maxReadBytes = 5_000_000

/** The bytes of a file of the workspace, at most 5 MB, or why there are none. */
export async function fileBytes(
  services: ToolActionServices,
  path: string,
): Promise<Uint8Array | JsonObject> {
  const place = await workspacePlace(needed(services, 'workspace'), path)
  if (!place.ok) return notDone(place.error, place.errorType)
  try {
    return await readWhole(place.path, maxReadBytes, exactly(place.path))
  } catch (error) {
    return fileFailure(error, path)
  }
}

/** The text of a file of the workspace, in UTF-8, or why there is none. */
export async function fileText(
  services: ToolActionServices,
  path: string,
): Promise<FileText | JsonObject> {
  const bytes = await fileBytes(services, path)
  if (!(bytes instanceof Uint8Array)) return bytes
  const text = textOf(bytes)
  return text === undefined
    ? notDone(
        `${shownPath(path)} is no text in UTF-8; file.read gives it with encoding: base64.`,
        'binary',
      )
    : { text, sizeBytes: bytes.length }
}

/** Whether a text was read. */
export function isText(read: FileText | JsonObject): read is FileText {
  return 'text' in read
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

const failures: Readonly<Record<string, readonly [errorType: string, says: string]>> = {
  ENOENT: ['file_not_found', 'is not there'],
  ENOTDIR: ['file_not_found', 'is not there: a part of its path is a file'],
  EISDIR: ['is_directory', 'is a folder'],
  EACCES: ['permission_denied', 'may not be used: permission was denied'],
  EPERM: ['permission_denied', 'may not be used: permission was denied'],
  EROFS: ['permission_denied', 'may not be changed: its disk is read-only'],
  ENOSPC: ['io_error', 'was not written: the disk is full'],
  ENAMETOOLONG: ['invalid_path', 'has too long a name'],
}

const refusals: Readonly<Record<FileRefused['kind'], string>> = {
  elsewhere: 'outside_workspace',
  folder: 'not_a_file',
  no_folder: 'file_not_found',
  special: 'not_a_file',
  system: 'not_a_file',
  too_large: 'too_large',
}

/** What went wrong with a file, as data; anything that is no failure of the file is thrown on. */
export function fileFailure(error: unknown, written: string): JsonObject {
  if (error instanceof FileRefused)
    return notDone(`${shownPath(written)} ${error.says}.`, refusals[error.kind])
  const { code = '', syscall } = error as NodeJS.ErrnoException
  const [errorType, says] = failures[code] ?? ['io_error', `failed with ${code}`]
  if (failures[code] === undefined && syscall === undefined) throw error
  return notDone(`${shownPath(written)} ${says}.`, errorType)
}

/** A place in the workspace, or why a path names none. */
type WorkspacePlace =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly error: string; readonly errorType: string }

/**
 * Where a path of an agent file really leads, as {@link realPlace} has it. Hidden files are refused: they hold settings, keys and
 * what other programs run.
 * @param workspace absolute, without links
 */
export async function workspacePlace(workspace: string, written: string): Promise<WorkspacePlace> {
  const place = await realPlace(workspace, written)
  if (!place.ok) {
    const isAddress = place.errorType === 'unsupported_scheme' && /^http/i.test(written)
    return isAddress ? { ...place, error: `${place.error} Use http.get.` } : place
  }
  if (!hasHiddenName(place.names)) return { ok: true, path: place.path }
  const error = `${shownPath(written)} is hidden: names that begin with a dot are left alone.`
  return { ok: false, error, errorType: 'hidden' }
}
