import type { Stats } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Source } from '../citations/source.ts'
import { FileRefused, hashWhole, type OpenedFile, withFile } from '../files/opened.ts'
import { RequestError } from './request-error.ts'
import type { StreamSlots } from './stream-slots.ts'
import type { Principal } from './tokens.ts'

/** Size of the pieces in which a file is sent. */
const pieceBytes = 256 * 1024

/** Bytes that show the format of a picture. */
const headBytes = 16

/** Hashes of unchanged files that are remembered, so that each range does not read the whole file. */
const maxHashes = 1_000

/** File times are only as precise as the file system's clock, two seconds on FAT. */
const settledAfterMs = 3_000

/** Bytes of a file, `end` excluded. */
interface Span {
  readonly start: number
  readonly end: number
}

/** A file that is being sent. */
export interface SentFile {
  readonly sizeBytes: number
  /** What is sent; `undefined` if the range that was asked for is not in the file. */
  readonly span: Span | undefined
  readonly mediaType: string
  readonly body: ReadableStream<Uint8Array>
}

/** How a file is sent. */
export interface SendOptions {
  /** Who asked for it. */
  readonly principal: Principal
  /** The header `Range`. */
  readonly range: string | undefined
  /** Ends the connection of a reader that is too slow. Default: the stream fails. */
  readonly disconnect?: () => void
}

/** Sends the files of sources, while they are what was read. */
export class SourceFiles {
  private readonly streams: StreamSlots
  private readonly hashes = new Map<string, string>()

  constructor(streams: StreamSlots) {
    this.streams = streams
  }

  /**
   * Opens the file of a source at its recorded place. What is sent is of the file that was compared, whatever takes its place.
   * @throws `not_found` for a source without a file, `conflict` if the file has changed, `too_many_requests`
   */
  async send(source: Source, options: SendOptions): Promise<SentFile> {
    const { path } = source
    if (path === undefined) throw new RequestError('not_found', 'This source is not a file.')
    const opened = Promise.withResolvers<SentFile>()
    const free = this.streams.take(options.principal)
    const folder = await realpath(dirname(path)).catch(() => dirname(path))
    const isAtItsPlace = (real: string) =>
      real === join(folder, basename(path)) ? undefined : 'is a link'
    withFile(path, isAtItsPlace, async (file) => {
      if ((await this.hashOf(file)) !== source.id) throw changed()
      const sizeBytes = file.status.size
      const span = readRange(options.range, sizeBytes)
      const mediaType = await findMediaType(source, file)
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      opened.resolve({ sizeBytes, span, mediaType, body: readable })
      const { slowReaderMs } = this.streams
      if (span !== undefined) await sendSpan(file, span, writable, { ...options, slowReaderMs })
    })
      .catch((error: unknown) => opened.reject(toRequestError(error)))
      .finally(free)
    return opened.promise
  }

  private async hashOf(file: OpenedFile): Promise<string> {
    const stamp = stampOf(file.status)
    const known = this.hashes.get(stamp)
    if (known !== undefined) return known
    const hash = await hashWhole(file, Number.MAX_SAFE_INTEGER)
    if (this.hashes.size >= maxHashes) this.hashes.clear()
    const { mtimeMs, ctimeMs } = file.status
    if (Math.max(mtimeMs, ctimeMs) < Date.now() - settledAfterMs) this.hashes.set(stamp, hash)
    return hash
  }
}

function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ')
}

function changed(): RequestError {
  return new RequestError(
    'conflict',
    'The file has changed since it was read.',
    'Its text as it was read is at /text. Add the file again to have its present state.',
  )
}

function toRequestError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOTDIR')
    return new RequestError('not_found', 'This source is in an archive, not a file of its own.')
  if (error instanceof FileRefused || code === 'ENOENT' || code === 'EACCES')
    return new RequestError(
      'conflict',
      'The file is no longer at its place.',
      'Its text as it was read is at /text.',
    )
  return error
}

/**
 * The part of a file that a request asks for: all of it also for several ranges, or one in another form; `undefined` for one that
 * is not in the file.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-range
 */
function readRange(range: string | undefined, sizeBytes: number): Span | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(range?.trim() ?? '') ?? []
  const isReversed = first !== '' && last !== '' && Number(last) < Number(first)
  if ((first === '' && last === '') || isReversed) return { start: 0, end: sizeBytes }
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1)
  return start < end ? { start, end } : undefined
}

/** Sends bytes as the reader takes them. */
async function sendSpan(
  file: OpenedFile,
  { start, end }: Span,
  writable: WritableStream<Uint8Array>,
  { slowReaderMs, disconnect }: Omit<SendOptions, 'range'> & { readonly slowReaderMs: number },
): Promise<void> {
  const writer = writable.getWriter()
  const fail = (why: string) => writer.abort(new Error(why)).catch(() => {})
  const timer = setTimeout(() => {
    disconnect?.()
    fail('The reader is too slow.')
  }, slowReaderMs)
  try {
    for (let at = start; at < end; ) {
      const piece = await file.read(Math.min(pieceBytes, end - at), at)
      if (piece.length === 0) return await fail('The file became shorter while it was sent.')
      await writer.write(piece)
      timer.refresh()
      at += piece.length
    }
    await writer.close()
  } catch {
    // The reader has left, or the disk fails: the answer is shorter than its Content-Length says.
    await fail('The file could not be sent.')
  } finally {
    clearTimeout(timer)
  }
}

const openXml = 'application/vnd.openxmlformats-officedocument'
const mediaTypes: Readonly<Record<Exclude<Source['kind'], 'image'>, string>> = {
  csv: 'text/csv',
  docx: `${openXml}.wordprocessingml.document`,
  epub: 'application/epub+zip',
  html: 'text/html',
  markdown: 'text/markdown',
  pdf: 'application/pdf',
  pptx: `${openXml}.presentationml.presentation`,
  text: 'text/plain',
  xlsx: `${openXml}.spreadsheetml.sheet`,
}

const pictureTypes: readonly (readonly [start: RegExp, mediaType: string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^(?:II\*\0|MM\0\*)/, 'image/tiff'],
]

/** The media type of what was read: the kind of a source is that of its content. */
async function findMediaType({ kind }: Source, file: OpenedFile): Promise<string> {
  if (kind !== 'image') return mediaTypes[kind]
  const head = (await file.read(headBytes)).toString('latin1')
  const found = pictureTypes.find(([start]) => start.test(head))
  return found?.[1] ?? 'application/octet-stream'
}
