import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

const checksumBytes = 4

/** Writes a snapshot with its checksum, atomically. */
export function writeSnapshot(path: string, snapshot: Uint8Array): void {
  const checksum = Buffer.alloc(checksumBytes)
  checksum.writeUInt32LE(crc32(snapshot))
  const unfinished = `${path}.${process.pid}`
  const file = openSync(unfinished, 'w', 0o600)
  try {
    for (const bytes of [snapshot, checksum]) {
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset)
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
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
