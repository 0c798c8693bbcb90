import { isInsideOutline } from './outlines.ts'
import {
  type Area,
  type Box,
  boxAround,
  type Color,
  type Glyph,
  isEmpty,
  type Look,
  overlap,
  type PageDrawing,
} from './page-drawing.ts'

/** Why a glyph is invisible. */
export type HiddenWhy =
  | 'not painted'
  | 'in a layer that is off'
  | 'smaller than 1 point'
  | 'outside of what is shown'
  | 'in the colour of its background'
  | 'covered by what is drawn later'

/** The visible part of a page's text. */
export interface SeenText {
  readonly glyphs: readonly Glyph[]
  /** Reasons why text was left out. */
  readonly hidden: ReadonlySet<HiddenWhy>
  /** Whether the text was recognised in the page's picture: invisible, but the picture shows the same. */
  readonly isRecognised: boolean
  /** Whether its pictures, which were not unpacked, could make a difference. */
  readonly isInDoubt: boolean
}

/** Smaller text, in points, is unreadable. Labels in figures of papers go down to 1.03. */
const minSizePoints = 1
/** Minimum opacity of visible content. */
const minOpacity = 0.05
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

const paper: Color = [255, 255, 255]
/** Where lower-case letters have ink, as a share of the font's square. */
const inkBottom = 0.05
const inkTop = 0.65
const inkMiddle = (inkBottom + inkTop) / 2

/** Why a glyph is invisible, or that it is visible unless a picture that was not unpacked is opaque. */
type Doubt = HiddenWhy | 'behind a picture'

/**
 * Determines which text of a page a viewer sees. In doubt it counts as visible: text on pictures, patterns and
 * gradients, and below anything translucent.
 */
export function findSeenText(drawing: PageDrawing): SeenText {
  const { box, drawn } = drawing
  const doubtOf = createJudge(drawing)
  const glyphs: Glyph[] = []
  const doubts = new Map<Glyph, Doubt>()
  for (let order = 0; order < drawn.length; order++) {
    const glyph = drawn[order] as Glyph | Area
    if (glyph.kind === 'area') continue
    glyphs.push(glyph)
    const doubt = doubtOf(glyph, order)
    if (doubt !== undefined) doubts.set(glyph, doubt)
  }
  if (doubts.size === 0) return { glyphs, hidden: new Set(), isRecognised: false, isInDoubt: false }
  const isScan = isScanned(box, drawn, glyphs.length, [...doubts.values()])
  const hidden = new Set<HiddenWhy>()
  const seen = glyphs.filter((glyph) => {
    const why = doubts.get(glyph)
    if (why === undefined || why === 'behind a picture' || (isScan && byScans.has(why))) return true
    if (glyph.text.trim() !== '') hidden.add(why)
    return false
  })
  const all = new Set(doubts.values())
  const isRecognised = isScan && (all.has(unpainted) || all.has(coveredDoubt))
  const isInDoubt = hidden.has(lost) || hidden.has(unpainted) || all.has('behind a picture')
  return { glyphs: seen, hidden, isRecognised, isInDoubt }
}

const unpainted: HiddenWhy = 'not painted'
const lost: HiddenWhy = 'in the colour of its background'
const coveredDoubt: HiddenWhy = 'covered by what is drawn later'
/** Recognised text is unpainted or behind the picture. */
const byScans: ReadonlySet<Doubt> = new Set([unpainted, coveredDoubt])

/** An area with its position in the drawing order. */
interface Placed {
  readonly area: Area
  readonly order: number
}

/** Facts shared by everything drawn with the same look. */
interface LookFacts {
  readonly why: HiddenWhy | undefined
  readonly fills: boolean
  readonly strokes: boolean
  /** Whether the paper or an area of the page has its colour. */
  readonly isSomewhere: boolean
}

/** The areas of a page near a height, in drawing order. */
type AreasAt = (y: number) => readonly Placed[]

const bandCount = 64
const noAreas: readonly Placed[] = []

function indexAreas({ bottom, top }: Box, areas: readonly Placed[]): AreasAt {
  const bands = new Map<number, Placed[]>()
  const bandOf = (y: number) => Math.floor((bandCount * (y - bottom)) / (top - bottom))
  for (const placed of areas) {
    const last = bandOf(placed.area.box.top)
    for (let band = bandOf(placed.area.box.bottom); band <= last; band++) {
      const known = bands.get(band)
      if (known === undefined) bands.set(band, [placed])
      else known.push(placed)
    }
  }
  return (y) => bands.get(bandOf(y)) ?? noAreas
}

/** Creates a judge of why a glyph, drawn at a position in the order, is invisible. */
function createJudge({
  box,
  unitPoints,
  drawn,
}: PageDrawing): (glyph: Glyph, order: number) => Doubt | undefined {
  const areas: Placed[] = []
  for (let order = 0; order < drawn.length; order++) {
    const area = drawn[order] as Glyph | Area
    if (area.kind === 'area') areas.push({ area, order })
  }
  const areasAt = indexAreas(box, areas)
  const known = new Map<Look, LookFacts>()
  return (glyph, order) => {
    const { look, size } = glyph.style
    let facts = known.get(look)
    if (facts === undefined) {
      facts = readLookFacts(look, areas)
      known.set(look, facts)
    }
    if (facts.why !== undefined) return facts.why
    if (size * unitPoints < minSizePoints) return 'smaller than 1 point'
    if (isOutside(glyph, look.clip)) return 'outside of what is shown'
    if (!facts.fills && !facts.strokes)
      return showsLater(glyph, order, areasAt) ? undefined : unpainted
    if (facts.isSomewhere && isLost(glyph, order, facts, areasAt)) return lost
    return findCover(glyph, order, areasAt)
  }
}

