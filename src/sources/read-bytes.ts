import { sha256 } from '../kernel/json.ts'
import { maxTextUnits, type ReadOutcome, type Unreadable } from './document.ts'
import { detectFileKind, isZip, readKinds, refuseUnsupported } from './file-kind.ts'
import { openZip } from './files/archive/zip-archive.ts'
import { detectZipKind } from './files/archive/zip-kind.ts'
import { decodeText } from './files/text/decode-text.ts'
import { readMarkdown, readPlainText } from './files/text/read-text.ts'
import { createDocumentReader, type DocumentReader } from './files/worker/document-reader.ts'

/** Options for reading bytes. */
export interface ReadBytesOptions {
  readonly signal?: AbortSignal | undefined
  /** Time limit per file in milliseconds; long PDFs and large workbooks get more. Default 10,000. */
  readonly timeoutMs?: number | undefined
  /** Reads everything but plain text; by default one is created for this file alone. */
  readonly reader?: DocumentReader | undefined
}

const defaultTimeoutMs = 10_000

/**
 * Reads a document from a file's bytes.
 * @throws the signal's reason if aborted
 */
export async function readBytesDocument(
  bytes: Uint8Array,
  path: string,
  options: ReadBytesOptions = {},
): Promise<ReadOutcome> {
  options.signal?.throwIfAborted()
  const refuse = (unreadable: Unreadable): ReadOutcome => ({ ok: false, path, unreadable })
  const found = isZip(bytes) ? await kindInZip(bytes, path) : detectFileKind(bytes, path)
  if ('reason' in found) return refuse(found)
  switch (found.kind) {
    case 'unsupported':
      return refuse(refuseUnsupported(found))
    case 'markdown':
    case 'text':
      return readText(bytes, path, found.kind)
    default:
      return bytes.length === 0
        ? refuse(emptyFile())
        : readInProcess(bytes, path, found.kind, options)
  }
}

async function kindInZip(bytes: Uint8Array, path: string) {
  const archive = openZip(bytes)
  if ('reason' in archive) return archive
  const found = await detectZipKind(archive, path)
  if (found.kind !== 'archive') return found
  const hint = 'Unpack it and add the files, or name it .zip.'
  return { reason: 'unsupported_kind', detail: 'It is an archive.', hint } as const
}

function readText(bytes: Uint8Array, path: string, kind: 'markdown' | 'text'): ReadOutcome {
  const decoded = decodeText(bytes)
  const refuse = (unreadable: Unreadable): ReadOutcome => ({ ok: false, path, unreadable })
  if (decoded === undefined) {
    const hint = `Supported: ${readKinds}. Save it as one of these and add that.`
    return refuse({ reason: 'not_text', detail: 'Most of its bytes are not text.', hint })
  }
  const contentHash = sha256(bytes)
  const read = kind === 'markdown' ? readMarkdown : readPlainText
  const isCut = decoded.text.length > maxTextUnits
  const text = isCut ? decoded.text.slice(0, maxTextUnits).toWellFormed() : decoded.text
  const content = read(text, contentHash, path)
  if (content.text.trim() === '') {
    return refuse(
      bytes.length === 0 ? emptyFile() : { ...emptyFile(), detail: 'It contains no words.' },
    )
  }
  const cut = `only the first ${maxTextUnits} characters were read`
  const notes = isCut ? [...decoded.notes, cut] : decoded.notes
  const document = { contentHash, kind, sizeBytes: bytes.length, ...content, notes }
  return { ok: true, path, document }
}

function emptyFile(): Unreadable {
  const hint = 'Check that it was saved or downloaded completely.'
  return { reason: 'empty', detail: 'It is empty.', hint }
}

async function readInProcess(
  bytes: Uint8Array,
  path: string,
  kind: Parameters<DocumentReader['read']>[2],
  options: ReadBytesOptions,
): Promise<ReadOutcome> {
  const { reader: given, signal, timeoutMs = defaultTimeoutMs } = options
  const reader = given ?? createDocumentReader()
  try {
    return await reader.read(bytes, path, kind, { timeoutMs, signal })
  } finally {
    if (given === undefined) await reader.close()
  }
}
