import { toCitableUrl } from './canonical-url.ts'
import { isEscapable } from './characters.ts'
import { findCodeSpanEnd, indexBacktickRuns } from './scan.ts'
import { readStoredBlocks } from './stored-text.ts'

/**
 * Applies `replace` to addresses outside code that no form of citation covers: inside a word, another scheme or an
 * attribute, with slashes, colons or letters written as entities or escapes (`https:\/\/`, `https\u003a//`), or with too
 * many slashes. `url` is `undefined` if it cannot be read as an address.
 */
export function replaceLeftovers(
  text: string,
  replace: (url: string | undefined) => string,
): string {
  if (!/https?/i.test(text)) return text
  const parts: string[] = []
  let from = 0
  for (const { kind, start, end } of readStoredBlocks(text).spans) {
    if (kind === 'code') continue
    for (const part of plainParts(text, start, end)) {
      parts.push(text.slice(from, part.start))
      parts.push(replaceIn(text.slice(part.start, part.end), replace))
      from = part.end
    }
  }
  parts.push(text.slice(from))
  return parts.join('')
}

const colon = String.raw`(?::|&colon;|&#0*58;|&#x0*3a;|\\u003a|%3a)`
const slash = String.raw`(?:[\\/]|&sol;|&#0*47;|&#x0*2f;|\\u002f|\\u005c|%2f|%5c)`
/** An address in any spelling, up to white space, a quote or an opening bracket. */
const leftover = new RegExp(
  String.raw`(https?)${colon}${slash}+(?!${slash}|\[!CITE_)([[{}|^]*[^\s<>"'${'`'}[{}|^\ue000-\uf8ff]+)`,
  'gi',
)
/** Punctuation at the end that belongs to the sentence. */
const trailing = '.,;:!?)]}*_|\\'

function replaceIn(text: string, replace: (url: string | undefined) => string): string {
  return text.replace(leftover, (_found, scheme: string, written: string) => {
    let length = written.length
    while (length > 0 && trailing.includes(written.charAt(length - 1))) length--
    const rest = written.slice(0, length)
    if (rest === '') return `${replace(undefined)}${written}`
    return `${replace(toCitableUrl(`${scheme}://${decodeAddress(rest)}`))}${written.slice(length)}`
  })
}

function decodeAddress(rest: string): string {
  return rest
    .replace(/\\u([\da-f]{4})/gi, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/&sol;|&#0*47;|&#x0*2f;/gi, '/')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&amp;', '&')
}

/** The parts of a span outside code spans. */
function* plainParts(
  text: string,
  from: number,
  to: number,
): Generator<{ readonly start: number; readonly end: number }> {
  const runs = indexBacktickRuns(text, from, to)
  let start = from
  for (let at = text.indexOf('`', from); at >= 0 && at < to; at = text.indexOf('`', at)) {
    if (isEscaped(text, at)) {
      at++
      continue
    }
    const end = findCodeSpanEnd(text, at, to, runs)
    yield { start, end: at }
    const isSpan = text.slice(at, end).replaceAll('`', '') !== ''
    start = isSpan ? end : at
    at = end
  }
  yield { start, end: to }
}

function isEscaped(text: string, index: number): boolean {
  let at = index
  while (at > 0 && text.charCodeAt(at - 1) === 92) at--
  return (index - at) % 2 === 1 && isEscapable(text.charCodeAt(index))
}
