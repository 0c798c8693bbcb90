import { citableUrl } from './canonical-url.ts'
import { isSpaceAt, isWord } from './characters.ts'

/** A tag of HTML or XML with those of its attributes that cite. */
export interface Tag {
  /** In small letters. */
  readonly name: string
  readonly end: number
  readonly attributes: readonly CitingAttribute[]
}

/** `idx="3"` with its number; `url`, `href` or `src` with its address, quoted or not. */
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
      const citing = citingOf(text.slice(start, found.nameEnd), found)
      if (citing !== undefined) attributes.push({ start, end: found.end, ...citing })
      at = found.end
    }
  }
  return undefined
}

interface Attribute {
  readonly nameEnd: number
  readonly value: string
  readonly isQuoted: boolean
  readonly end: number
}

function attributeAt(text: string, start: number, to: number): Attribute | undefined {
  const end = nameEnd(text, start, to)
  if (end === start) return undefined
  const equals = skip(text, end, to)
  if (text.charCodeAt(equals) !== 61 || equals >= to)
    return { nameEnd: end, value: '', isQuoted: false, end }
  const from = skip(text, equals + 1, to)
  const quote = text.charCodeAt(from)
  const isQuoted = quote === 34 || quote === 39
  for (let at = isQuoted ? from + 1 : from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (isQuoted ? code === quote : isSpaceAt(text, at) || code === 62) {
      if (!isQuoted && at === from) return undefined
      const value = text.slice(isQuoted ? from + 1 : from, at)
      return { nameEnd: end, value, isQuoted, end: isQuoted ? at + 1 : at }
    }
    if (code === 60 || (!isQuoted && (code === 34 || code === 39))) return undefined
  }
  return undefined
}

function citingOf(
  name: string,
  { value, isQuoted }: Attribute,
): { number: number } | { url: string } | undefined {
  if (name === 'idx')
    return isQuoted && /^\s*\d{1,9}\s*$/.test(value) ? { number: Number(value) } : undefined
  if (!/^(?:url|href|src)$/i.test(name) || /[\ue000-\uf8ff]/.test(value)) return undefined
  const url = citableUrl(withoutEntities(value.trim()))
  return url === undefined ? undefined : { url }
}

function withoutEntities(value: string): string {
  if (!value.includes('&')) return value
  return value
    .replaceAll('&quot;', '"')
    .replace(/&#(?:39|x27);/gi, "'")
    .replace(/&colon;|&#(?:58|x3a);/gi, ':')
    .replace(/&sol;|&#(?:47|x2f);/gi, '/')
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
