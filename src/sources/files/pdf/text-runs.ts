import type { TextRun } from './lines.ts'
import type { Glyph, GlyphStyle } from './page-glyphs.ts'

/** Text within this many degrees of a right angle counts as straight, as on scanned pages. */
const straightDegrees = 3
/** Lengths in ems. Gaps that mean a space; smaller after a blank. */
const spaceEm = 0.102
const spaceAfterBlankEm = 0.03
/** Larger gaps after, before, above or below start another run. */
const maxGapEm = 0.6
const maxBackEm = 0.2
const maxShiftEm = 0.25
/** A run that starts this close to the start of the last overlays it. */
const repeatedEm = 0.1
/** Larger shifts from the baseline are another line, without a space between. */
const maxLineShiftEm = 1

/** Consecutive glyphs in one font, size and direction, with the spaces between them. */
interface OpenRun {
  readonly text: string[]
  readonly first: Glyph
  last: Glyph
}

/** Groups glyphs into runs, in order; a blank run separates two on one line with a space between them. */
export function toRuns(glyphs: readonly Glyph[]): TextRun[] {
  const runs: TextRun[] = []
  let open: OpenRun | undefined
  let isAfterBlank = false
  for (const glyph of glyphs) {
    const sort = characterSort(glyph.text)
    if (sort === 'format') continue
    if (sort === 'blank') {
      isAfterBlank = true
      continue
    }
    const way = open === undefined ? undefined : stepTo(glyph, open.last)
    const isSpaced = way !== undefined && isSpace(way, isAfterBlank)
    isAfterBlank = false
    if (
      open !== undefined &&
      way !== undefined &&
      (sort === 'accent' || isSameRun(glyph, way, open))
    ) {
      if (isSpaced) open.text.push(' ')
      open.text.push(glyph.text)
      if (sort !== 'accent') open.last = glyph
      continue
    }
    if (open !== undefined) {
      const run = toRun(open)
      push(runs, run)
      if (isSpaced) runs.push({ ...run, text: ' ' })
    }
    open = { text: [glyph.text], first: glyph, last: glyph }
  }
  if (open !== undefined) push(runs, toRun(open))
  return runs
}

/** A character's role in a run. An accent is drawn over the previous letter. */
function characterSort(text: string): 'letter' | 'blank' | 'accent' | 'format' {
  if (text.length === 1 && text > ' ' && text < '\u007f') return 'letter'
  if (/^\s/.test(text)) return 'blank'
  if (/^\p{Mn}/u.test(text)) return 'accent'
  return /^\p{Cf}/u.test(text) ? 'format' : 'letter'
}

/** Adds a run. A run with the last one's text at nearly the same place replaces it: some producers make text bold that way. */
function push(runs: TextRun[], run: TextRun): void {
  const last = runs.at(-1)
  const isRepeated =
    last !== undefined &&
    run.text.startsWith(last.text) &&
    Math.abs(run.x - last.x) < repeatedEm * run.size &&
    Math.abs(run.y - last.y) < repeatedEm * run.size
  if (isRepeated) runs.pop()
  runs.push(run)
}

/** The distance from one glyph's end to another's start, in ems: along the baseline, and above it. */
interface GlyphStep {
  readonly along: number
  readonly above: number
}

function stepTo({ x, y }: Glyph, last: Glyph): GlyphStep {
  const { em } = last.style
  const [alongX, alongY] = last.style.along
  const byX = (x - last.x) / em
  const byY = (y - last.y) / em
  return {
    along: byX * alongX + byY * alongY - last.advance / em,
    above: byY * alongX - byX * alongY,
  }
}

function isSpace({ along, above }: GlyphStep, isAfterBlank: boolean): boolean {
  if (Math.abs(above) > maxLineShiftEm) return false
  return along >= spaceEm || (isAfterBlank && along > spaceAfterBlankEm)
}

function isSameRun(glyph: Glyph, { along, above }: GlyphStep, { last }: OpenRun): boolean {
  return (
    along >= -maxBackEm &&
    along <= maxGapEm &&
    Math.abs(above) <= maxShiftEm &&
    (glyph.style === last.style || isAlike(glyph.style, last.style))
  )
}

function isAlike(one: GlyphStyle, other: GlyphStyle): boolean {
  return (
    one.font === other.font &&
    Math.abs(one.size - other.size) < 0.01 * other.size &&
    (one.axes === other.axes || glyphDirection(one).name === glyphDirection(other).name)
  )
}

/** A run positioned along its own axes, so that rotated and mirrored pages read like any other. */
function toRun({ text: drawn, first, last }: OpenRun): TextRun {
  const { x, y, style } = first
  const { cosine, sine, handedness, name } = glyphDirection(style)
  const [alongX, alongY] = last.style.along
  const length = (last.x - x) * alongX + (last.y - y) * alongY + last.advance
  const { text, rightToLeft } = toLogicalOrder(drawn)
  return {
    text,
    x: cosine * x + sine * y,
    y: handedness * (cosine * y - sine * x),
    width: style.isVertical ? style.em : Math.abs(length),
    size: style.size,
    font: style.font,
    rightToLeft,
    direction: name,
  }
}

/** Where text runs to. */
interface GlyphDirection {
  readonly cosine: number
  readonly sine: number
  /** -1 if it is mirrored, else 1. */
  readonly handedness: number
  readonly name: string
}

const directions = new WeakMap<GlyphStyle['axes'], GlyphDirection>()

