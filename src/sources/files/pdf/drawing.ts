import { toOutlines, toStrokes } from './outlines.ts'
import {
  type Area,
  type Box,
  boxAround,
  type Color,
  type Glyph,
  type GlyphStyle,
  identity,
  type Look,
  type Matrix,
  multiply,
  overlap,
  translate,
} from './page-drawing.ts'

/** A font in pdf.js. */
export interface PdfFont {
  readonly fontMatrix?: Matrix
  readonly vertical?: boolean
  readonly isType3Font?: boolean
  readonly bbox?: readonly number[]
}

/** A character in pdf.js. */
export interface PdfGlyph {
  readonly unicode: string
  /** In the font's own units. */
  readonly width: number
  /** In vertical fonts: advance and origin. */
  readonly vmetric?: readonly number[] | null
  readonly isSpace: boolean
}

/** How a path is drawn. */
export interface PathEnd {
  readonly fills: boolean
  readonly strokes: boolean
  readonly isEvenOdd: boolean
}

/** State that persists between operators, including the text matrices. */
export interface GraphicsState {
  /** To points of the page. */
  matrix: Matrix
  clip: Box
  fill: Color
  stroke: Color
  fillOpacity: number
  strokeOpacity: number
  /** Combined opacity of the enclosing groups. */
  groupOpacity: number
  isBlended: boolean
  isMasked: boolean
  /** Whether an enclosing group is blended or masked. */
  isInBlend: boolean
  lineWidth: number
  /** Text rendering mode, 0 to 7. */
  mode: number
  fontId: string
  fontSize: number
  charSpacing: number
  wordSpacing: number
  /** Horizontal scaling; 1 is normal. */
  stretch: number
  leading: number
  rise: number
  textMatrix: Matrix
  lineMatrix: Matrix
}

const unitSquare: Box = { left: 0, bottom: 0, right: 1, top: 1 }
const unitSquarePath = [0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1]
const usualFontScale = 0.001
/** Anything more opaque than this covers what is behind it. */
const minCovering = 0.95
/** Thinner areas, in points, are lines and dots: neither background nor cover. */
const minAreaPoints = 1.5
/** Strokes at least this wide, in points, have room for text; others are lines. */
const minStrokePoints = 4
/** Text rendering modes. @see ISO 32000-1, 9.3.6 */
const fillingEnds: ReadonlySet<number> = new Set([0, 2, 4, 6])
const strokingEnds: ReadonlySet<number> = new Set([1, 2, 5, 6])
const firstClippingMode = 4
const lookParts = [
  'fills',
  'strokes',
  'clips',
  'fill',
  'stroke',
  'fillOpacity',
  'strokeOpacity',
  'isLayerOn',
  'clip',
] as const satisfies readonly (keyof Look)[]

/** A scope that restores the state at its end: `q … Q`, a form, a group. */
interface Frame {
  readonly before: GraphicsState
  /** Not drawn itself: it masks something else. */
  readonly isMask: boolean
  isScaled: boolean
  hasDrawn: boolean
}

/** A page being drawn. */
export class Drawing {
  readonly drawn: (Glyph | Area)[] = []
  state: GraphicsState
  /** Whether the next path clips what follows. */
  isClipping = false
  private readonly fontOf: (id: string) => PdfFont
  private readonly layers: boolean[] = []
  private readonly outer: Frame[] = []
  private frame: Frame
  private lastStyle: GlyphStyle | undefined
  private readonly colors = new Map<string, Color>()

  /** @param clip the visible part of the page */
  constructor(clip: Box, fontOf: (id: string) => PdfFont) {
    this.fontOf = fontOf
    this.state = {
      matrix: identity,
      clip,
      fill: [0, 0, 0],
      stroke: [0, 0, 0],
      fillOpacity: 1,
      strokeOpacity: 1,
      groupOpacity: 1,
      isBlended: false,
      isMasked: false,
      isInBlend: false,
      lineWidth: 1,
      mode: 0,
      fontId: '',
      fontSize: 0,
      charSpacing: 0,
      wordSpacing: 0,
      stretch: 1,
      leading: 0,
      rise: 0,
      textMatrix: identity,
      lineMatrix: identity,
    }
    this.frame = { before: this.state, isMask: false, isScaled: false, hasDrawn: false }
  }

