import type { Unreadable } from '../../document.ts'
import { decodeWith } from '../text/decode-text.ts'
import { maxMembers, maxNameBytes } from './archive-limits.ts'

/** A member according to the archive's directory, checked against its local header. */
export interface ZipEntry {
  /** With `/` between folders. */
  readonly name: string
  readonly isLink: boolean
  readonly isEncrypted: boolean
  /** 0 stored, 8 deflated; others are not supported. */
  readonly method: number
  readonly crc32: number
  readonly packedBytes: number
  readonly sizeBytes: number
  /** Offsets of its local header and its packed bytes. */
  readonly headerStart: number
  readonly start: number
  readonly end: number
  /** Whether its local header agrees with the directory. */
  readonly isConsistent: boolean
}

const endSignature = 0x06054b50
const endBytes = 22
const maxCommentBytes = 65_535
const locatorSignature = 0x07064b50
const locatorBytes = 20
const end64Signature = 0x06064b50
const end64Bytes = 56
const entrySignature = 0x02014b50
const entryBytes = 46
const headerSignature = 0x04034b50
const headerBytes = 30
const flagEncrypted = 0x41
const flagUtf8 = 0x800
const unix = 3
const fileTypeMask = 0o170000
const linkType = 0o120000

/** The archive contradicts itself, so none of it is read; the message is the rest of a sentence. */
class Contradiction extends Error {}

/**
 * Reads the members of a zip archive, or says why it is refused: too many members, overlapping members (as in bombs), a
 * misplaced directory.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function readZipDirectory(bytes: Uint8Array): readonly ZipEntry[] | Unreadable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  try {
    const end = findEnd(view)
    if (end.count > maxMembers) return tooMany(end.count)
    const entries = readEntries(view, bytes, end)
    requireApart(entries, end.start)
    return entries
  } catch (error) {
    if (!(error instanceof Contradiction) && !(error instanceof RangeError)) throw error
    const why = error instanceof Contradiction ? error.message : 'it ends too early'
    const hint = 'Unpack it and add the folder; if it does not unpack, download it again.'
    return { reason: 'broken', detail: `The archive is incomplete or damaged: ${why}.`, hint }
  }
}

interface DirectorySpan {
  readonly start: number
  readonly end: number
  readonly count: number
}

function findEnd(view: DataView): DirectorySpan {
  const last = view.byteLength - endBytes
  for (let at = last; at >= Math.max(0, last - maxCommentBytes); at--) {
    if (view.getUint32(at, true) !== endSignature) continue
    if (at + endBytes + view.getUint16(at + 20, true) > view.byteLength) continue
    const place = readDirectoryEnd(view, at)
    if (place.start + place.count * entryBytes > place.end || place.end > at)
      throw new Contradiction('its table of contents does not fit in it')
    return place
  }
  throw new Contradiction('it has no table of contents')
}

function readDirectoryEnd(view: DataView, at: number): DirectorySpan {
  const disks = [view.getUint16(at + 4, true), view.getUint16(at + 6, true)]
  const count = view.getUint16(at + 10, true)
  const sizeBytes = view.getUint32(at + 12, true)
  const start = view.getUint32(at + 16, true)
  if (count === 0xffff || sizeBytes === 0xffffffff || start === 0xffffffff) {
    const locator = at - locatorBytes
    if (locator >= 0 && view.getUint32(locator, true) === locatorSignature)
      return readZip64End(view, uint64(view, locator + 8))
  }
  if (disks.some((disk) => disk !== 0)) throw new Contradiction('it is one part of several')
  return { start, end: start + sizeBytes, count }
}

function readZip64End(view: DataView, at: number): DirectorySpan {
  if (at + end64Bytes > view.byteLength || view.getUint32(at, true) !== end64Signature)
    throw new Contradiction('its table of contents is not at the declared position')
  const start = uint64(view, at + 48)
  return { start, end: start + uint64(view, at + 40), count: uint64(view, at + 32) }
}

/** A 64-bit number; values beyond any file's size become infinite, and so out of bounds. */
function uint64(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true)
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value)
}

function readEntries(view: DataView, bytes: Uint8Array, place: DirectorySpan): ZipEntry[] {
  const entries: ZipEntry[] = []
  let at = place.start
  for (let index = 0; index < place.count; index++) {
    if (at + entryBytes > place.end || view.getUint32(at, true) !== entrySignature)
      throw new Contradiction('its table of contents is damaged')
    const nameBytes = view.getUint16(at + 28, true)
    const extraBytes = view.getUint16(at + 30, true)
    entries.push(readEntry(view, bytes, at, nameBytes, extraBytes))
    at += entryBytes + nameBytes + extraBytes + view.getUint16(at + 32, true)
  }
  if (at !== place.end) throw new Contradiction('its table of contents has the wrong length')
  return entries
}