function readLookFacts(look: Look, areas: readonly Placed[]): LookFacts {
  const fills = look.fills && look.fillOpacity >= minOpacity
  const strokes = look.strokes && look.strokeOpacity >= minOpacity
  const isBare = !fills && !strokes && !look.clips
  const color = fills ? look.fill : look.stroke
  return {
    why: !look.isLayerOn ? 'in a layer that is off' : isBare ? unpainted : undefined,
    fills,
    strokes,
    isSomewhere: isSame(color, paper) || areas.some(({ area }) => isSame(color, area.color)),
  }
}

/** Whether all of a glyph's ink is outside a box. */
function isOutside(glyph: Glyph, clip: Box): boolean {
  const { x, y } = glyph
  if (isEmpty(clip)) return true
  if (x >= clip.left && x <= clip.right && y >= clip.bottom && y <= clip.top) return false
  return isEmpty(overlap(glyphInk(glyph, 0, 0.7), clip))
}

/** Whether something is drawn later inside the shape of a clipping glyph. */
function showsLater(glyph: Glyph, order: number, areasAt: AreasAt): boolean {
  return samplePoints(glyph).some((at) =>
    areasAt(at[1]).some((one) => one.order > order && contains(one.area, at)),
  )
}

/** Whether a glyph has the colour of its whole background. */
function isLost(
  glyph: Glyph,
  order: number,
  { fills, strokes }: LookFacts,
  areasAt: AreasAt,
): boolean {
  const { fill, stroke } = glyph.style.look
  return samplePoints(glyph).every((at) => {
    const behind = colorAt(at, order, areasAt(at[1]))
    return (!fills || isSame(fill, behind)) && (!strokes || isSame(stroke, behind))
  })
}

/** What is drawn later over the whole glyph, if anything. */
function findCover(glyph: Glyph, order: number, areasAt: AreasAt): Doubt | undefined {
  const middle = glyphMiddle(glyph)
  const areas = areasAt(middle[1])
  let doubt: Doubt | undefined
  for (let index = areas.length - 1; index >= 0; index--) {
    const { area, order: its } = areas[index] as Placed
    if (its < order) break
    if (area.isOpaque === false || !isIn(area.box, middle)) continue
    if (!samplePoints(glyph).every((at) => contains(area, at))) continue
    if (area.isOpaque === true) return coveredDoubt
    doubt = 'behind a picture'
  }
  return doubt
}

function glyphMiddle({ x, y, advance, style: { axes, along } }: Glyph): Point {
  return [
    x + (along[0] * advance) / 2 + inkMiddle * axes[2],
    y + (along[1] * advance) / 2 + inkMiddle * axes[3],
  ]
}

/** The box of a glyph's ink between two heights of its square, given as shares. */
function glyphInk({ x, y, advance, style }: Glyph, from: number, to: number): Box {
  const [a, b, c, d] = style.axes
  const width = style.isVertical ? 1 : advance / (Math.hypot(a, b) || 1)
  const square = { left: 0, bottom: from, right: Math.max(width, 0.1), top: to }
  return boxAround([a, b, c, d, x, y], square)
}

type Point = readonly [x: number, y: number]

/** The corners and the middle of a glyph's ink. */
function samplePoints(glyph: Glyph): readonly Point[] {
  const { left, bottom, right, top } = glyphInk(glyph, inkBottom, inkTop)
  return [
    [(left + right) / 2, (bottom + top) / 2],
    [left, bottom],
    [right, bottom],
    [left, top],
    [right, top],
  ]
}

/** The colour at a point at that time; `undefined` if it varies or something translucent is involved. */
function colorAt(at: Point, order: number, areas: readonly Placed[]): Color {
  const last = areas.findLast((one) => one.order < order && contains(one.area, at))
  if (last === undefined) return paper
  return last.area.isOpaque === true ? last.area.color : undefined
}

function isSame(one: Color, other: Color): boolean {
  if (one === undefined || other === undefined) return false
  return one.every((part, index) => Math.abs(part - (other[index] as number)) < minDifference)
}

function contains({ box, outlines, isEvenOdd = false }: Area, at: Point): boolean {
  return (
    isIn(box, at) &&
    (outlines === undefined || isInsideOutline(outlines(), isEvenOdd, at[0], at[1]))
  )
}

function isIn({ left, bottom, right, top }: Box, at: Point): boolean {
  return at[0] >= left && at[0] <= right && at[1] >= bottom && at[1] <= top
}

/** Whether pictures cover most of a page and most of its text is unpainted or behind them. */
function isScanned(
  { left, bottom, right, top }: Box,
  drawn: PageDrawing['drawn'],
  glyphCount: number,
  doubts: readonly Doubt[],
): boolean {
  const unseen = doubts.filter((one) => byScans.has(one) || one === 'behind a picture').length
  if (unseen === 0 || unseen < minUnseenPart * glyphCount) return false
  const pictures = drawn.filter((one): one is Area => one.kind === 'area' && one.isPicture)
  let covered = 0
  for (let column = 0.5; column < samples; column++) {
    for (let row = 0.5; row < samples; row++) {
      const x = left + (column / samples) * (right - left)
      const y = bottom + (row / samples) * (top - bottom)
      if (pictures.some((picture) => contains(picture, [x, y]))) covered++
    }
  }
  return covered >= minPicturePart * samples * samples
}
