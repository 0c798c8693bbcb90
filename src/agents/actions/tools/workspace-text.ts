import { exactly, FileRefused, readWhole } from '../../../files/opened.ts'
import { hasHiddenName, realPlace, shownPath } from '../../../files/real-place.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { failedResult, requireService, type ToolActionServices } from './tool-action.ts'

/** A text and its file's size. */
export interface FileText {
  readonly text: string
  readonly sizeBytes: number
}

const maxReadBytes = 5_000_000

/** The bytes of a file in the workspace, at most 5 MB, or why they cannot be read. */
export async function readFileBytes(
  services: ToolActionServices,
  path: string,
): Promise<Uint8Array | JsonObject> {
  const place = await resolveWorkspacePath(requireService(services, 'workspace'), path)
  if (!place.ok) return failedResult(place.error, place.errorType)
  try {
    return await readWhole(place.path, maxReadBytes, exactly(place.path))
  } catch (error) {
    return toFileFailure(error, path)
  }
}

/** The UTF-8 text of a file in the workspace, or why it cannot be read. */
export async function readFileText(
  services: ToolActionServices,
  path: string,
): Promise<FileText | JsonObject> {
  const bytes = await readFileBytes(services, path)
  if (!(bytes instanceof Uint8Array)) return bytes
  const text = decodeText(bytes)
  return text === undefined
    ? failedResult(
        `${shownPath(path)} is not UTF-8 text; use file.read with encoding: base64.`,
        'binary',
      )
    : { text, sizeBytes: bytes.length }
}

/** Whether a text was read. */
export function isText(read: FileText | JsonObject): read is FileText {
  return 'text' in read
}

/** Decodes UTF-8 without its byte order mark; `undefined` if it is not UTF-8. */
function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const failures: Readonly<Record<string, readonly [errorType: string, says: string]>> = {
  ENOENT: ['file_not_found', 'does not exist'],
  ENOTDIR: ['file_not_found', 'does not exist: a part of its path is a file'],
  EISDIR: ['is_directory', 'is a folder'],
  EACCES: ['permission_denied', 'cannot be used: permission denied'],
  EPERM: ['permission_denied', 'cannot be used: permission denied'],
  EROFS: ['permission_denied', 'cannot be changed: its disk is read-only'],
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

/** A file's failure as data; other errors are rethrown. */
export function toFileFailure(error: unknown, written: string): JsonObject {
  if (error instanceof FileRefused)
    return failedResult(`${shownPath(written)} ${error.says}.`, refusals[error.kind])
  const { code = '', syscall } = error as NodeJS.ErrnoException
  const [errorType, says] = failures[code] ?? ['io_error', `failed with ${code}`]
  if (failures[code] === undefined && syscall === undefined) throw error
  return failedResult(`${shownPath(written)} ${says}.`, errorType)
}

/** A place in the workspace, or why a path leads to none. */
type WorkspacePlace =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly error: string; readonly errorType: string }

/**
 * Resolves a path from an agent file like {@link realPlace}. Hidden files are refused: they hold settings, keys and
 * things that other programs execute.
 * @param workspace absolute, links resolved
 */
export async function resolveWorkspacePath(
  workspace: string,
  written: string,
): Promise<WorkspacePlace> {
  const place = await realPlace(workspace, written)
  if (!place.ok) {
    const isAddress = place.errorType === 'unsupported_scheme' && /^http/i.test(written)
    return isAddress ? { ...place, error: `${place.error} Use http.get.` } : place
  }
  if (!hasHiddenName(place.names)) return { ok: true, path: place.path }
  const error = `${shownPath(written)} is hidden: names that start with a dot are not accessible.`
  return { ok: false, error, errorType: 'hidden' }
}
