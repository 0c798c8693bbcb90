import { citableUrl } from './canonical-url.ts'
import { isSpaceAt, isWord } from './characters.ts'

/** A tag of HTML or XML with those of its attributes that cite. */
export interface Tag {
  /** In small letters. */
  readonly name: string
  readonly end: number
  readonly attributes: readonly CitingAttribute[]
}

/** `idx="3"` with its number, `url="…"` or `href="…"` with its address. */
export interface CitingAttribute {
  readonly start: number
  readonly end: number
  readonly number?: number
  readonly url?: string
}

/**
 * The opening tag whose angle bracket stands at `index`. A tag with `<` inside, even in quotes, is none: so no text is
 * read more than once.
 */
export function tagAt(text: string, index: number, to: number): Tag | undefined {
  let at = nameEnd(text, index + 1, to)
  if (at === index + 1 || !/[a-z]/i.test(text.charAt(index + 1))) return undefined
  const name = text.slice(index + 1, at).toLowerCase()
  const attributes: CitingAttribute[] = []
  while (at < to) {
    const start = skip(text, at, to)
    const code = text.charCodeAt(start)
    if (code === 62) return { name, end: start + 1, attributes }
    if (code === 47) at = start + 1
    else {
      if (start === at && text.charCodeAt(at - 1) !== 47) return undefined
      const found = attributeAt(text, start, to)
      if (found === undefined) return undefined
      const citing = citingOf(text.slice(start, found.nameEnd), found.value)
      if (citing !== undefined) attributes.push({ start, end: found.end, ...citing })
      at = found.end
    }
  }
  return undefined
}

function attributeAt(
  text: string,
  start: number,
  to: number,
): { nameEnd: number; value: string | undefined; end: number } | undefined {
  const end = nameEnd(text, start, to)
  if (end === start) return undefined
  const equals = skip(text, end, to)
  if (text.charCodeAt(equals) !== 61 || equals >= to) return { nameEnd: end, value: undefined, end }
  const from = skip(text, equals + 1, to)
  const quote = text.charCodeAt(from)
  const isQuoted = quote === 34 || quote === 39
  for (let at = isQuoted ? from + 1 : from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (isQuoted ? code === quote : isSpaceAt(text, at) || code === 62)
      return isQuoted
        ? { nameEnd: end, value: text.slice(from + 1, at), end: at + 1 }
        : at === from
          ? undefined
          : { nameEnd: end, value: undefined, end: at }
    if (code === 60 || (!isQuoted && (code === 34 || code === 39))) return undefined
  }
  return undefined
}

function citingOf(name: string, value = ''): { number: number } | { url: string } | undefined {
  if (name === 'idx') return /^\s*\d{1,9}\s*$/.test(value) ? { number: Number(value) } : undefined
  if (!/^(?:url|href)$/i.test(name)) return undefined
  const url = citableUrl(withoutEntities(value.trim()))
  return url === undefined ? undefined : { url }
}

function withoutEntities(value: string): string {
  if (!value.includes('&')) return value
  return value
    .replaceAll('&quot;', '"')
    .replace(/&#(?:39|x27);/gi, "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function nameEnd(text: string, start: number, to: number): number {
  let at = start
  while (at < to && (isWord(text.charCodeAt(at)) || '-:.@'.includes(text.charAt(at)))) at++
  return at
}

function skip(text: string, start: number, to: number): number {
  let at = start
  while (at < to && isSpaceAt(text, at)) at++
  return at
}
