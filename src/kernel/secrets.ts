import { decodeEscapes, openEscapeAt } from './decode-escapes.ts'
import { describedOnce } from './described-once.ts'
import type { Json, JsonObject } from './json.ts'

/** Shorter values are no secrets worth the name, and would be found in ordinary words. */
export const minSecretLength = 6

/** Shorter ones may be words, which stand in texts in other letters without giving anything away. */
const minAnyCaseLength = 12

/** How often escapes are resolved: a result of a tool in JSON, in a message, in a line of a log. */
const maxLayers = 4

/**
 * The value with every secret in its texts, numbers and keys replaced by `[secret]`: as it stands, in base64 and hexadecimal, once or
 * twice over, in UTF-16, with up to four layers of escapes (see {@link decodeEscapes}), in lines, and a long one in any letters or
 * turned round. The same value when there is none.
 */
export function redactSecrets<T extends Json>(value: T, secrets: readonly string[]): T {
  const finder = finderOf(secrets)
  return finder.isEmpty ? value : (redact(value, finder) as T)
}

/** As {@link redactSecrets}, for what is shown while it grows: texts without an end in which a secret may have begun. */
export function redactGrowing<T extends Json>(value: T, secrets: readonly string[]): T {
  const finder = finderOf(secrets)
  if (finder.isEmpty) return value
  return redact(value, {
    find(text) {
      const openAt = openSecretAt(text, secrets)
      const found = finder.find(text)
      return text.length - openAt < minSecretLength ? found : [...found, [openAt, text.length]]
    },
  }) as T
}

/** Whether a text holds a secret in any form in which {@link redactSecrets} finds it. */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return finderOf(secrets).find(text).length > 0
}

/** No beginning of a secret that is longer is looked for. */
const maxOpenLength = 16_000

/** From where on the end of a text may be the beginning of a secret, whatever follows; its length where it is none. */
export function openSecretAt(text: string, secrets: readonly string[]): number {
  const from = Math.max(0, text.length - maxOpenLength)
  return from + finderOf(secrets).openAt(text.slice(from))
}

function redact(value: Json | undefined, finder: Pick<SecretFinder, 'find'>): Json | undefined {
  if (typeof value === 'string') return replaced(value, finder.find(value))
  if (typeof value === 'number') {
    const text = String(value)
    return finder.find(text).length > 0 ? redact(text, finder) : value
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => redact(item, finder) as Json)
  const members = Object.entries(value as JsonObject)
  return Object.fromEntries(
    members.map(([key, member]) => [redact(key, finder), redact(member, finder)]),
  )
}

type Range = readonly [from: number, to: number]

function replaced(text: string, ranges: readonly Range[]): string {
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

/** A text that gives a secret away, without what is passed over in others. */
interface Needle {
  readonly text: string
  readonly isAnyCase: boolean
}

const finderOf = describedOnce((secrets: readonly string[]) => new SecretFinder(secrets))

/** Finds secrets in texts. */
class SecretFinder {
  readonly isEmpty: boolean
  private readonly plain: NeedleIndex
  private readonly hex: NeedleIndex

  constructor(secrets: readonly string[]) {
    const known = secrets.filter((secret) => secret.length >= minSecretLength)
    this.isEmpty = known.length === 0
    this.plain = new NeedleIndex(known.flatMap(plainForms), plainKinds)
    this.hex = new NeedleIndex(known.flatMap(hexForms), hexKinds)
  }

  /** Where secrets stand, in any order; parts may overlap. */
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
      // One escape's end may be another's beginning.
      for (let end = openEscapeAt(whole); end < whole.length; end = openEscapeAt(whole))
        whole = whole.slice(0, end)
      const at = Math.min(whole.length, this.plain.openAt(whole), this.hex.openAt(whole))
      openAt = Math.min(openAt, place(at))
      return whole
    })
    return openAt
  }

  /**
   * Looks at a text, and at what it is when its escapes are resolved, layer by layer.
   * @param look gets the way back from places of a layer to the text's, and gives the part of the layer that is resolved
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

/** As many units as a needle is looked up by. */
const keyLength = 4

/** Needles by how they begin, so that a text is gone through once, however many there are. */
class NeedleIndex {
  private readonly byUnit: ReadonlyMap<number, readonly Needle[]>
  private readonly byKey: ReadonlyMap<number, readonly Needle[]>
  private readonly mayBegin = new Uint8Array(65_536)
  private readonly kinds: Kinds

