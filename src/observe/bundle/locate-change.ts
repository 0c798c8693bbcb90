import { crc32 } from 'node:zlib'

/** Larger contents are not searched: finding the place of a change is a courtesy. */
const maxSearchedBytes = 64 * 1024 * 1024

/**
 * Which one byte of a content was changed, counted from 0, so that its CRC-32 became another; `undefined` where more than
 * one byte did. A CRC is linear: the difference of two checksums says what was changed how far from the end.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1952 (8, the CRC and its table)
 */
export function locateChange(
  content: Iterable<Uint8Array>,
  { sizeBytes, crc }: { readonly sizeBytes: number; readonly crc: number },
  recordedCrc: number,
): number | undefined {
  if (sizeBytes > maxSearchedBytes || crc === recordedCrc) return undefined
  const candidates = placesOf((crc ^ recordedCrc) >>> 0, sizeBytes)
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

/** Where a change of a single byte, and which, would make this difference; almost always one place. */
function placesOf(difference: number, sizeBytes: number): ReadonlyMap<number, number> {
  tables ??= makeTables()
  const { table, byHighByte, byEntry } = tables
  const places = new Map<number, number>()
  let rest = difference
  for (let at = sizeBytes - 1; at >= 0; at--) {
    const change = byEntry.get(rest)
    if (change !== undefined) places.set(at, change)
    // One byte back: what the checksum was before a zero byte passed through it.
    const low = byHighByte[rest >>> 24] as number
    rest = (((rest ^ (table[low] as number)) << 8) | low) >>> 0
  }
  return places
}

/** Made for the first content that is searched. */
let tables: ReturnType<typeof makeTables> | undefined

/** The table of CRC-32, where each high byte stands in it, and each entry's index. */
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
