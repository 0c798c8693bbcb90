import { decodeEscapes } from '../text/decode-escapes.ts'
import { type Needle, stripIgnored } from './needle-index.ts'

/** Shorter values are not treated as secrets: they would match ordinary words. */
export const minSecretLength = 6

/** Shorter secrets may be words, whose other spellings in upper or lower case reveal nothing. */
const minAnyCaseLength = 12

/** How many layers of escapes are decoded: a tool result in JSON, in a message, in a log line. */
export const maxLayers = 4

/** The forms in which text reveals a secret. */
export function plainForms(secret: string): readonly Needle[] {
  const bytes = Buffer.from(secret)
  const wide = [utf16(secret, 'le'), utf16(secret, 'be')]
  const once = [bytes, ...wide].flatMap(inBase64)
  const hex = [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]
  const twice = [...inBase64(bytes), ...hex].flatMap((text) => inBase64(Buffer.from(text)))
  const exact = [bytes.toString('latin1'), ...once, ...twice, ...splitSecretLines(secret)]
  const words = [secret, ...inAddress(secret), ...unescaped(secret)]
  if (secret.length < minAnyCaseLength) return needles([...words, ...exact], false)
  const turned = [...secret].toReversed().join('')
  const changed = [secret.toLowerCase(), secret.toUpperCase(), turned]
  return [...needles([...words, ...changed], true), ...needles(exact, false)]
}

/** The forms in which hexadecimal digits reveal a secret. */
export function hexForms(secret: string): readonly Needle[] {
  const bytes = Buffer.from(secret)
  const encoded = inBase64(bytes).map((text) => Buffer.from(text))
  const all = [bytes, utf16(secret, 'le'), utf16(secret, 'be'), ...encoded]
  return needles(
    all.map((one) => one.toString('hex')),
    true,
  )
}

/** The forms of a secret that contains escapes itself, after the escapes around it are decoded. */
function unescaped(secret: string): readonly string[] {
  const texts: string[] = []
  for (let text: string | undefined = secret; text !== undefined && texts.length < maxLayers; ) {
    text = decodeEscapes(text)?.text
    if (text !== undefined) texts.push(text)
  }
  return texts
}

function needles(texts: readonly string[], isAnyCase: boolean): readonly Needle[] {
  const all = new Set(texts.map(stripIgnored))
  return [...all]
    .filter(({ length }) => length >= minSecretLength)
    .map((text) => ({ text, isAnyCase }))
}

function utf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

/** The base64 digits that depend only on these bytes, for each alignment in a longer text. */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const all = Buffer.concat([Buffer.alloc(offset), bytes])
    const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((all.length * 8) / 6)]
    return (['base64', 'base64url'] as const).map((form) => all.toString(form).slice(from, to))
  })
}

/**
 * URL-encoded, with the alphabets of the different URL parts.
 * @see https://url.spec.whatwg.org/#percent-encoded-bytes
 */
function inAddress(secret: string): readonly string[] {
  const text = secret.toWellFormed()
  const url = new URL('http://user@host/')
  url.pathname = `/${text}`
  url.search = `?${text}`
  url.hash = `#${text}`
  url.username = text
  const form = new URLSearchParams([['', text]]).toString().slice(1)
  return [form, url.pathname.slice(1), url.search.slice(1), url.hash.slice(1), url.username]
}

/**
 * The significant lines of a multi-line secret, which may appear separately; the first and last line of a PEM key are not
 * significant.
 */
function splitSecretLines(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim())
  const isTelling = (line: string) =>
    line.length >= minAnyCaseLength && !/^-----.*-----$/.test(line)
  return lines.length === 1 ? [] : lines.filter(isTelling)
}