  constructor(needles: readonly Needle[], kinds: Kinds) {
    this.kinds = kinds
    this.byUnit = Map.groupBy(needles, ({ text }) => folded(text.charCodeAt(0)))
    this.byKey = Map.groupBy(needles, ({ text }) => {
      let key = 0
      for (let at = 0; at < keyLength; at++) key = shifted(key, text.charCodeAt(at))
      return key
    })
    for (const key of this.byKey.keys()) this.mayBegin[slotOf(key)] = 1
  }

  find(text: string): readonly Range[] {
    const { mayBegin, byKey, kinds } = this
    const found: Range[] = []
    let [key, count, isIndented] = [0, 0, false]
    // The places of the last four units that count.
    let [first, second, third, fourth] = [0, 0, 0, 0]
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      const kind = kinds[unit] as number
      if (kind !== counts) {
        if (kind === stops) count = 0
        else if (kind === breaks) isIndented = true
        if (kind !== indents || isIndented) continue
      }
      if (isPrefix(kinds, text, at)) {
        at++
        continue
      }
      isIndented = false
      key = shifted(key, unit)
      first = second
      second = third
      third = fourth
      fourth = at
      if (++count < keyLength || mayBegin[slotOf(key)] === 0) continue
      for (const needle of byKey.get(key) ?? []) {
        const { matched, end } = this.compare(text, first, needle)
        if (matched === needle.text.length) found.push([first, end])
      }
    }
    return found
  }

  /** From where on the rest of the text is the beginning of a needle. */
  openAt(given: string): number {
    const { kinds, byUnit } = this
    // Of `0x` the `x` may follow.
    const text = kinds === hexKinds && given.endsWith('0') ? given.slice(0, -1) : given
    for (let at = nextUnit(kinds, text, 0); at < text.length; at = nextUnit(kinds, text, at + 1)) {
      const needles = byUnit.get(folded(text.charCodeAt(at)))
      const isOpen = needles?.some((needle) => {
        const { matched, end } = this.compare(text, at, needle)
        return matched < needle.text.length && nextUnit(kinds, text, end) >= text.length
      })
      if (isOpen === true) return at
    }
    return text.length
  }

  /** How many units of a needle stand in a text from a place on, and where they end. */
  private compare(text: string, from: number, { text: wanted, isAnyCase }: Needle) {
    let [matched, at, end] = [0, from, from]
    while (matched < wanted.length && at < text.length) {
      const [unit, other] = [text.charCodeAt(at), wanted.charCodeAt(matched)]
      if (unit !== other && !(isAnyCase && folded(unit) === folded(other))) break
      matched++
      end = at + 1
      at = nextUnit(this.kinds, text, end)
    }
    return { matched, end }
  }
}

/** A line of a dump as `xxd`, `hexdump -C` and `od` write it: where it stands, numbers, the same as text. */
const dumpLine =
  /^([\da-f]{6,16}(?:: | {1,2}))((?:[\da-f]{4} ){1,8}(?:[\da-f]{2} )?|(?:[\da-f]{2}(?: {1,2}|$)){1,16})(.*)$/gim

/** The lines of a dump in which the numbers are what is looked for. */
function findInDump(text: string, numbers: NeedleIndex): readonly Range[] {
  if (!/^[\da-f]{6,16}:? /im.test(text)) return []
  const alone = text.replaceAll(
    dumpLine,
    (_line, place: string, written: string, same: string) =>
      ' '.repeat(place.length) + written + ' '.repeat(same.length),
  )
  return numbers.find(alone).map(([from, to]) => {
    const end = text.indexOf('\n', to)
    return [text.lastIndexOf('\n', from) + 1, end === -1 ? text.length : end]
  })
}

/** What each UTF-16 unit of a text is for who looks for needles. */
type Kinds = Uint8Array
/** It counts; it is passed over; so is it, with the white space that follows; it is white space; no needle goes on behind it. */
const [counts, passes, breaks, indents, stops] = [0, 1, 2, 3, 4] as const

/** Texts are wrapped, and UTF-16 is full of zero bytes: breaks of lines with what indents the next, and zeros, are passed over. */
const plainKinds = kindsOf(counts, { '\n\r': breaks, '\0': passes, ' \t': indents })
/** In dumps white space, `:`, `,`, `-` and `0x` stand between numbers. */
const hexKinds = kindsOf(stops, { '\n\r \t\0:,-': passes, '0123456789abcdefABCDEF': counts })