  openFrame(isMask = false): void {
    this.outer.push(this.frame)
    this.frame = {
      before: { ...this.state },
      isMask: isMask || this.frame.isMask,
      isScaled: false,
      hasDrawn: false,
    }
  }

  /** Opens a group, which is drawn separately and then composited with its opacity. */
  openGroup(isMask: boolean): void {
    this.openFrame(isMask)
    const { state } = this
    state.groupOpacity *= state.fillOpacity
    state.isInBlend ||= state.isBlended || state.isMasked
    Object.assign(state, { fillOpacity: 1, strokeOpacity: 1, isBlended: false, isMasked: false })
  }

  closeFrame(): void {
    const outer = this.outer.pop()
    if (outer === undefined) return
    this.endFrame()
    this.state = this.frame.before
    outer.hasDrawn ||= this.frame.hasDrawn
    this.frame = outer
  }

  /** A scaled scope that drew nothing was a picture left out by pdf.js. */
  endFrame(): void {
    if (this.frame.isScaled && !this.frame.hasDrawn) this.addPicture('unknown')
  }

  openLayer(isOn: boolean): void {
    this.layers.push(isOn)
  }

  closeLayer(): void {
    this.layers.pop()
  }

  transform(matrix: Matrix): void {
    this.state.matrix = multiply(this.state.matrix, matrix)
    this.frame.isScaled = true
  }

  clipTo(box: Box): void {
    this.state.clip = overlap(this.state.clip, boxAround(this.state.matrix, box))
  }

  addPicture(isOpaque: Area['isOpaque']): void {
    const covers = isOpaque === true ? this.covers(this.state.fillOpacity) : isOpaque
    const { matrix } = this.state
    const outlines = once(() => toOutlines(unitSquarePath, matrix))
    const box = boxAround(matrix, unitSquare)
    this.addArea({ box, outlines, color: undefined, isPicture: true, isOpaque: covers })
  }

  /** Draws a path whose outlines are within `bounds`, in its own coordinates. */
  addPath(path: ArrayLike<number>, bounds: Box, { fills, strokes, isEvenOdd }: PathEnd): void {
    this.frame.hasDrawn ||= fills || strokes
    const { matrix, lineWidth, clip, fill, fillOpacity, stroke, strokeOpacity } = this.state
    const [a, b, c, d] = matrix
    const width = lineWidth * Math.sqrt(Math.abs(a * d - b * c))
    const isBroad = strokes && width >= minStrokePoints
    const box = widen(boxAround(matrix, bounds), isBroad ? width / 2 : 0)
    if (!(fills || isBroad) || isThin(overlap(box, clip))) return
    const outlines = once(() => toOutlines(path, matrix))
    if (fills) this.addShape({ box, outlines, isEvenOdd, color: fill }, fillOpacity)
    if (isBroad) {
      const lines = once(() => toStrokes(outlines(), width))
      this.addShape({ box, outlines: lines, color: stroke }, strokeOpacity)
    }
  }

  /** Fills everything visible with varying colour. */
  addShading(): void {
    this.addArea({ box: this.state.clip, color: undefined, isPicture: false, isOpaque: false })
  }

  private addShape(shape: Omit<Area, 'kind' | 'isPicture' | 'isOpaque'>, opacity: number): void {
    this.addArea({ ...shape, isPicture: false, isOpaque: this.covers(opacity) })
  }

  private addArea(area: Omit<Area, 'kind'>): void {
    this.frame.hasDrawn = true
    const box = overlap(area.box, this.state.clip)
    if (this.frame.isMask || this.layers.includes(false) || isThin(box)) return
    this.drawn.push({ kind: 'area', ...area, box })
  }

  /** Moves to the start of another line of text, relative to the start of the last. */
  moveLine(x: number, y: number): void {
    const { state } = this
    state.lineMatrix = translate(state.lineMatrix, x, y)
    state.textMatrix = state.lineMatrix
  }

  /** A colour from pdf.js's `#rrggbb`; the same object for the same colour. */
  color(written: string): Color {
    const parts = [1, 3, 5].map((at) => Number.parseInt(written.slice(at, at + 2), 16))
    const color = this.colors.get(written) ?? (parts as unknown as Color)
    this.colors.set(written, color)
    return color
  }

  /** Begins or repositions text. */
  placeText(matrix: Matrix): void {
    this.state.lineMatrix = matrix
    this.state.textMatrix = matrix
  }

