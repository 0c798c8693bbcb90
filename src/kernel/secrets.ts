import { describedOnce } from './described-once.ts'
import type { Json, JsonObject } from './json.ts'

/** Shorter values are no secrets worth the name, and would be found in ordinary words. */
export const minSecretLength = 6

/** Shorter ones may be words, which stand in texts in other letters without giving anything away. */
const minAnyCaseLength = 12

/**
 * The value with every secret in its texts and keys replaced by `[secret]`, also in base64, as a part of an address, in JSON and,
 * a long one, in small or capital letters alone; the same
 * value when there is none.
 */
export function redactSecrets<T extends Json>(value: T, secrets: readonly string[]): T {
  const forms = secretForms(secrets)
  return forms.length === 0 ? value : (redact(value, forms) as T)
}

/** All texts that give a secret away: each as it is, as a part of an address, in JSON, in base64, and line by line. */
export const secretForms = describedOnce((secrets: readonly string[]): readonly string[] => {
  const known = secrets.filter((secret) => secret.length >= minSecretLength)
  const encoded = known.flatMap((secret) => [
    ...inOneCase(secret),
    ...inAddress(secret),
    ...inJson(secret),
    ...[0, 1, 2].flatMap((offset) => inBase64(secret, offset)),
  ])
  const long = encoded.filter(({ length }) => length >= minSecretLength)
  return [...new Set([...known, ...long, ...known.flatMap(linesOf)])]
})

/** Of a secret of several lines each that says something, for it may be shown without the others; the frame of a key is none. */
function linesOf(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim())
  const isTelling = (line: string) =>
    line.length >= minAnyCaseLength && !/^-----.*-----$/.test(line)
  return lines.length === 1 ? [] : lines.filter(isTelling)
}

/** In small letters, as the host of an address has it, and in capital ones. */
function inOneCase(secret: string): readonly string[] {
  if (secret.length < minAnyCaseLength) return []
  return [secret, encodeURIComponent(secret.toWellFormed())].flatMap((text) => [
    text.toLowerCase(),
    text.toUpperCase(),
  ])
}

/** As parts of an address have it, each with an alphabet of its own, digits of codes in both cases. @see https://url.spec.whatwg.org/#percent-encoded-bytes */
function inAddress(secret: string): readonly string[] {
  const text = secret.toWellFormed()
  const url = new URL('http://user@host/')
  url.pathname = `/${text}`
  url.search = `?${text}`
  url.hash = `#${text}`
  url.username = text
  const parts = [url.pathname.slice(1), url.search.slice(1), url.hash.slice(1), url.username]
  const form = new URLSearchParams([['', text]]).toString().slice(1)
  const all = [encodeURIComponent(text), encodeURI(text), form, ...parts]
  return all.flatMap((part) => [
    part,
    part.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ])
}

/** As a text in JSON has it, also with `/` or all but ASCII escaped, and as JSON in a text of JSON has it. */
function inJson(secret: string): readonly string[] {
  const inside = (text: string) => JSON.stringify(text).slice(1, -1)
  const once = inside(secret)
  const ascii = once.replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [once, once.replaceAll('/', '\\/'), ascii].flatMap((text) => [text, inside(text)])
}

/** The digits that a secret alone decides in a base64 text, where it begins so many bytes after a multiple of three. */
function inBase64(secret: string, offset: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)]
  return (['base64', 'base64url'] as const).map((form) => bytes.toString(form).slice(from, to))
}

function redact(value: Json | undefined, secrets: readonly string[]): Json | undefined {
  if (typeof value === 'string') {
    return secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), value)
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => redact(item, secrets) as Json)
  const members = Object.entries(value as JsonObject)
  return Object.fromEntries(
    members.map(([key, member]) => [redact(key, secrets), redact(member, secrets)]),
  )
}
