import { toCitableUrl } from './canonical-url.ts'
import { isEscapable, isPrivateUse, isSpaceAt, isWord, unescapeMarkdown } from './characters.ts'

/** An address that stands in a text up to `end`; `url` is absent where it is none after all (`http://%`). */
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
 * The bare address that starts at `index` and ends before `to`. Punctuation at its end is the sentence's; brackets belong
 * to it while they are balanced; where `,` or `;` is followed by another address, that is a second one.
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

/** Behind the brackets of `?list[]=1`, or `at` where they are none. */
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

/** The address of `<https://…>` whose angle bracket stands at `index`. */
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

/** Nested parentheses in an address: more are refused, so that no text takes time in the square of its length. */
const maxDepth = 32
const maxTitleChars = 1000

/**
 * What `(https://… "title")` at `index`, the parenthesis, links to. `url` is absent where it is well-formed and leads
 * elsewhere than to http or https.
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

/** What stands at `index` in the place of an address, in angle brackets or not. */
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

/** The quoted title that starts at `index`. */
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

/** The first place from `index` on that is no white space, at most `to`. */
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

/** An address as it stands in `[words](…)` so that exactly it is read again. */
export function toMarkdownTarget(url: string): string {
  const plain = escapeEntities(url)
  return isBalanced(plain) ? plain : `<${plain}>`
}

/** Whether every parenthesis has its counterpart, with no more inside each other than readers of Markdown allow. */
function isBalanced(url: string): boolean {
  let depth = 0
  for (let at = 0; at < url.length; at++) {
    const code = url.charCodeAt(at)
    if (code === 40 && ++depth > 32) return false
    if (code === 41 && --depth < 0) return false
  }
  return depth === 0
}

/** A text in which no `&` starts an entity of HTML, as in Markdown and in attributes it would. */
export function escapeEntities(text: string): string {
  return text.includes('&') ? text.replace(/&(?=#?\w+;)/g, '&amp;') : text
}

/** An address as it stands by itself: in angle brackets where punctuation at its end or in it would not be taken for its own. */
export function toBareTarget(url: string): string {
  const written = escapeEntities(url)
  const { url: read, end } = readBareAddress(written, 0, written.length)
  return read === url && end === written.length ? written : `<${written}>`
}
