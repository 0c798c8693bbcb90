import { type Box, isEmpty, overlap } from './geometry.ts'
import type { Glyph } from './page-glyphs.ts'
import type { Area, PageObjects, Paint, TextPaint } from './page-objects.ts'
import type { Changes, Picture, PixelBox } from './page-picture.ts'

/** Why a glyph is invisible. */
export type HiddenWhy =
  | 'not painted'
  | 'in a layer that is off'
  | 'smaller than 1 point'
  | 'outside of what is shown'
  | 'in the colour of its background'
  | 'covered by what is drawn later'

/** The visible part of a page's text. */
export interface VisibleText {
  readonly glyphs: readonly Glyph[]
  /** Reasons why text was left out. */
  readonly hidden: ReadonlySet<HiddenWhy>
  /** Whether the text was recognised in the page's picture: invisible, but the picture shows the same. */
  readonly isRecognised: boolean
}

/** A page whose text is judged. */
export interface JudgedPage {
  /** The visible part of the page. */
  readonly view: Box
  readonly objects: PageObjects
  readonly glyphs: readonly Glyph[]
  /** Whether the file may have layers that are off. */
  readonly hasLayers: () => boolean
  /** A part of the page as a viewer draws it, but for some of its objects. */
  readonly draw: (part: Box, changes: Changes) => Picture
  /** The box of a glyph's ink. */
  readonly inkOf: (glyph: Glyph) => Box
}

/** Smaller text, in points, is unreadable. Labels in figures of papers go down to 1.03. */
const minSizePoints = 1
/** Minimum opacity of visible content, and of what covers other content, of 255. */
const minOpacity = 13
const minCovering = 242
/** Colours are indistinguishable if red, green and blue each differ by less than this, of 255. */
const minDifference = 12
/**
 * A page is a scan with recognised text if pictures cover this share of it, and this share of its text is invisible but
 * for them.
 */
const minPicturePart = 0.5
const minUnseenPart = 0.5
/** Sample points per side of a page for measuring the area covered by pictures. */
const samples = 16
/** Height of lower-case letters, and of capitals. */
const lowerCaseEm = 0.6
const capitalEm = 0.7
const paper: Paint = [255, 255, 255, 255]
/** Text rendering modes. @see ISO 32000-1, 9.3.6 */
const fillingModes: ReadonlySet<number> = new Set([0, 2, 4, 6])
const strokingModes: ReadonlySet<number> = new Set([1, 2, 5, 6])
const firstClippingMode = 4

/** Recognised text is unpainted or behind the picture. */
const byScans: ReadonlySet<HiddenWhy> = new Set(['not painted', 'covered by what is drawn later'])

/**
 * Determines which text of a page a viewer sees. Where colours, layers or later objects leave a doubt, the page is drawn
 * with and without that text: what makes no difference is invisible.
 */
export function findVisibleText(page: JudgedPage): VisibleText {
  const hidden = new Map<Glyph, HiddenWhy>()
  const doubts = new Map<Glyph, HiddenWhy>()
  const judge = createJudge(page)
  for (const glyph of page.glyphs) {
    const { why, isSure } = judge(glyph) ?? {}
    if (why !== undefined) (isSure ? hidden : doubts).set(glyph, why)
  }
  if (doubts.size > 0) for (const glyph of findUnseen(page, doubts)) hidden.set(...glyph)
  if (hidden.size === 0) return { glyphs: page.glyphs, hidden: new Set(), isRecognised: false }
  const isScan = isScanned(page, [...hidden.values()])
  const reasons = new Set<HiddenWhy>()
  const glyphs = page.glyphs.filter((glyph) => {
    const why = hidden.get(glyph)
    if (why === undefined || (isScan && byScans.has(why))) return true
    if (glyph.text.trim() !== '') reasons.add(why)
    return false
  })
  const isRecognised = isScan && [...hidden.values()].some((why) => byScans.has(why))
  return { glyphs, hidden: reasons, isRecognised }
}

/** Why a glyph is invisible, or may be. */
interface Verdict {
  readonly why: HiddenWhy
  readonly isSure: boolean
}

const unpainted: Verdict = { why: 'not painted', isSure: true }
const tiny: Verdict = { why: 'smaller than 1 point', isSure: true }
const outside: Verdict = { why: 'outside of what is shown', isSure: true }
const perhapsUnpainted: Verdict = { why: 'not painted', isSure: false }
const perhapsOff: Verdict = { why: 'in a layer that is off', isSure: false }
const perhapsLost: Verdict = { why: 'in the colour of its background', isSure: false }
const perhapsCovered: Verdict = { why: 'covered by what is drawn later', isSure: false }

