import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { ScholiumError } from '../../kernel/errors.ts'

/** Random-access bytes. */
export interface ByteSource {
  readonly sizeBytes: number
  /** The bytes from `offset` on; fewer than `length` at the end. */
  read(offset: number, length: number): Buffer
}

/** Bytes in memory. */
export function bytesInMemory(bytes: Uint8Array): ByteSource {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return {
    sizeBytes: buffer.length,
    read: (offset, length) => buffer.subarray(offset, offset + length),
  }
}

/**
 * Calls `work` with the bytes of a file.
 * @throws `invalid_input` if it cannot be read as a file
 */
export async function withFile<T>(
  path: string,
  work: (bytes: ByteSource) => Promise<T>,
): Promise<T> {
  let file: number
  try {
    // Without O_NONBLOCK, opening a pipe without a writer would never return.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (cause) {
    throw unreadable(path, readErrorCode(cause), cause)
  }
  try {
    const stats = fstatSync(file)
    if (stats.isDirectory()) throw unreadable(path, 'EISDIR')
    if (!stats.isFile()) throw unreadable(path, '')
    return await work({
      sizeBytes: stats.size,
      read: (offset, length) => readAt(file, offset, length),
    })
  } finally {
    closeSync(file)
  }
}

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const count = readSync(file, bytes, read, length - read, offset + read)
    if (count === 0) break
    read += count
  }
  return bytes.subarray(0, read)
}

/** Messages for system error codes. */
const reasons: ReadonlyMap<string, (path: string) => string> = new Map([
  ['ENOENT', (path) => `There is no file ${path}.`],
  ['ENOTDIR', (path) => `There is no file ${path}.`],
  ['EISDIR', (path) => `${path} is a folder, but a bundle is a file.`],
  ['EACCES', (path) => `${path} cannot be read: permission denied.`],
  ['EPERM', (path) => `${path} cannot be read: permission denied.`],
])

function unreadable(path: string, code: string, cause?: unknown): ScholiumError {
  const why = code === '' ? 'it is not a regular file' : code
  const text = reasons.get(code)?.(path) ?? `${path} cannot be read: ${why}.`
  const hint = 'Give the file that was exported: scholium verify FILE'
  return new ScholiumError('invalid_input', text, { hint, cause })
}

function readErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
