/**
 * The canonical form of a bundle's zip: uncompressed members, one fixed time, no optional fields. So its bytes depend only on the
 * members' names and contents.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (4.3, the records; 4.4, their fields)
 */

/** A member as described by the zip's records. */
export interface ZipMember {
  readonly name: string
  readonly sizeBytes: number
  readonly crc: number
  /** Offset of its local header in the file. */
  readonly offset: number
}

/** Limits of the zip format without its 64-bit extensions. */
export const maxZipBytes = 0xffff_ffff
/** See {@link maxZipBytes}. */
export const maxZipMembers = 0xffff

/** Bytes of the fixed part of each record. */
export const recordBytes = { local: 30, directory: 46, end: 22 } as const

/** The signature of each record type. */
export const signatures = { local: 0x04034b50, directory: 0x02014b50, end: 0x06054b50 } as const

/** Offsets of the fields that the reader needs in a local header. */
export const localFields = { method: 8, crc: 14, sizeBytes: 22, nameBytes: 26 } as const

const version = 20
/** UTF-8 names. */
const flags = 0x0800
/** 1980-01-01 00:00:00, the earliest time in a zip. */
const date = 0x0021

/** The record before a member's content. */
export function localHeader({ name, sizeBytes, crc }: Omit<ZipMember, 'offset'>): Buffer {
  const nameText = Buffer.from(name)
  const record = Buffer.alloc(recordBytes.local)
  record.writeUInt32LE(signatures.local, 0)
  record.writeUInt16LE(version, 4)
  record.writeUInt16LE(flags, 6)
  record.writeUInt16LE(date, 12)
  record.writeUInt32LE(crc, localFields.crc)
  record.writeUInt32LE(sizeBytes, 18)
  record.writeUInt32LE(sizeBytes, localFields.sizeBytes)
  record.writeUInt16LE(nameText.length, localFields.nameBytes)
  return Buffer.concat([record, nameText])
}

/** The member's entry in the central directory. */
export function directoryEntry({ name, sizeBytes, crc, offset }: ZipMember): Buffer {
  const nameText = Buffer.from(name)
  const record = Buffer.alloc(recordBytes.directory)
  record.writeUInt32LE(signatures.directory, 0)
  record.writeUInt16LE(version, 4)
  record.writeUInt16LE(version, 6)
  record.writeUInt16LE(flags, 8)
  record.writeUInt16LE(date, 14)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(sizeBytes, 20)
  record.writeUInt32LE(sizeBytes, 24)
  record.writeUInt16LE(nameText.length, 28)
  record.writeUInt32LE(offset, 42)
  return Buffer.concat([record, nameText])
}

/** The zip's last record. */
export function endRecord(
  members: number,
  directoryOffset: number,
  directoryBytes: number,
): Buffer {
  const record = Buffer.alloc(recordBytes.end)
  record.writeUInt32LE(signatures.end, 0)
  record.writeUInt16LE(members, 8)
  record.writeUInt16LE(members, 10)
  record.writeUInt32LE(directoryBytes, 12)
  record.writeUInt32LE(directoryOffset, 16)
  return record
}
