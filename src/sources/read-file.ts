import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { sha256 } from '../kernel/json.ts'
import { decodeText } from './decode-text.ts'
import type { ReadOutcome, Unreadable } from './document.ts'
import { fileKind, SNIFFED_BYTES } from './file-kind.ts'
import { readMarkdown } from './markdown.ts'
import { createPdfReader, type PdfReader } from './pdf/pdf-reader.ts'
import { readPlainText } from './plain-text.ts'

/** How files are read. */
export interface ReadFileOptions {
  readonly signal?: AbortSignal | undefined
  /** How long a PDF may take, in milliseconds; one of more than 500 pages gets 20 ms a page. Default 10,000. */
  readonly timeoutMs?: number | undefined
  /** Larger files are refused. Default 100 MB. */
  readonly maxBytes?: number | undefined
  /** Reads the PDFs; without one a reader is made for this file alone. */
  readonly pdfReader?: PdfReader | undefined
}

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_MAX_BYTES = 100_000_000

/**
 * A file as a document, or why it gives none: a bad file is a value, whatever is wrong with it. The outcome's
 * path is absolute.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function readFileDocument(
  path: string,
  options: ReadFileOptions = {},
): Promise<ReadOutcome> {
  options.signal?.throwIfAborted()
  const absolute = resolve(path)
  const refuse = (unreadable: Unreadable): ReadOutcome => ({
    ok: false,
    path: absolute,
    unreadable,
  })
  let file: FileHandle
  try {
    // Without O_NONBLOCK, opening a named pipe that nobody writes to would never return.
    file = await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    return refuse(notOpened(error))
  }
  try {
    const bytes = await readBytes(file, absolute, options.maxBytes ?? DEFAULT_MAX_BYTES)
    return bytes instanceof Uint8Array ? await documentOf(bytes, absolute, options) : refuse(bytes)
  } catch (error) {
    options.signal?.throwIfAborted()
    return refuse(notOpened(error))
  } finally {
    await file.close()
  }
}

/** The file's bytes if it is of a kind that is read and not too large; its start is looked at before the rest is read. */
async function readBytes(
  file: FileHandle,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | Unreadable> {
  const status = await file.stat()
  if (!status.isFile()) {
    const detail = status.isDirectory() ? 'It is a folder.' : 'It is no regular file.'
    return { reason: 'unsupported_kind', detail, hint: 'Name the files in it.' }
  }
  const start = new Uint8Array(Math.min(SNIFFED_BYTES, status.size))
  await file.read(start, 0, start.length, 0)
  const found = fileKind(start, path)
  if (found.kind === 'unsupported') {
    const hint = 'PDF, Markdown and plain text are read: save it as one of these and add that.'
    return { reason: 'unsupported_kind', detail: `It is ${found.named}.`, hint }
  }
  if (status.size > maxBytes) {
    const detail = `It has ${megabytes(status.size)} MB; at most ${megabytes(maxBytes)} MB are read.`
    return { reason: 'too_large', detail, hint: 'Split it into smaller files and add those.' }
  }
  return file.readFile()
}

async function documentOf(
  bytes: Uint8Array,
  path: string,
  options: ReadFileOptions,
): Promise<ReadOutcome> {
  const found = fileKind(bytes, path)
  if (found.kind === 'pdf') return readPdf(bytes, path, options)
  const refuse = (unreadable: Unreadable): ReadOutcome => ({ ok: false, path, unreadable })
  const decoded = decodeText(bytes)
  if (decoded === undefined) {
    const hint = 'PDF, Markdown and plain text are read: save it as one of these and add that.'
    return refuse({ reason: 'not_text', detail: 'Most of its bytes are no text.', hint })
  }
  const contentHash = sha256(bytes)
  const read = found.kind === 'markdown' ? readMarkdown : readPlainText
  const content = read(decoded.text, contentHash, path)
  if (content.text.trim() === '') {
    const detail = bytes.length === 0 ? 'It has no bytes.' : 'It holds no words.'
    return refuse({ reason: 'empty', detail, hint: 'Check that it was saved or fetched whole.' })
  }
  const kind = found.kind === 'markdown' ? 'markdown' : 'text'
  const document = {
    contentHash,
    kind,
    sizeBytes: bytes.length,
    ...content,
    notes: decoded.notes,
  } as const
  return { ok: true, document }
}

async function readPdf(
  bytes: Uint8Array,
  path: string,
  options: ReadFileOptions,
): Promise<ReadOutcome> {
  const { pdfReader, signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const reader = pdfReader ?? createPdfReader()
  try {
    return await reader.read(bytes, path, { timeoutMs, signal })
  } finally {
    if (pdfReader === undefined) await reader.close()
  }
}

function notOpened(error: unknown): Unreadable {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return { reason: 'not_found', detail: 'There is no such file.', hint: 'Check the path.' }
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return {
      reason: 'no_permission',
      detail: 'It may not be read.',
      hint: 'Change its permissions, or copy it.',
    }
  }
  if (code === 'ERR_INVALID_ARG_VALUE' || code === 'ENAMETOOLONG' || code === 'ELOOP') {
    return { reason: 'not_found', detail: 'No file can have that path.', hint: 'Check the path.' }
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