  /** Draws characters; a number moves the next one back, in thousandths of the font size. */
  showText(shown: readonly (PdfGlyph | number)[]): void {
    this.frame.hasDrawn = true
    if (this.frame.isMask) return
    const { state } = this
    const { fontSize, charSpacing, wordSpacing } = state
    const font = this.fontOf(state.fontId)
    const isVertical = font.vertical === true
    const toPage = multiply(state.matrix, state.textMatrix)
    const unit = (font.fontMatrix?.[0] ?? usualFontScale) * fontSize
    // Text space; vertical text advances downwards.
    const stretch = isVertical ? 1 : state.stretch
    const stepX = toPage[isVertical ? 2 : 0]
    const stepY = toPage[isVertical ? 3 : 1]
    const stepLength = Math.hypot(stepX, stepY)
    const style = this.style(toPage, font)
    let x = toPage[4] + toPage[2] * state.rise
    let y = toPage[5] + toPage[3] * state.rise
    let moved = 0
    for (const one of shown) {
      let step = 0
      if (typeof one === 'number') step = (-one / 1_000) * fontSize
      else {
        const length = (isVertical ? (one.vmetric?.[0] ?? -one.width) : one.width) * unit
        const advance = Math.abs(length * stretch) * stepLength
        this.drawn.push({ kind: 'glyph', text: one.unicode, x, y, advance, style })
        step = length + charSpacing + (one.isSpace ? wordSpacing : 0)
      }
      step *= stretch
      moved += step
      x += step * stepX
      y += step * stepY
    }
    state.textMatrix = translate(state.textMatrix, isVertical ? 0 : moved, isVertical ? moved : 0)
  }

  /** The same object for the same style, so that comparison is fast. */
  private style([a, b, c, d]: Matrix, font: PdfFont): GlyphStyle {
    const { fontId, fontSize, stretch } = this.state
    const height = fontSize * glyphHeight(font, fontSize)
    const wide = fontSize * stretch
    const axes = [a * wide, b * wide, c * height, d * height] as const
    const look = this.look()
    const last = this.lastStyle
    const isSame =
      last?.font === fontId &&
      last.look === look &&
      axes.every((axis, index) => axis === last.axes[index])
    if (isSame) return last
    const isVertical = font.vertical === true
    const [x, y] = isVertical ? [-axes[2], -axes[3]] : [axes[0], axes[1]]
    const length = Math.hypot(x, y) || 1
    const [across, up] = [Math.hypot(a, b), Math.hypot(c, d)]
    this.lastStyle = {
      axes,
      along: [x / length, y / length],
      size: Math.abs(height) * up || Math.abs(fontSize) * across,
      em: Math.abs(height) * across,
      font: fontId,
      isVertical,
      look,
    }
    return this.lastStyle
  }

  private look(): Look {
    const { mode, fill, stroke, clip, groupOpacity } = this.state
    const look: Look = {
      fills: fillingEnds.has(mode),
      strokes: strokingEnds.has(mode),
      clips: mode >= firstClippingMode,
      fill,
      stroke,
      fillOpacity: this.state.fillOpacity * groupOpacity,
      strokeOpacity: this.state.strokeOpacity * groupOpacity,
      isLayerOn: !this.layers.includes(false),
      clip,
    }
    const last = this.lastStyle?.look
    const isSame = last !== undefined && lookParts.every((part) => look[part] === last[part])
    return isSame ? last : look
  }

  /** Whether an opacity hides what is behind. */
  private covers(opacity: number): boolean {
    const { groupOpacity, isBlended, isMasked, isInBlend } = this.state
    return opacity * groupOpacity > minCovering && !isBlended && !isMasked && !isInBlend
  }
}

/** Most areas are not near any text. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function widen({ left, bottom, right, top }: Box, by: number): Box {
  return { left: left - by, bottom: bottom - by, right: right + by, top: top + by }
}

function isThin({ left, bottom, right, top }: Box): boolean {
  return right - left < minAreaPoints || top - bottom < minAreaPoints
}

/** Height of a font's square in font sizes: Type 3 fonts may have any scale, and then a size of 1 or less. */
function glyphHeight({ isType3Font, fontMatrix, bbox }: PdfFont, fontSize: number): number {
  if (isType3Font !== true || fontMatrix === undefined || fontSize > 1) return 1
  const [, bottom = 0, , top = 0] = bbox ?? []
  return top > bottom ? (top - bottom) * Math.abs(fontMatrix[3]) : 1
}