function createJudge({
  view,
  objects,
  hasLayers,
}: JudgedPage): (glyph: Glyph) => Verdict | undefined {
  const areasAt = indexAreas(view, objects.areas)
  let last: TextPaint | undefined
  let byPaint: Verdict | undefined
  return (glyph) => {
    const { paint, size } = glyph.style
    if (paint !== last) byPaint = judgePaint(paint, hasLayers)
    last = paint
    if (byPaint?.isSure) return byPaint
    if (size < minSizePoints) return tiny
    if (isOutside(glyph, paint.clip)) return outside
    return byPaint ?? judgeAmong(glyph, areasAt)
  }
}

function judgePaint(paint: TextPaint, hasLayers: () => boolean): Verdict | undefined {
  const { mode, fill, stroke } = paint
  const fills = fillingModes.has(mode) && fill[3] >= minOpacity
  const strokes = strokingModes.has(mode) && stroke[3] >= minOpacity
  if (!fills && !strokes) return mode >= firstClippingMode ? perhapsUnpainted : unpainted
  return paint.isLayered && hasLayers() ? perhapsOff : undefined
}

/** Whether the paper or what is drawn before a glyph may have its colour, or what is drawn after it may cover it. */
function judgeAmong(glyph: Glyph, areasAt: AreasAt): Verdict | undefined {
  const { mode, fill, stroke, order } = glyph.style.paint
  const color = fillingModes.has(mode) ? fill : stroke
  let isLost = isSame(color, paper)
  const areas = areasAt(glyph.y)
  if (areas.length > 0) {
    const { left, bottom, right, top } = bodyOf(glyph, lowerCaseEm)
    for (const { box, paint, order: its } of areas) {
      if (paint !== undefined && paint[3] < minCovering) continue
      if (!isIn(box, left, bottom) || !isIn(box, right, top)) continue
      if (its > order) return perhapsCovered
      // Text on pictures and gradients counts as visible.
      isLost = paint !== undefined && (isLost || isSame(color, paint))
    }
  }
  return isLost ? perhapsLost : undefined
}

function isSame([red, green, blue]: Paint, other: Paint): boolean {
  return (
    Math.abs(red - other[0]) < minDifference &&
    Math.abs(green - other[1]) < minDifference &&
    Math.abs(blue - other[2]) < minDifference
  )
}

/** The box of a glyph's square from the baseline to a height. */
function bodyOf({ x, y, advance, style: { axes, along } }: Glyph, heightEm: number): Box {
  const [endX, endY] = [x + along[0] * advance, y + along[1] * advance]
  const [upX, upY] = [heightEm * axes[2], heightEm * axes[3]]
  return {
    left: Math.min(x, endX, x + upX, endX + upX),
    bottom: Math.min(y, endY, y + upY, endY + upY),
    right: Math.max(x, endX, x + upX, endX + upX),
    top: Math.max(y, endY, y + upY, endY + upY),
  }
}

/** Whether all of a glyph is outside a box. */
function isOutside(glyph: Glyph, clip: Box): boolean {
  if (isEmpty(clip)) return true
  return !isIn(clip, glyph.x, glyph.y) && isEmpty(overlap(bodyOf(glyph, capitalEm), clip))
}

function isIn({ left, bottom, right, top }: Box, x: number, y: number): boolean {
  return x >= left && x <= right && y >= bottom && y <= top
}

/** The areas of a page near a height, in drawing order. */
type AreasAt = (y: number) => readonly Area[]

const bandCount = 64
const noAreas: readonly Area[] = []

function indexAreas({ bottom, top }: Box, areas: readonly Area[]): AreasAt {
  const bands: Area[][] = []
  const bandOf = (y: number) => Math.floor((bandCount * (y - bottom)) / (top - bottom))
  for (const area of areas) {
    const last = Math.min(bandCount - 1, bandOf(area.box.top))
    for (let band = Math.max(0, bandOf(area.box.bottom)); band <= last; band++) {
      bands[band] ??= []
      bands[band]?.push(area)
    }
  }
  return (y) => bands[bandOf(y)] ?? noAreas
}