function glyphDirection({ axes }: GlyphStyle): GlyphDirection {
  let direction = directions.get(axes)
  if (direction === undefined) {
    direction = findDirection(axes)
    directions.set(axes, direction)
  }
  return direction
}

function findDirection([a, b, c, d]: GlyphStyle['axes']): GlyphDirection {
  const degrees = (Math.atan2(b, a) * 180) / Math.PI
  const quarter = Math.round(degrees / 90) * 90
  const angle = Math.abs(degrees - quarter) <= straightDegrees ? quarter : Math.round(degrees)
  const handedness = a * d - b * c < 0 ? -1 : 1
  return {
    cosine: Math.cos((angle * Math.PI) / 180),
    sine: Math.sin((angle * Math.PI) / 180),
    handedness,
    name: `${(angle + 360) % 360} ${handedness}`,
  }
}

/** Characters without a readable mapping, including symbol fonts and control characters. */
const unreadable = /[\p{Co}\p{Cc}\ufffd]/gu

/** Counts the unreadable characters of a text. */
export function countUnreadable(text: string): number {
  if (text.length === 1 && text >= ' ' && text <= '~') return 0
  return text.match(unreadable)?.length ?? 0
}

const isPlain = /^[ -~]*$/

/** Ligatures, positional forms, wide spaces: characters Unicode has for compatibility only. */
const compatible =
  /[\u00a0\u00b5\u037e\u0eb3\u2000-\u200a\u202f\u2126\ufb00-\ufb06\ufb1d-\ufdff\ufe70-\ufefc]+/g

/** The text without unreadable characters, with ligatures as letters and symbol-font bullets as bullets. */
function readable(text: string): string {
  return text
    .replace(/[\uf0b7\uf0a7]/g, '•')
    .replace(/[\t\n\r]/g, ' ')
    .replace(unreadable, '')
    .replace(compatible, (forms) => forms.normalize('NFKC'))
}

/** A line's text in reading order, and its direction. */
interface DirectedText {
  readonly text: string
  readonly rightToLeft: boolean
}

const rightToLeftLetter = /[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const digit = /[\d\u0660-\u0669\u06f0-\u06f9]/
const letter = /\p{L}/u
/** Characters between the digits of a number. */
const inNumber = /[.,:/+-]/
/** In a text with a smaller share of right-to-left characters, only those are reversed. */
const minPart = 0.3
/** In shorter texts every character counts. */
const shortUnits = 4

/**
 * The text of pieces, each a character or ligature, drawn from left to right. Right-to-left scripts are reversed,
 * numbers and other words among them are not: Unicode's rules without embedding marks.
 * @see https://www.unicode.org/reports/tr9/
 */
function toLogicalOrder(drawn: readonly string[]): DirectedText {
  const text = drawn.join('')
  if (isPlain.test(text)) return { text, rightToLeft: false }
  if (!rightToLeftLetter.test(text)) return { text: readable(text), rightToLeft: false }
  const characters = [...drawn]
  const turned = characters.filter((one) => rightToLeftLetter.test(one)).length
  const rightToLeft = turned >= minPart * characters.length || characters.length <= shortUnits
  const levels = findLevels(characters, rightToLeft)
  for (let level = 2; level > 0; level--) reverseFrom(level, characters, levels)
  return { text: readable(characters.join('')), rightToLeft }
}

/** Left to right, right to left, a number in right-to-left text, or like its surroundings. */
type Direction = 'left' | 'right' | 'number' | 'neutral'

/** Even levels run left to right, odd ones right to left; a higher level is reversed within the lower ones around it. */
function findLevels(characters: readonly string[], rightToLeft: boolean): readonly number[] {
  const base = rightToLeft ? 'right' : 'left'
  const ways = characters.map(characterDirection)
  let last: Direction = base
  for (const [index, way] of ways.entries()) {
    if (way === 'number' && last === 'left') ways[index] = 'left'
    else if (way === 'left' || way === 'right') last = way
  }
  for (let start = 0; start < ways.length; start++) {
    if (ways[start] !== 'neutral') continue
    let end = start
    while (ways[end] === 'neutral') end++
    const isBetween = textSide(ways[start - 1] ?? base) === textSide(ways[end] ?? base)
    ways.fill(isBetween ? textSide(ways[start - 1] ?? base) : base, start, end)
  }
  const forwards = rightToLeft ? 2 : 0
  return ways.map((way) => (way === 'right' ? 1 : way === 'number' ? 2 : forwards))
}

function characterDirection(one: string, index: number, characters: readonly string[]): Direction {
  if (rightToLeftLetter.test(one)) return 'right'
  if (letter.test(one)) return 'left'
  const isBetweenDigits =
    digit.test(characters[index - 1] ?? '') && digit.test(characters[index + 1] ?? '')
  return digit.test(one) || (inNumber.test(one) && isBetweenDigits) ? 'number' : 'neutral'
}

function textSide(way: Direction): 'left' | 'right' {
  return way === 'left' ? 'left' : 'right'
}

/** Reverses, in place, sequences at this level or higher. */
function reverseFrom(level: number, characters: string[], levels: readonly number[]): void {
  for (let start = 0; start < levels.length; start++) {
    if ((levels[start] as number) < level) continue
    let end = start
    while ((levels[end] ?? 0) >= level) end++
    characters.splice(start, end - start, ...characters.slice(start, end).reverse())
    start = end
  }
}
