import { type DecodedText, decodeText, decodeWith } from '../../decode-text.ts'

/** A page declares its encoding in its first bytes; standards ask for 1,024, pages need more. */
const DECLARED_WITHIN_BYTES = 8_192
/** So many bytes outside ASCII are UTF-8 by chance in no other encoding. */
const MIN_UTF8_BYTES = 8

/**
 * A page's bytes as text: by its byte order mark; as UTF-8 if they are that, whatever the page declares (saved pages
 * keep what they declared before); else by what it declares; else as {@link decodeText} reads any text.
 * @see https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
export function decodeHtml(bytes: Uint8Array): DecodedText | undefined {
  const hasMark = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(latin1(bytes.subarray(0, 3)))
  const label = hasMark ? undefined : declaredEncoding(bytes)
  const decoder = label === undefined ? undefined : decoderOf(label)
  if (decoder === undefined || decoder.encoding === 'utf-8' || isSurelyUtf8(bytes)) {
    return decodeText(bytes)
  }
  const decoded = decodeWith(decoder, bytes)
  const invalid = decoded.split('\ufffd').length - 1
  if (invalid > 0.3 * decoded.length) return undefined
  const notes = invalid === 0 ? [] : [`invalid ${decoder.encoding} replaced by \ufffd: ${invalid}`]
  return { text: decoded.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed(), notes }
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = latin1(bytes.subarray(0, DECLARED_WITHIN_BYTES)).replace(/<!--[\s\S]*?-->/g, '')
  const declared = /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w:.()-]{1,40})/i.exec(head)
  const xml = /^\s*<\?xml\b[^>]{0,200}\bencoding\s*=\s*["']([\w:.-]{1,40})/i.exec(head)
  return (declared ?? xml)?.[1]
}

/** A page whose declaration can be read in single bytes is not UTF-16, even where it says so. */
function decoderOf(label: string): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(label)
    return decoder.encoding.startsWith('utf-16') ? new TextDecoder() : decoder
  } catch {
    return undefined
  }
}

function isSurelyUtf8(bytes: Uint8Array): boolean {
  let high = 0
  for (let index = 0; index < bytes.length && high < MIN_UTF8_BYTES; index++) {
    if ((bytes[index] as number) >= 0x80) high++
  }
  if (high < MIN_UTF8_BYTES) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}
