import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Hash } from '../../kernel/json.ts'
import type { ByteSource } from './byte-source.ts'
import { BundleFault, count, type Fault, faultAt, faultIn, shown } from './fault.ts'
import { isMemberName } from './form.ts'
import {
  directoryEntry,
  endRecord,
  localFields,
  localHeader,
  maxZipBytes,
  maxZipMembers,
  recordBytes,
  signatures,
  type ZipMember,
} from './zip-form.ts'

/** A member as read. */
export interface ReadMember extends ZipMember {
  /** Offset of its content in the file. */
  readonly contentOffset: number
  readonly sha256: Hash
  /** Its local header as read. */
  readonly header: Buffer
}

/** No member of a bundle has a longer name. */
const maxNameBytes = 200
/** Names of a bundle's members: at most one folder deep, and never outside. */
const memberName = /^[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9]+)?(?:\/[a-z0-9][a-z0-9_-]*\.[a-z0-9]+)?$/
const pieceBytes = 1024 * 1024

/**
 * Reads a zip and compares every byte outside its contents with the canonical form, and every content with its checksum.
 * @throws {@link BundleFault} at the first difference
 */
export function readZip(source: ByteSource): readonly ReadMember[] {
  if (source.sizeBytes > maxZipBytes)
    throw new BundleFault(faultAt(maxZipBytes, 'a bundle ends before this: it has at most 4 GiB.'))
  const members: ReadMember[] = []
  try {
    const directoryOffset = readMembers(source, members)
    const fault = compareRecords(source, members, directoryOffset)
    if (fault !== undefined) throw new BundleFault(fault)
  } catch (error) {
    const foreign = members.findIndex(({ name }) => !isMemberName(name))
    if (!(error instanceof BundleFault) || foreign < 0) throw error
    // An unknown member name explains the faults after it.
    const { name, offset } = members[foreign] as ReadMember
    throw new BundleFault(brokenName(offset + recordBytes.local, foreign + 1, name))
  }
  return members
}

/** Reads members up to the central directory; returns its offset. */
function readMembers(source: ByteSource, members: ReadMember[]): number {
  let offset = 0
  for (;;) {
    const next = source.read(offset, 4)
    const signature = next.length === 4 ? next.readUInt32LE() : undefined
    if (members.length > 0 && signature === signatures.directory) return offset
    if (signature !== undefined && signature !== signatures.local)
      throw new BundleFault(nothingHere(offset, next, members))
    const member = readMember(source, offset, members)
    members.push(member)
    if (members.length > maxZipMembers)
      throw new BundleFault(
        faultAt(offset, `a bundle has at most ${count(maxZipMembers)} members.`),
      )
    offset = member.contentOffset + member.sizeBytes
  }
}

/** A member's content, in pieces. */
export function* contentOf(source: ByteSource, member: ReadMember): Generator<Buffer> {
  const end = member.contentOffset + member.sizeBytes
  for (let at = member.contentOffset; at < end; at += pieceBytes)
    yield source.read(at, Math.min(pieceBytes, end - at))
}

function nothingHere(offset: number, found: Buffer, members: readonly ReadMember[]): Fault {
  const last = members.at(-1)
  if (last === undefined)
    return faultAt(offset, 'this is not a bundle: it does not start like one.')
  const expected = localHeader({ name: '', sizeBytes: 0, crc: 0 }).subarray(0, 4)
  const same = expected.filter((byte, index) => byte === found[index]).length
  if (same >= 3 || found[0] === expected[0]) {
    const at = offset + (firstDifference(found, expected) ?? 0)
    return faultAt(
      at,
      `the header of member ${members.length + 1}, or the directory, is broken here.`,
    )
  }
  const text = `neither a member nor the directory begins here: something was added to or removed from ${last.name}, or its size is wrong.`
  return faultAt(offset, text, last.name)
}

