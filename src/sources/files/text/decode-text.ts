/** Decoded text. */
export interface DecodedText {
  readonly text: string
  /** What was changed or could not be decoded, one line each. */
  readonly notes: readonly string[]
}

/** Maximum share of control characters and invalid bytes in a text. */
const maxGarbagePart = 0.3

/**
 * Decodes text: UTF-8, UTF-16 (by byte order mark or zero bytes), or Windows-1252 if nothing is UTF-8. Line ends become
 * `\n`, null bytes are dropped, invalid bytes become U+FFFD. `undefined` if the bytes are mostly binary.
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const { encoding, isGuessed } = detectEncoding(bytes)
  const decoded = decodeWith(new TextDecoder(encoding), bytes)
  const { nulls, invalid, controls } = countGarbage(decoded)
  if (nulls + invalid + controls > maxGarbagePart * decoded.length) return undefined
  const text = decoded.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed()
  const name = encodingNames[encoding]
  const notes = [
    ...(isGuessed ? [`read as ${name}: it is not UTF-8 and does not declare its encoding`] : []),
    ...(nulls > 0 ? [`null bytes left out: ${nulls}`] : []),
    ...(invalid > 0 ? [`invalid ${name} replaced by \ufffd: ${invalid}`] : []),
  ]
  return { text, notes }
}

/**
 * Decodes in stream mode: otherwise Node 22.18 reads Windows-1252 as Latin-1, turning curly quotes into control
 * characters.
 * @see https://github.com/nodejs/node/issues/56542
 */
export function decodeWith(decoder: TextDecoder, bytes: Uint8Array): string {
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
}

function detectEncoding(bytes: Uint8Array): { encoding: Encoding; isGuessed: boolean } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', isGuessed: false }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', isGuessed: false }
  const wide = detectUtf16(bytes)
  if (wide !== undefined) return { encoding: wide, isGuessed: true }
  const isLegacy = !isUtf8(bytes) && isWindows1252(bytes)
  return { encoding: isLegacy ? 'windows-1252' : 'utf-8', isGuessed: isLegacy }
}

/** UTF-16 without a mark: in Western text every other byte is zero. */
function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, 4_096)
  const pairs = Math.floor(sample.length / 2)
  if (pairs < 4) return undefined
  const zeros = [0, 0]
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  if (odd > 0.6 * pairs && even < 0.05 * pairs) return 'utf-16le'
  return even > 0.6 * pairs && odd < 0.05 * pairs ? 'utf-16be' : undefined
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Whether non-UTF-8 bytes look like Windows-1252: no UTF-8 sequences, and high bytes inside words. */
function isWindows1252(bytes: Uint8Array): boolean {
  let high = 0
  let inWords = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number
    if (byte < 0x80) continue
    const next = bytes[index + 1] ?? 0
    if (byte >= 0xc3 && next >= 0x80 && next < 0xc0) return false
    high++
    if (isLetter(bytes[index - 1]) || isLetter(next)) inWords++
  }
  return high > 0 && inWords >= 0.9 * high
}

function isLetter(byte = 0): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
}

function countGarbage(text: string): { nulls: number; invalid: number; controls: number } {
  const garbage = { nulls: 0, invalid: 0, controls: 0 }
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0) garbage.nulls++
    else if (code === 0xfffd) garbage.invalid++
    else if (code < 0x20 && !textControls.has(code)) garbage.controls++
  }
  return garbage
}

/** Tab, line feed, vertical tab, form feed, carriage return, escape (log colours). */
const textControls: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b])
