import { toCitableUrl } from './canonical-url.ts'
import { isEscapable, isPrivateUse, isSpaceAt, isWord, unescapeMarkdown } from './characters.ts'

/** An address up to `end`; `url` is absent if it is not valid (`http://%`). */
export interface FoundAddress {
  readonly url?: string
  readonly title?: string
  readonly end: number
}

/** Whether `http://` or `https://`, in any case, starts at `index`. */
export function startsAddress(text: string, index: number): boolean {
  const code = text.charCodeAt(index) | 32
  if (code !== 104 || (text.charCodeAt(index + 1) | 32) !== 116) return false
  return /^https?:\/\//i.test(text.slice(index, index + 8))
}

/**
 * Reads the bare address between `index` and `to`. Punctuation at its end belongs to the sentence; balanced brackets
 * belong to the address; after `,` or `;` another address is a separate one.
 */
export function readBareAddress(text: string, index: number, to: number): FoundAddress {
  const limit = findBareLimit(text, index, to)
  let end = limit
  while (end > index && isTrailing(text.charCodeAt(end - 1))) end--
  const url = toCitableUrl(unescapeMarkdown(text.slice(index, end)))
  return url === undefined ? { end: limit } : { url, end }
}

function findBareLimit(text: string, index: number, to: number): number {
  let depth = 0
  let isQuery = false
  const isQuoted = text.charCodeAt(index - 1) === 39
  let at = text.indexOf('/', index) + 2
  if (text.charCodeAt(at) === 91) at = Math.max(at, skipIpv6(text, at))
  for (; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 40) depth++
    else if (code === 41 && --depth < 0) return at
    else if (code === 63) isQuery = true
    else if (code === 39 && isQuoted) return at
    else if (code === 91) {
      const end = isQuery ? skipQueryKey(text, at) : at
      if (end === at) return at
      at = end - 1
    } else if (code === 92) {
      if (!'_*~#&'.includes(text.charAt(at + 1) || ' ')) return at
      at++
    } else if (code === 44 || code === 59) {
      if (startsAddress(text, at + 1)) return at
    } else if (endsBare(code)) return at
  }
  return to
}

function skipIpv6(text: string, at: number): number {
  return at + (/^\[[\da-f:.]{2,45}\]/i.exec(text.slice(at, at + 48))?.[0].length ?? 0)
}

/** The offset after the brackets of `?list[]=1`, or `at` if there are none. */
function skipQueryKey(text: string, at: number): number {
  return at + (/^(?:\[[\w-]{0,20}\]){1,3}(?==)/.exec(text.slice(at, at + 70))?.[0].length ?? 0)
}

function endsBare(code: number): boolean {
  if (code <= 32 || (code >= 127 && code <= 160)) return true
  if (code < 128) return '<>"`|^{}]'.includes(String.fromCharCode(code))
  return (code >= 0x2000 && endsBareBeyondLatin.test(String.fromCharCode(code))) || code === 0xab
}

const endsBareBeyondLatin =
  /[\ue000-\uf8ff\s\u2018-\u201f、。，；：！？（）「」『』【】《》〈〉\u2026]/

function isTrailing(code: number): boolean {
  return '.,:;!?\'"*_~(\\»'.includes(String.fromCharCode(code))
}

/** Reads the address of `<https://…>` with the angle bracket at `index`. */
export function readAngledAddress(
  text: string,
  index: number,
  to: number,
): FoundAddress | undefined {
  for (let at = index + 1; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 62) {
      const url = toCitableUrl(text.slice(index + 1, at).replaceAll('&amp;', '&'))
      return url === undefined ? undefined : { url, end: at + 1 }
    }
    if (code <= 32 || code === 60 || isPrivateUse(code)) return undefined
  }
  return undefined
}

/** The limit for nested parentheses in an address, which keeps the time linear. */
const maxDepth = 32
const maxTitleChars = 1000

/**
 * Reads the target of `(https://… "title")` with the parenthesis at `index`. `url` is absent if the target is well-formed
 * but not http or https.
 */