function brokenName(at: number, number: number, name: string): Fault {
  return faultAt(
    at,
    `the header of member ${number} is broken: "${shown(name)}" is not the name of a bundle member.`,
  )
}

function readMember(source: ByteSource, offset: number, before: readonly ReadMember[]): ReadMember {
  const record = source.read(offset, recordBytes.local)
  if (record.length < recordBytes.local) throw new BundleFault(endsHere(source, before))
  const wrong = firstDifference(record.subarray(0, localFields.crc), fixedBeginning())
  if (wrong !== undefined) throw new BundleFault(faultAt(offset + wrong, wrongBeginning(wrong)))
  const nameBytes = record.readUInt16LE(localFields.nameBytes)
  const at = offset + recordBytes.local
  const name = source.read(at, Math.min(nameBytes, maxNameBytes)).toString('latin1')
  if (nameBytes > maxNameBytes || !memberName.test(name))
    throw new BundleFault(brokenName(at, before.length + 1, name))
  const sizeBytes = record.readUInt32LE(localFields.sizeBytes)
  const contentOffset = at + nameBytes
  if (contentOffset + sizeBytes > source.sizeBytes)
    throw new BundleFault(
      faultAt(
        offset + localFields.sizeBytes,
        `the member declares ${count(sizeBytes)} bytes, but the file ends after ${count(source.sizeBytes - contentOffset)} of them.`,
        name,
      ),
    )
  const header = source.read(offset, recordBytes.local + nameBytes)
  const member = { name, sizeBytes, crc: 0, offset, contentOffset, sha256: '' as Hash, header }
  return { ...member, ...computeDigests(source, member) }
}

/** The fixed beginning of every local header. */
function fixedBeginning(): Buffer {
  return localHeader({ name: '', sizeBytes: 0, crc: 0 }).subarray(0, localFields.crc)
}

function wrongBeginning(at: number): string {
  return at >= localFields.method && at < localFields.method + 2
    ? "a bundle's members are not compressed."
    : 'the header of a bundle member has no such byte here.'
}

function endsHere(source: ByteSource, before: readonly ReadMember[]): Fault {
  const after = before.at(-1)
  return faultAt(
    source.sizeBytes,
    after === undefined
      ? 'this is not a bundle: it is too short.'
      : 'the file ends here, before its directory.',
    after?.name,
  )
}

function computeDigests(
  source: ByteSource,
  member: ReadMember,
): Pick<ReadMember, 'crc' | 'sha256'> {
  const hash = createHash('sha256')
  let crc = 0
  for (const piece of contentOf(source, member)) {
    crc = crc32(piece, crc)
    hash.update(piece)
  }
  return { crc, sha256: hash.digest('hex') as Hash }
}

/** Compares every record with the one implied by names and contents. */
function compareRecords(
  source: ByteSource,
  members: readonly ReadMember[],
  directoryOffset: number,
): Fault | undefined {
  let at = directoryOffset
  for (const member of members) {
    const expected = directoryEntry(member)
    const inDirectory = firstDifference(source.read(at, expected.length), expected)
    const inHeader = firstDifference(member.header, localHeader(member))
    // Both records have the content's checksum: if both differ from it, the content was changed.
    if (inHeader !== undefined && inDirectory !== undefined)
      return (
        changedContent(source, member) ??
        faultAt(member.offset + inHeader, wrongRecord, member.name)
      )
    if (inHeader !== undefined) return faultAt(member.offset + inHeader, wrongRecord, member.name)
    if (inDirectory !== undefined) return wrongEntry(source, member, at, inDirectory)
    at += expected.length
  }
  return compareEnd(source, members.length, directoryOffset, at)
}

function wrongEntry(source: ByteSource, { name }: ReadMember, at: number, wrong: number): Fault {
  const nameAt = recordBytes.directory
  if (wrong < nameAt)
    return faultAt(at + wrong, 'its entry in the directory does not match its content.', name)
  const other = source.read(at + nameAt, Buffer.byteLength(name)).toString('latin1')
  const text = `it has this name in its header, but "${shown(other)}" in the directory.`
  return faultAt(at + wrong, text, name)
}

