/** A text to be found, without what is passed over in the texts that are looked through. */
export interface Needle {
  readonly text: string
  readonly isAnyCase: boolean
}

/** Where something begins in a text and where it ends. */
export type Range = readonly [from: number, to: number]

/** As many units as a needle is looked up by. */
const keyLength = 4

/** Needles by how they begin, so that a text is gone through once, however many there are. */
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
      if (++count < keyLength || mayBegin[hashSlot(key)] === 0) continue
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
/** Compared; ignored; ignored with the white space after it; white space; ends every match. */
const [counts, passes, breaks, indents, stops] = [0, 1, 2, 3, 4] as const

/** Texts are wrapped, and UTF-16 is full of zero bytes: breaks of lines with what indents the next, and zeros, are passed over. */
const plainKinds = createKinds(counts, { '\n\r': breaks, '\0': passes, ' \t': indents })
/** In dumps white space, `:`, `,`, `-` and `0x` stand between numbers. */
const hexKinds = createKinds(stops, { '\n\r \t\0:,-': passes, '0123456789abcdefABCDEF': counts })

function createKinds(others: number, some: Readonly<Record<string, number>>): Kinds {
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

function hashSlot(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 16
}

/** A text without the units that a search ignores: the form a needle must have. */
export function stripIgnored(text: string): string {
  let kept = ''
  const next = (at: number) => nextUnit(plainKinds, text, at)
  for (let at = next(0); at < text.length; at = next(at + 1)) kept += text[at]
  return kept
}

/** Needles to be found in any text, also over several lines. */
export function plainIndex(needles: readonly Needle[]): NeedleIndex {
  return new NeedleIndex(needles, plainKinds)
}

/** Needles of hexadecimal digits, also with what stands between the numbers of a dump. */
export function hexIndex(needles: readonly Needle[]): NeedleIndex {
  return new NeedleIndex(needles, hexKinds)
}
