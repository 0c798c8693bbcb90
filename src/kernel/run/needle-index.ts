/** A text to search for, without the characters that a search ignores. */
export interface Needle {
  readonly text: string
  readonly isAnyCase: boolean
}

/** Half-open range in a text. */
export type Range = readonly [from: number, to: number]

/** Number of code units by which needles are indexed. */
const keyLength = 4

/** An index of needles by their first characters, so that a text is scanned once however many there are. */
export class NeedleIndex {
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
    for (const key of this.byKey.keys()) this.mayBegin[hashSlot(key)] = 1
  }

  find(text: string): readonly Range[] {
    const { mayBegin, byKey, kinds } = this
    const found: Range[] = []
    let [key, count, isIndented] = [0, 0, false]
    // The positions of the last four significant units.
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
      if (++count < keyLength || mayBegin[hashSlot(key)] === 0) continue
      for (const needle of byKey.get(key) ?? []) {
        const { matched, end } = this.compare(text, first, needle)
        if (matched === needle.text.length) found.push([first, end])
      }
    }
    return found
  }

  /** The position from which the end of the text may be the start of a needle. */
  openAt(given: string): number {
    const { kinds, byUnit } = this
    // After `0`, the `x` of `0x` may follow.
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

  /** Compares a needle with a text from a position on: how many units match, and where they end. */
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

/** A line of a hex dump as written by `xxd`, `hexdump -C` or `od`: offset, numbers, and the same as text. */
const dumpLine =
  /^([\da-f]{6,16}(?:: | {1,2}))((?:[\da-f]{4} ){1,8}(?:[\da-f]{2} )?|(?:[\da-f]{2}(?: {1,2}|$)){1,16})(.*)$/gim

/** Ranges of hex dump lines whose numbers contain a needle. */
export function findInDump(text: string, numbers: NeedleIndex): readonly Range[] {
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

/** How a search treats each UTF-16 code unit of a text. */
type Kinds = Uint8Array
/** Compared; ignored; ignored together with the white space after it; white space; ends every match. */
const [counts, passes, breaks, indents, stops] = [0, 1, 2, 3, 4] as const

/** Texts are wrapped, and UTF-16 is full of zero bytes: line breaks with the indentation after them, and zeros, are ignored. */
const plainKinds = createKinds(counts, { '\n\r': breaks, '\0': passes, ' \t': indents })
/** In dumps, white space, `:`, `,`, `-` and `0x` separate numbers. */
const hexKinds = createKinds(stops, { '\n\r \t\0:,-': passes, '0123456789abcdefABCDEF': counts })

function createKinds(others: number, some: Readonly<Record<string, number>>): Kinds {
  const kinds = new Uint8Array(65_536).fill(others)
  for (const [units, kind] of Object.entries(some))
    for (const unit of units) kinds[unit.charCodeAt(0)] = kind
  return kinds
}

/** Whether this is the `0x` of a number in a dump. */
function isPrefix(kinds: Kinds, text: string, at: number): boolean {
  return kinds === hexKinds && text.charCodeAt(at) === 48 && (text.charCodeAt(at + 1) | 32) === 120
}

/** The position of the next significant unit after a significant one; the text's length if there is none. */
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

function hashSlot(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 16
}

/** A text without the units that a search ignores: the required form of a needle. */
export function stripIgnored(text: string): string {
  let kept = ''
  const next = (at: number) => nextUnit(plainKinds, text, at)
  for (let at = next(0); at < text.length; at = next(at + 1)) kept += text[at]
  return kept
}

/** An index for finding needles in any text, even across lines. */
export function plainIndex(needles: readonly Needle[]): NeedleIndex {
  return new NeedleIndex(needles, plainKinds)
}

/** An index for finding hexadecimal needles, even with separators between the numbers of a dump. */
export function hexIndex(needles: readonly Needle[]): NeedleIndex {
  return new NeedleIndex(needles, hexKinds)
}