export function readLinkTarget(text: string, index: number, to: number): FoundAddress | undefined {
  const start = skipSpace(text, index + 1, to)
  const target = readAddressOrPath(text, start, to)
  if (target === undefined) return undefined
  let at = skipSpace(text, target.end, to)
  const title = at > target.end ? readTitle(text, at, to) : undefined
  if (title !== undefined) at = skipSpace(text, title.end, to)
  if (text.charCodeAt(at) !== 41 || at >= to) return undefined
  const words = title?.title ?? ''
  return {
    ...(target.url !== undefined && { url: target.url }),
    ...(words !== '' && { title: words }),
    end: at + 1,
  }
}

/** Reads an address or path at `index`, with or without angle brackets. */
export function readAddressOrPath(
  text: string,
  index: number,
  to: number,
): FoundAddress | undefined {
  const end =
    text.charCodeAt(index) === 60 ? findAngledEnd(text, index, to) : findPlainEnd(text, index, to)
  if (end === undefined) return undefined
  const isAngled = text.charCodeAt(index) === 60
  const written = isAngled ? text.slice(index + 1, end - 1) : text.slice(index, end)
  const plain = unescapeMarkdown(written)
  const url = startsAddress(plain, 0) ? toCitableUrl(plain) : undefined
  return url === undefined ? { end } : { url, end }
}

function findAngledEnd(text: string, index: number, to: number): number | undefined {
  for (let at = index + 1; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 62) return at + 1
    if (code === 10 || code === 60 || isPrivateUse(code)) return undefined
    if (code === 92 && isEscapable(text.charCodeAt(at + 1))) at++
  }
  return undefined
}

function findPlainEnd(text: string, index: number, to: number): number | undefined {
  let depth = 0
  let at = index
  for (; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code <= 32 || code === 127 || isPrivateUse(code)) break
    if (code === 92 && isEscapable(text.charCodeAt(at + 1))) at++
    else if (code === 40 && ++depth > maxDepth) return undefined
    else if (code === 41 && --depth < 0) break
  }
  return depth > 0 ? undefined : Math.min(at, to)
}

/** Reads the quoted title at `index`. */
export function readTitle(
  text: string,
  index: number,
  to: number,
): { readonly title: string; readonly end: number } | undefined {
  const opening = text.charAt(index)
  const closing = opening === '(' ? ')' : opening
  if (index >= to || !/["'(]/.test(opening)) return undefined
  const limit = Math.min(to, index + maxTitleChars)
  for (let at = index + 1; at < limit; at++) {
    const character = text.charAt(at)
    if (character === closing)
      return {
        title: unescapeMarkdown(text.slice(index + 1, at)).replace(/\s+/g, ' '),
        end: at + 1,
      }
    if (character === '\\') at++
    else if (character === opening) return undefined
  }
  return undefined
}

/** The first offset from `index` on that is not white space, at most `to`. */
export function skipSpace(text: string, index: number, to: number): number {
  let at = index
  while (at < to && isSpaceAt(text, at)) at++
  return at
}

/** Whether an address may start at `index`: not inside a word or another scheme (`git+https://`). */
export function mayStartAddress(text: string, index: number): boolean {
  if (index === 0) return true
  const code = text.charCodeAt(index - 1)
  return !(isWord(code) && code !== 95) && code !== 43
}

/** An address as written in `[words](…)` so that it is read back unchanged. */
export function toMarkdownTarget(url: string): string {
  const plain = escapeEntities(url)
  return isBalanced(plain) ? plain : `<${plain}>`
}

/** Whether parentheses are balanced and not nested deeper than Markdown readers allow. */
function isBalanced(url: string): boolean {
  let depth = 0
  for (let at = 0; at < url.length; at++) {
    const code = url.charCodeAt(at)
    if (code === 40 && ++depth > 32) return false
    if (code === 41 && --depth < 0) return false
  }
  return depth === 0
}

/** Escapes each `&` that Markdown and HTML attributes would read as the start of an entity. */
export function escapeEntities(text: string): string {
  return text.includes('&') ? text.replace(/&(?=#?\w+;)/g, '&amp;') : text
}

/** An address as written on its own: in angle brackets if its punctuation could be misread. */
export function toBareTarget(url: string): string {
  const written = escapeEntities(url)
  const { url: read, end } = readBareAddress(written, 0, written.length)
  return read === url && end === written.length ? written : `<${written}>`
}
