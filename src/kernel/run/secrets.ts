import type { Json, JsonObject } from '../json.ts'
import { decodeEscapes, openEscapeAt } from '../text/decode-escapes.ts'
import { memoizeByIdentity } from './memoize-by-identity.ts'
import { findInDump, hexIndex, type NeedleIndex, plainIndex, type Range } from './needle-index.ts'
import { hexForms, maxLayers, minSecretLength, plainForms } from './secret-forms.ts'

/**
 * Replaces every secret in a value's texts and keys with `[secret]`. Finds secrets verbatim; in base64 and hexadecimal, once or
 * twice encoded; in UTF-16; under up to four layers of escapes (see {@link decodeEscapes}); across lines; and long ones in any
 * case or reversed. Returns the same value if there is none.
 */
export function redactSecrets<T extends Json>(value: T, secrets: readonly string[]): T {
  const finder = createFinder(secrets)
  return finder.isEmpty ? value : (redact(value, finder) as T)
}

/** Like {@link redactSecrets}, for growing texts: also replaces an end that may be the beginning of a secret. */
export function redactGrowing<T extends Json>(value: T, secrets: readonly string[]): T {
  const finder = createFinder(secrets)
  if (finder.isEmpty) return value
  return redact(value, {
    find(text) {
      const openAt = openSecretAt(text, secrets)
      const found = finder.find(text)
      return text.length - openAt < minSecretLength ? found : [...found, [openAt, text.length]]
    },
  }) as T
}

/** Whether a text contains a secret in any form that {@link redactSecrets} finds. */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return createFinder(secrets).find(text).length > 0
}

/** The longest beginning of a secret that is searched for at the end of a text. */
const maxOpenLength = 4_000

/** The position from which the end of a text may be the beginning of a secret, whatever follows; its length if none. */
export function openSecretAt(text: string, secrets: readonly string[]): number {
  const from = Math.max(0, text.length - maxOpenLength)
  return from + createFinder(secrets).openAt(text.slice(from))
}

function redact(value: Json | undefined, finder: Pick<SecretFinder, 'find'>): Json | undefined {
  if (typeof value === 'string') return replaceRanges(value, finder.find(value))
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => redact(item, finder) as Json)
  const members = Object.entries(value as JsonObject)
  return Object.fromEntries(
    members.map(([key, member]) => [redact(key, finder), redact(member, finder)]),
  )
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text
  const parts: string[] = []
  let [at, end] = [0, -1]
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from >= end) {
      parts.push(text.slice(Math.max(at, end), from), '[secret]')
      at = from
    }
    end = Math.max(end, to)
  }
  return parts.join('') + text.slice(end)
}

const createFinder = memoizeByIdentity((secrets: readonly string[]) => new SecretFinder(secrets))

/** Finds secrets in texts. */
class SecretFinder {
  readonly isEmpty: boolean
  private readonly plain: NeedleIndex
  private readonly hex: NeedleIndex

  constructor(secrets: readonly string[]) {
    const known = secrets.filter((secret) => secret.length >= minSecretLength)
    this.isEmpty = known.length === 0
    this.plain = plainIndex(known.flatMap(plainForms))
    this.hex = hexIndex(known.flatMap(hexForms))
  }

  /** The ranges of secrets, unordered and possibly overlapping. */
  find(text: string): readonly Range[] {
    if (this.isEmpty || text.length < minSecretLength) return []
    const found: Range[] = []
    this.eachLayer(text, (layer, place) => {
      for (const [from, to] of [
        ...this.plain.find(layer),
        ...this.hex.find(layer),
        ...findInDump(layer, this.hex),
      ])
        found.push([place(from), place(to)])
      return layer
    })
    return found
  }

  openAt(text: string): number {
    if (this.isEmpty) return text.length
    let openAt = text.length
    this.eachLayer(text, (layer, place) => {
      let whole = layer
      // The end of one escape may be the beginning of another.
      for (let end = openEscapeAt(whole); end < whole.length; end = openEscapeAt(whole))
        whole = whole.slice(0, end)
      const at = Math.min(whole.length, this.plain.openAt(whole), this.hex.openAt(whole))
      openAt = Math.min(openAt, place(at))
      return whole
    })
    return openAt
  }

  /**
   * Visits a text and its decoded forms, one layer of escapes after another.
   * @param look gets a function that maps positions of a layer back to the text, and returns the part of the layer to decode next
   */
  private eachLayer(text: string, look: (layer: string, place: (at: number) => number) => string) {
    let layer = text
    let starts: Int32Array | undefined
    for (let count = 0; count <= maxLayers; count++) {
      const known = starts
      const part = look(layer, known === undefined ? (at) => at : (at) => known[at] as number)
      const decoded = count === maxLayers ? undefined : decodeEscapes(part)
      if (decoded === undefined) return
      layer = decoded.text
      starts = decoded.starts
      if (known !== undefined)
        for (let at = 0; at < starts.length; at++)
          starts[at] = known[starts[at] as number] as number
    }
  }
}