function kindsOf(others: number, some: Readonly<Record<string, number>>): Kinds {
  const kinds = new Uint8Array(65_536).fill(others)
  for (const [units, kind] of Object.entries(some))
    for (const unit of units) kinds[unit.charCodeAt(0)] = kind
  return kinds
}

/** Whether `0x` of a number in a dump stands here. */
function isPrefix(kinds: Kinds, text: string, at: number): boolean {
  return kinds === hexKinds && text.charCodeAt(at) === 48 && (text.charCodeAt(at + 1) | 32) === 120
}

/** The place of the next unit that is not passed over, from the one behind such a unit on; the text's length where there is none. */
function nextUnit(kinds: Kinds, text: string, from: number): number {
  let isIndented = false
  for (let at = from; at < text.length; at++) {
    const kind = kinds[text.charCodeAt(at)]
    if (kind === breaks) isIndented = true
    else if (isPrefix(kinds, text, at)) at++
    else if (kind !== passes && !(kind === indents && isIndented)) return at
  }
  return text.length
}

function folded(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit | 32 : unit
}

function shifted(key: number, unit: number): number {
  return (key << 8) | (folded(unit) & 0xff)
}

function slotOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 16
}

/** What gives a secret away as text. */
function plainForms(secret: string): readonly Needle[] {
  const bytes = Buffer.from(secret)
  const wide = [utf16(secret, 'le'), utf16(secret, 'be')]
  const once = [bytes, ...wide].flatMap(inBase64)
  const hex = [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]
  const twice = [...inBase64(bytes), ...hex].flatMap((text) => inBase64(Buffer.from(text)))
  const exact = [bytes.toString('latin1'), ...once, ...twice, ...linesOf(secret)]
  const words = [secret, ...inAddress(secret), ...unescaped(secret)]
  if (secret.length < minAnyCaseLength) return needles([...words, ...exact], false)
  const turned = [...secret].toReversed().join('')
  const changed = [secret.toLowerCase(), secret.toUpperCase(), turned]
  return [...needles([...words, ...changed], true), ...needles(exact, false)]
}

/** What gives a secret away as hexadecimal digits. */
function hexForms(secret: string): readonly Needle[] {
  const bytes = Buffer.from(secret)
  const encoded = inBase64(bytes).map((text) => Buffer.from(text))
  const all = [bytes, utf16(secret, 'le'), utf16(secret, 'be'), ...encoded]
  return needles(
    all.map((one) => one.toString('hex')),
    true,
  )
}

/** What is left of a secret that has escapes itself, when those around it are resolved. */
function unescaped(secret: string): readonly string[] {
  const texts: string[] = []
  for (let text: string | undefined = secret; text !== undefined && texts.length < maxLayers; ) {
    text = decodeEscapes(text)?.text
    if (text !== undefined) texts.push(text)
  }
  return texts
}

function needles(texts: readonly string[], isAnyCase: boolean): readonly Needle[] {
  const all = new Set(texts.map(counting))
  return [...all]
    .filter(({ length }) => length >= minSecretLength)
    .map((text) => ({ text, isAnyCase }))
}

/** A text without what is passed over in others. */
function counting(text: string): string {
  let kept = ''
  const next = (at: number) => nextUnit(plainKinds, text, at)
  for (let at = next(0); at < text.length; at = next(at + 1)) kept += text[at]
  return kept
}

function utf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

/** The digits that bytes alone decide in a base64 text, wherever they begin in it. */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const all = Buffer.concat([Buffer.alloc(offset), bytes])
    const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((all.length * 8) / 6)]
    return (['base64', 'base64url'] as const).map((form) => all.toString(form).slice(from, to))
  })
}

/** As parts of an address have it, each with an alphabet of its own. @see https://url.spec.whatwg.org/#percent-encoded-bytes */
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

/** Of a secret of several lines each that says something, for it may be shown without the others; the frame of a key is none. */
function linesOf(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim())
  const isTelling = (line: string) =>
    line.length >= minAnyCaseLength && !/^-----.*-----$/.test(line)
  return lines.length === 1 ? [] : lines.filter(isTelling)
}
