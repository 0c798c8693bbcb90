import { constants, inflateSync } from 'node:zlib'

/** A file's bytes are searched for what PDFium does not tell: layers, and metadata in XMP. */

const maxUnpackedBytes = 8_000_000
const maxUnpackedTotalBytes = 64_000_000
/** Where a stream begins after an entry of its dictionary. */
const maxDictionaryBytes = 1_000

/** Whether a file may have layers: it says so, or cannot be searched because it is encrypted. */
export function mayHaveLayers(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (file.includes('/OCProperties') || file.includes('/Encrypt')) return true
  for (const objects of unpackStreams(file, 'ObjStm'))
    if (objects.includes('/OCProperties')) return true
  return false
}

const doiElement = /prism:doi(?:>|=["'])\s*([^<"']{1,300})/

/** The DOI in a file's XMP metadata; empty if there is none, or it is encrypted. */
export function findXmpDoi(bytes: Uint8Array): string {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const plain = file.indexOf('prism:doi')
  if (plain >= 0) return readDoi(file.subarray(plain, plain + maxDictionaryBytes))
  for (const xmp of unpackStreams(file, 'Metadata')) {
    const found = readDoi(xmp)
    if (found !== '') return found
  }
  return ''
}

function readDoi(xmp: Buffer): string {
  return doiElement.exec(xmp.toString('utf8'))?.[1]?.trim() ?? ''
}

/** The contents of a file's compressed streams of a type; broken ones are skipped. */
function* unpackStreams(file: Buffer, type: string): Generator<Buffer> {
  let total = 0
  for (let at = file.indexOf(type); at >= 0; at = file.indexOf(type, at + 1)) {
    const keyword = file.indexOf('stream', at)
    if (keyword < 0 || keyword > at + maxDictionaryBytes) continue
    const start = keyword + 'stream'.length
    const lineEnd = file[start] === 13 ? 2 : 1
    try {
      const unpacked = inflateSync(file.subarray(start + lineEnd), {
        maxOutputLength: maxUnpackedBytes,
        finishFlush: constants.Z_SYNC_FLUSH,
      })
      total += unpacked.length
      yield unpacked
    } catch {
      // Not compressed, broken or too long.
    }
    if (total > maxUnpackedTotalBytes) return
  }
}
