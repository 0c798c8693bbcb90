import type { ByteSource } from './byte-source.ts'
import { isMemberName, memberNames } from './form.ts'
import { localFields, recordBytes, signatures } from './zip-form.ts'

/**
 * What a file looks like, sound or not: a bundle, nothing, something that is no zip, a zip of something else, or the beginning
 * of a bundle.
 */
export type FileKind = 'bundle' | 'empty' | 'other_file' | 'other_zip' | 'cut_off'

/** What kind of file these bytes are, from their records alone. */
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

/** Whether the end of a zip is whole, and the last members are a bundle's, whatever was changed before them. */
function endsAsBundle(source: ByteSource): boolean {
  const tail = source.read(Math.max(0, source.sizeBytes - tailBytes), tailBytes)
  const end = tail.lastIndexOf(endSignature)
  return tail.includes(memberNames.manifest) && end >= 0 && end + recordBytes.end <= tail.length
}

/** The last record of a zip, the two entries before it, and more than was likely put behind it. */
const tailBytes = 1024
const endSignature = Buffer.of(0x50, 0x4b, 5, 6)

/** Whether the file ends before its records say that it does. */
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

/** Where a local header says how many bytes its content has in the file. */
const packedSize = 18

/** The lengths of a record's name and of its extra field, which stand side by side. */
function namesLength(record: Buffer, at: number): number {
  return record.readUInt16LE(at) + record.readUInt16LE(at + 2)
}

function signatureAt(source: ByteSource, at: number): number | undefined {
  const bytes = at < 0 ? Buffer.alloc(0) : source.read(at, 4)
  return bytes.length < 4 ? undefined : bytes.readUInt32LE()
}