/** The glyphs in doubt that a viewer does not see. */
function findUnseen(
  { view, objects, draw: drawPart, inkOf }: JudgedPage,
  doubts: ReadonlyMap<Glyph, HiddenWhy>,
): [Glyph, HiddenWhy][] {
  const inks = new Map([...doubts.keys()].map((glyph) => [glyph, overlap(inkOf(glyph), view)]))
  const part = [...inks.values()].reduce(unite)
  const draw = (changes: Changes) => drawPart(part, changes)
  const painted = new Set<TextPaint>()
  let firstClip = Number.POSITIVE_INFINITY
  for (const [{ style }, why] of doubts) {
    if (why === 'not painted') firstClip = Math.min(firstClip, style.paint.order)
    else painted.add(style.paint)
  }
  const whole = draw({})
  const without = once(() => draw({ without: objectsOf(painted) }))
  const inverted = once(() => draw({ inverted: painted }))
  const { shapes } = objects
  const bare = once(() => draw({ without: shapes, blackened: painted }))
  const empty = once(() => draw({ without: [...shapes, ...objectsOf(painted)] }))
  // Text that only clips shows in what is drawn through it.
  const later = objects.areas.filter(({ order }) => order > firstClip)
  const unfilled = once(() => draw({ without: later.map(({ object }) => object) }))
  return [...doubts].filter(([glyph, why]) => {
    if (glyph.text.trim() === '') return false
    const ink = whole.pixelsOf(inks.get(glyph) as Box)
    if (why === 'not painted') return !differ(whole, unfilled(), ink)
    if (differ(whole, without(), ink)) return false
    const around = widen(ink, whole)
    if (differ(whole, inverted(), around)) return !hasContrast(glyph, around, whole, inverted())
    // Some programs draw text as shapes and, for selection, as text of a font without ink.
    return why === perhapsOff.why || differ(bare(), empty(), ink) || isUniform(whole, around)
  })
}

function unite(one: Box, other: Box): Box {
  return {
    left: Math.min(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.max(one.right, other.right),
    top: Math.max(one.top, other.top),
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Whether two pictures of a page differ in a box. */
function differ(one: Picture, other: Picture, box: PixelBox): boolean {
  for (const pixel of pixelsIn(one, box)) if (!isAlike(one, other, pixel)) return true
  return false
}

/** Whether most of what is around a glyph's ink, which shows when it is inverted, has another colour. */
function hasContrast(glyph: Glyph, around: PixelBox, whole: Picture, inverted: Picture): boolean {
  const { mode, fill, stroke } = glyph.style.paint
  const [red, green, blue] = fillingModes.has(mode) ? fill : stroke
  let [same, other] = [0, 0]
  for (const pixel of pixelsIn(whole, around)) {
    if (!isAlike(whole, inverted, pixel)) continue
    if (isColor(whole, pixel, [blue, green, red])) same++
    else other++
  }
  return other > minContrast * same
}

function isUniform(whole: Picture, box: PixelBox): boolean {
  const [first = 0] = pixelsIn(whole, box)
  const color = whole.pixels.subarray(first, first + 3)
  for (const pixel of pixelsIn(whole, box)) if (!isColor(whole, pixel, color)) return false
  return true
}

function objectsOf(texts: Iterable<TextPaint>): number[] {
  return Array.from(texts, ({ object }) => object)
}

function widen({ left, right, top, bottom }: PixelBox, { width, height }: Picture): PixelBox {
  return {
    left: Math.max(0, left - shapeMargin),
    right: Math.min(width - 1, right + shapeMargin),
    top: Math.max(0, top - shapeMargin),
    bottom: Math.min(height - 1, bottom + shapeMargin),
  }
}

/** So many times more pixels of another colour than of its own are around a glyph that is seen. */
const minContrast = 4
/** Pixels around a glyph's ink that show what it is drawn on. */
const shapeMargin = 2

/** The offsets of the pixels of a box. */
function* pixelsIn({ width }: Picture, { left, right, top, bottom }: PixelBox): Generator<number> {
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) yield 4 * (row * width + column)
}

function isAlike({ pixels }: Picture, other: Picture, pixel: number): boolean {
  return isColor(other, pixel, pixels.subarray(pixel, pixel + 3))
}

/** Whether a pixel has a colour, given as blue, green and red. */
function isColor({ pixels }: Picture, pixel: number, color: ArrayLike<number>): boolean {
  for (let part = 0; part < 3; part++)
    if (Math.abs((pixels[pixel + part] as number) - (color[part] as number)) >= minDifference)
      return false
  return true
}

/** Whether pictures cover most of a page and most of its text is unpainted or behind them. */
function isScanned(
  { view: { left, bottom, right, top }, objects, glyphs }: JudgedPage,
  reasons: readonly HiddenWhy[],
): boolean {
  const unseen = reasons.filter((why) => byScans.has(why)).length
  if (unseen === 0 || unseen < minUnseenPart * glyphs.length) return false
  const pictures = objects.areas.filter(({ isPicture }) => isPicture)
  let covered = 0
  for (let column = 0.5; column < samples; column++) {
    for (let row = 0.5; row < samples; row++) {
      const x = left + (column / samples) * (right - left)
      const y = bottom + (row / samples) * (top - bottom)
      if (pictures.some(({ box }) => isIn(box, x, y))) covered++
    }
  }
  return covered >= minPicturePart * samples * samples
}
