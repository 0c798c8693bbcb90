import { resolve } from 'node:path'
import { FileRefused, type OpenedFile, withFile } from '../files/opened.ts'
import type { ReadOutcome, Unreadable } from './document.ts'
import { detectFileKind, isZip, refuseUnsupported, sniffedBytes } from './file-kind.ts'
import { type ListedFile, pathRuleFor } from './list-files.ts'
import { type ReadBytesOptions, readBytesDocument } from './read-bytes.ts'

/** Options for reading a file. */
export interface ReadFileOptions extends ReadBytesOptions {
  /** Larger files are refused. Default 100 MB. */
  readonly maxBytes?: number | undefined
}

const defaultMaxBytes = 100_000_000

/**
 * Reads a file as a document. A bad file is a value, whatever is wrong with it. The outcome's path is absolute. Archives
 * are refused; their members are read by {@link readPaths}.
 * @throws the signal's reason if aborted
 */
export async function readFileDocument(
  file: ListedFile,
  options: ReadFileOptions = {},
): Promise<ReadOutcome> {
  const absolute = resolve(file.path)
  const bytes = await readWholeFile(file, options)
  return bytes instanceof Uint8Array
    ? readBytesDocument(bytes, absolute, options)
    : { ok: false, path: absolute, unreadable: bytes }
}

/**
 * Reads a file's bytes if its kind is supported and it is not too large; its start is checked first.
 * @throws the signal's reason if aborted
 */
export async function readWholeFile(
  listed: ListedFile,
  { signal, maxBytes = defaultMaxBytes }: ReadFileOptions,
): Promise<Uint8Array | Unreadable> {
  return withListed(listed, signal, async (file): Promise<Uint8Array | Unreadable> => {
    const start = await readStart(file)
    const found = detectFileKind(start, listed.path)
    if (found.kind === 'unsupported' && !isZip(start)) return refuseUnsupported(found)
    const { size: sizeBytes } = file.status
    if (sizeBytes > maxBytes) {
      const detail = `It has ${megabytes(sizeBytes)} MB; the maximum is ${megabytes(maxBytes)} MB.`
      const hint = isZip(start)
        ? 'Unpack it and add the files.'
        : 'Split it into smaller files and add those.'
      return { reason: 'too_large', detail, hint }
    }
    return file.read(sizeBytes)
  })
}

/** Whether a file starts like a zip archive; `false` too if it cannot be opened, which its reader will report. */
export async function startsAsZip(file: ListedFile, options: ReadFileOptions): Promise<boolean> {
  const isArchive = async (opened: OpenedFile) => isZip(await readStart(opened))
  return (await withListed(file, options.signal, isArchive)) === true
}

async function withListed<T>(
  listed: ListedFile,
  signal: AbortSignal | undefined,
  use: (file: OpenedFile) => Promise<T>,
): Promise<T | Unreadable> {
  signal?.throwIfAborted()
  try {
    return await withFile(listed.path, pathRuleFor(listed), use)
  } catch (error) {
    signal?.throwIfAborted()
    return toUnreadable(error)
  }
}

function readStart({ read, status }: OpenedFile): Promise<Uint8Array> {
  return read(Math.min(sniffedBytes, status.size))
}

const refusalHints: Partial<Readonly<Record<FileRefused['kind'], string>>> = {
  elsewhere: 'To read it, give the file itself.',
  folder: 'Give the files in it.',
}
const copyHint = 'Copy the parts you need into a file.'

function toUnreadable(error: unknown): Unreadable {
  if (error instanceof FileRefused) {
    const isElsewhere = error.kind === 'elsewhere'
    const reason = isElsewhere ? 'no_permission' : 'unsupported_kind'
    return { reason, detail: `It ${error.says}.`, hint: refusalHints[error.kind] ?? copyHint }
  }
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return { reason: 'not_found', detail: 'There is no such file.', hint: 'Check the path.' }
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return {
      reason: 'no_permission',
      detail: 'Permission denied.',
      hint: 'Change its permissions, or copy it.',
    }
  }
  if (code === 'ERR_INVALID_ARG_VALUE' || code === 'ENAMETOOLONG' || code === 'ELOOP') {
    return { reason: 'not_found', detail: 'The path is not valid.', hint: 'Check the path.' }
  }
  return {
    reason: 'broken',
    detail: `It could not be read: ${message}.`,
    hint: 'Try again, or copy it elsewhere.',
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)
}
