import type { ByteSource } from './byte-source.ts'
import { isMemberName, memberNames } from './form.ts'
import { localFields, recordBytes, signatures } from './zip-form.ts'

/** What a file looks like, valid or not: a bundle, empty, not a zip, another zip, or a truncated bundle. */
export type FileKind = 'bundle' | 'empty' | 'other_file' | 'other_zip' | 'cut_off'

/** Detects the kind of file from the zip's records alone. */
export function detectFileKind(source: ByteSource): FileKind {
  if (source.sizeBytes === 0) return 'empty'
  if (endsAsBundle(source)) return 'bundle'
  const first = signatureAt(source, 0)
  if (first === signatures.end) return 'other_zip'
  if (first !== signatures.local) return 'other_file'
  const nameBytes = source.read(0, recordBytes.local)[localFields.nameBytes] ?? 0
  const name = source.read(recordBytes.local, nameBytes).toString('latin1')
  if (name.length === nameBytes && nameBytes > 0 && !isMemberName(name)) return 'other_zip'
  const endsAsZip = signatureAt(source, source.sizeBytes - recordBytes.end) === signatures.end
  return endsAsZip || !isCutOff(source) ? 'bundle' : 'cut_off'
}

/** Whether the end of the zip is intact and its last members are a bundle's, whatever was changed before them. */
function endsAsBundle(source: ByteSource): boolean {
  const tail = source.read(Math.max(0, source.sizeBytes - tailBytes), tailBytes)
  const end = tail.lastIndexOf(endSignature)
  return tail.includes(memberNames.manifest) && end >= 0 && end + recordBytes.end <= tail.length
}

/** The last record of a zip, the two entries before it, and some room for appended bytes. */
const tailBytes = 1024
const endSignature = Buffer.of(0x50, 0x4b, 5, 6)

/** Whether the file ends before its records say it does. */
function isCutOff(source: ByteSource): boolean {
  for (let at = 0; ; ) {
    const record = source.read(at, recordBytes.directory)
    const signature = signatureAt(source, at)
    if (signature === undefined) return true
    if (signature === signatures.local) {
      if (record.length < recordBytes.local) return true
      at += recordBytes.local + record.readUInt32LE(packedSize) + namesLength(record, 26)
    } else if (signature === signatures.directory) {
      if (record.length < recordBytes.directory) return true
      at += recordBytes.directory + namesLength(record, 28)
    } else return signature === signatures.end && at + recordBytes.end > source.sizeBytes
    if (at > source.sizeBytes) return true
  }
}

/** Offset of the compressed size in a local header. */
const packedSize = 18

/** Total length of a record's name and extra field, which are adjacent. */
function namesLength(record: Buffer, at: number): number {
  return record.readUInt16LE(at) + record.readUInt16LE(at + 2)
}

function signatureAt(source: ByteSource, at: number): number | undefined {
  const bytes = at < 0 ? Buffer.alloc(0) : source.read(at, 4)
  return bytes.length < 4 ? undefined : bytes.readUInt32LE()
}