const wrongRecord = 'its header does not match its content.'

/** Where a content was changed, if both of its records agree on another checksum. */
function changedContent(source: ByteSource, member: ReadMember): Fault | undefined {
  const recorded = member.header.readUInt32LE(localFields.crc)
  const undone = { ...member, crc: recorded }
  if (firstDifference(member.header, localHeader(undone)) !== undefined) return undefined
  const byte = locateChange(contentOf(source, member), member, recorded)
  return byte === undefined
    ? faultIn(member.name, 'its content was changed: its checksum differs.')
    : faultIn(member.name, 'this byte was changed.', byte)
}

function compareEnd(
  source: ByteSource,
  members: number,
  directoryOffset: number,
  at: number,
): Fault | undefined {
  const expected = endRecord(members, directoryOffset, at - directoryOffset)
  const wrong = firstDifference(source.read(at, expected.length), expected)
  if (wrong !== undefined)
    return faultAt(at + wrong, 'the last record of the zip does not match its members.')
  const end = at + expected.length
  return end === source.sizeBytes
    ? undefined
    : faultAt(end, `${count(source.sizeBytes - end)} bytes follow the end of the bundle.`)
}

function firstDifference(found: Buffer, expected: Buffer): number | undefined {
  if (found.equals(expected)) return undefined
  let at = 0
  while (at < found.length && found[at] === expected[at]) at++
  return at
}

/** Larger contents are not searched: locating a change is optional. */
const maxSearchedBytes = 64 * 1024 * 1024

/**
 * Locates a single changed byte of a content, counted from 0, from the change of its CRC-32; `undefined` if more than one byte
 * changed. A CRC is linear: the difference of two checksums depends only on the change and its distance from the end.
 * @see https://www.rfc-editor.org/rfc/rfc1952 (8, the CRC and its table)
 */
export function locateChange(
  content: Iterable<Uint8Array>,
  { sizeBytes, crc }: { readonly sizeBytes: number; readonly crc: number },
  recordedCrc: number,
): number | undefined {
  if (sizeBytes > maxSearchedBytes || crc === recordedCrc) return undefined
  const candidates = findPossibleChanges((crc ^ recordedCrc) >>> 0, sizeBytes)
  if (candidates.size === 0) return undefined
  const bytes = Buffer.concat([...content])
  for (const [at, change] of candidates) {
    bytes[at] = (bytes[at] as number) ^ change
    const isIt = crc32(bytes) === recordedCrc
    bytes[at] = (bytes[at] as number) ^ change
    if (isIt) return at
  }
  return undefined
}

/** Where a change of a single byte would cause this difference; almost always one place. */
function findPossibleChanges(difference: number, sizeBytes: number): ReadonlyMap<number, number> {
  tables ??= makeTables()
  const { table, byHighByte, byEntry } = tables
  const places = new Map<number, number>()
  let rest = difference
  for (let at = sizeBytes - 1; at >= 0; at--) {
    const change = byEntry.get(rest)
    if (change !== undefined) places.set(at, change)
    // One byte back: the checksum before a zero byte was added.
    const low = byHighByte[rest >>> 24] as number
    rest = (((rest ^ (table[low] as number)) << 8) | low) >>> 0
  }
  return places
}

/** Created for the first content that is searched. */
let tables: ReturnType<typeof makeTables> | undefined

/** The CRC-32 table, and the index of each entry by its high byte. */
function makeTables() {
  const table = Array.from({ length: 256 }, (_, byte) => {
    let entry = byte
    for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1
    return entry >>> 0
  })
  const byHighByte: number[] = []
  for (const [byte, entry] of table.entries()) byHighByte[entry >>> 24] = byte
  const byEntry = new Map(table.map((entry, byte) => [entry, byte] as const).slice(1))
  return { table, byHighByte, byEntry }
}
