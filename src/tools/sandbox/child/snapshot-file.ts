import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

const checksumBytes = 4

/** The bytes of a snapshot's file: the snapshot and its checksum. */
export function encodeSnapshot(snapshot: Uint8Array): Uint8Array {
  const checksum = Buffer.alloc(checksumBytes)
  checksum.writeUInt32LE(crc32(snapshot))
  return Buffer.concat([snapshot, checksum])
}

/** The snapshot in a file; `undefined` if missing or damaged. */
export function readSnapshot(path: string): Uint8Array | undefined {
  try {
    const bytes = readFileSync(path)
    const snapshot = bytes.subarray(0, -checksumBytes)
    return bytes.readUInt32LE(snapshot.length) === crc32(snapshot) ? snapshot : undefined
  } catch {
    return undefined
  }
}
