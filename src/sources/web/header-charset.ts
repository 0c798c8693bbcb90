import { isUtf8 } from 'node:buffer'
import { decodeWith } from '../decode-text.ts'
import { charsetOf, mediaType } from './media-type.ts'

const TEXT_TYPES = /^(?:text\/.*|application\/(?:xhtml\+xml|csv))$/
const UTF8_MARK = '\ufeff'
/** So many bytes outside ASCII are UTF-8 by chance in no other encoding; many servers name one that is not the page's. */
const MIN_UTF8_BYTES = 8

/**
 * The bytes of a text as UTF-8 that says so, where the answer's header names another encoding: that goes before what the text
 * says of itself, but not before a byte order mark. Otherwise the same bytes.
 * @see https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
export function inHeaderCharset(bytes: Uint8Array, contentType: string | undefined): Uint8Array {
  const charset = TEXT_TYPES.test(mediaType(contentType)) ? charsetOf(contentType) : undefined
  if (charset === undefined || charset === 'utf-8' || hasMark(bytes)) return bytes
  if (isSurelyUtf8(bytes)) return bytes
  const text = decodeWith(new TextDecoder(charset), bytes)
  return new TextEncoder().encode(UTF8_MARK + text)
}

function hasMark([first, second, third]: Uint8Array): boolean {
  return (
    (first === 0xef && second === 0xbb && third === 0xbf) ||
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff)
  )
}

function isSurelyUtf8(bytes: Uint8Array): boolean {
  let high = 0
  for (let index = 0; index < bytes.length && high < MIN_UTF8_BYTES; index++) {
    if ((bytes[index] as number) >= 0x80) high++
  }
  return high >= MIN_UTF8_BYTES && isUtf8(bytes)
}