function readEntry(
  view: DataView,
  bytes: Uint8Array,
  at: number,
  nameBytes: number,
  extraBytes: number,
): ZipEntry {
  if (nameBytes > maxNameBytes) throw new Contradiction('a name in it is far too long')
  const flags = view.getUint16(at + 8, true)
  const method = view.getUint16(at + 10, true)
  const nameAt = at + entryBytes
  const { sizeBytes, packedBytes, headerStart } = readSizes(
    view,
    at,
    nameAt + nameBytes,
    extraBytes,
  )
  const rawName = bytes.subarray(nameAt, nameAt + nameBytes)
  const mode = view.getUint32(at + 38, true) >>> 16
  const isUnix = view.getUint8(at + 5) === unix
  const entry = {
    name: decodeName(rawName, (flags & flagUtf8) !== 0),
    isLink: isUnix && (mode & fileTypeMask) === linkType,
    isEncrypted: (flags & flagEncrypted) !== 0 || method === 99,
    method,
    crc32: view.getUint32(at + 16, true),
    packedBytes,
    sizeBytes,
    headerStart,
  }
  return {
    ...entry,
    ...locateData(view, bytes, headerStart, packedBytes, { flags, method, rawName }),
  }
}

/** Sizes and offset of an entry: 32-bit fields, or the 64-bit extra fields if those are full. */
function readSizes(view: DataView, at: number, extraAt: number, extraBytes: number) {
  let large = findZip64Fields(view, extraAt, extraAt + extraBytes)
  const take = (short: number): number => {
    if (short !== 0xffffffff || large === undefined) return short
    if (large.at + 8 > large.end) throw new Contradiction('a size in it is missing')
    const value = uint64(view, large.at)
    large = { ...large, at: large.at + 8 }
    return value
  }
  const sizeBytes = take(view.getUint32(at + 24, true))
  const packedBytes = take(view.getUint32(at + 20, true))
  return { sizeBytes, packedBytes, headerStart: take(view.getUint32(at + 42, true)) }
}

function findZip64Fields(view: DataView, start: number, end: number) {
  for (let at = start; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) === 1)
      return { at: at + 4, end: Math.min(end, at + 4 + view.getUint16(at + 2, true)) }
  }
  return undefined
}

/** Where an entry's packed bytes are, and whether its local header agrees with the directory. */
function locateData(
  view: DataView,
  bytes: Uint8Array,
  headerStart: number,
  packedBytes: number,
  said: { readonly flags: number; readonly method: number; readonly rawName: Uint8Array },
): Pick<ZipEntry, 'start' | 'end' | 'isConsistent'> {
  if (
    headerStart + headerBytes > view.byteLength ||
    view.getUint32(headerStart, true) !== headerSignature
  )
    throw new Contradiction('a file in it is not at the declared position')
  const nameAt = headerStart + headerBytes
  const nameBytes = view.getUint16(headerStart + 26, true)
  const start = nameAt + nameBytes + view.getUint16(headerStart + 28, true)
  const name = bytes.subarray(nameAt, nameAt + nameBytes)
  const isConsistent =
    view.getUint16(headerStart + 8, true) === said.method &&
    ((view.getUint16(headerStart + 6, true) ^ said.flags) & flagEncrypted) === 0 &&
    Buffer.compare(name, said.rawName) === 0
  return { start, end: start + packedBytes, isConsistent }
}

/**
 * Overlapping members let a small file unpack to a huge one.
 * @see https://www.bamsoftware.com/hacks/zipbomb/
 */
function requireApart(entries: readonly ZipEntry[], directoryStart: number): void {
  const inOrder = [...entries].sort((one, other) => one.headerStart - other.headerStart)
  for (const [index, { end }] of inOrder.entries()) {
    const next = inOrder[index + 1]?.headerStart ?? directoryStart
    if (end > next) throw new Contradiction('files in it overlap')
  }
}

/** UTF-8 if flagged or valid as such; else Windows-1252, as old programs wrote it. */
function decodeName(raw: Uint8Array, isUtf8: boolean): string {
  const read = (encoding: string, fatal: boolean) =>
    decodeWith(new TextDecoder(encoding, { fatal }), raw)
  try {
    return read('utf-8', !isUtf8).replaceAll('\\', '/')
  } catch {
    return read('windows-1252', false).replaceAll('\\', '/')
  }
}

function tooMany(count: number): Unreadable {
  const said = Number.isFinite(count) ? `${count} files` : 'more files than possible'
  return {
    reason: 'too_large',
    detail: `It contains ${said}; the maximum is ${maxMembers}.`,
    hint: 'Unpack it and add its folders one by one.',
  }
}
