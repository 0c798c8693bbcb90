import { readMatrix, type TextPaint } from './page-objects.ts'
import { type Pdfium, scratchBytes } from './pdfium.ts'
import { type TexFamily, texFamilyOf, texSymbol } from './tex-symbols.ts'

/** What characters drawn together have in common. */
export interface GlyphStyle {
  /** `[a, b, c, d]`: the font's square extends from the baseline's `(0, 0)` to `(a, b)` along it, and up to `(c, d)`. */
  readonly axes: readonly [a: number, b: number, c: number, d: number]
  /** Unit vector in the direction of the text; downwards if vertical. */
  readonly along: readonly [x: number, y: number]
  /** Height of the square. */
  readonly size: number
  /** Side of the square along the baseline. */
  readonly em: number
  /** Equal for glyphs of one font. */
  readonly font: string
  readonly isVertical: boolean
  readonly paint: TextPaint
}

/** A character, or several drawn as one. */
export interface Glyph {
  readonly text: string
  /** Its number in PDFium's text of the page. */
  readonly index: number
  /** Its origin on the baseline. */
  readonly x: number
  readonly y: number
  /** Its advance along the baseline (downwards if vertical), without the following space. */
  readonly advance: number
  readonly style: GlyphStyle
}

/** The style of the glyphs being read; whether it is vertical shows only in its second glyph. */
type OpenStyle = { -readonly [Key in keyof GlyphStyle]: GlyphStyle[Key] } & {
  /** The address of a font without the metrics that boxes around its glyphs need, else 0. */
  readonly bareFont: number
  /** From the font's size to lengths of the page. */
  readonly stretch: number
  /** The family of a font of TeX for mathematics. */
  readonly texFamily: TexFamily | undefined
}

/** PDFium's stand-in for a hyphen at the end of a line. */
const lineHyphen = 2
const blank = 32
/** @see ISO 32000-1, 9.3.6 */
const invisibleMode = 3
const maxByteCode = 255
/** Glyphs at a smaller distance are at one place. */
const samePlaceEm = 0.02
/** Boxes this many times higher than the font's size are those of a drawn font. */
const minDrawnEm = 3
const rightToLeftLetter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** The glyphs of a page in drawing order, those of an object from left to right. `text` is PDFium's text of the page. */
export function readGlyphs(
  pdfium: Pdfium,
  text: number,
  paints: ReadonlyMap<number, TextPaint>,
): Glyph[] {
  const { call, scratch } = pdfium
  const memory = pdfium.view()
  const count = call.FPDFText_CountChars(text)
  const glyphs: Glyph[] = []
  const top = findTopCopies(paints)
  let lastObject = 0
  let paint: TextPaint | undefined
  let style: OpenStyle | undefined
  let last: Glyph | undefined
  let isInOrder = true
  let isRightToLeft = false
  for (let index = 0; index < count; index++) {
    const object = call.FPDFText_GetTextObject(text, index)
    if (object !== lastObject) paint = top.get(object) ?? paints.get(object)
    lastObject = object
    const code = call.FPDFText_GetUnicode(text, index)
    if (paint === undefined || (code === blank && call.FPDFText_IsGenerated(text, index))) continue
    call.FPDFText_GetLooseCharBox(text, index, scratch)
    const width = Math.abs(memory.getFloat32(scratch + 8, true) - memory.getFloat32(scratch, true))
    const height = Math.abs(
      memory.getFloat32(scratch + 4, true) - memory.getFloat32(scratch + 12, true),
    )
    if (style?.paint !== paint) {
      if (style !== undefined && style.paint.order > paint.order) isInOrder = false
      style = readStyle(pdfium, text, index, { paint, height, previous: style })
    }
    call.FPDFText_GetCharOrigin(text, index, scratch, scratch + 8)
    const x = memory.getFloat64(scratch, true)
    const y = memory.getFloat64(scratch + 8, true)
    const said = toText(pdfium, text, index, code, style)
    isRightToLeft ||= code > maxByteCode && rightToLeftLetter.test(said)
    if (last?.style === style) turnVertical(style, x - last.x, y - last.y)
    const advance = advanceOf(pdfium, style, code, width, height)
    if (last?.style === style && isAt(x, y, advance, last)) {
      last = { ...last, text: last.text + said } // A ligature comes as its letters.
      glyphs[glyphs.length - 1] = last
    } else {
      last = { text: said, index, x, y, advance, style }
      glyphs.push(last)
    }
  }
  if (isRightToLeft || !isInOrder) restoreDrawnOrder(glyphs, isRightToLeft)
  return glyphs
}

/** For text that is drawn several times, of which PDFium gives only the first: the last that is painted. */
function findTopCopies(paints: ReadonlyMap<number, TextPaint>): ReadonlyMap<number, TextPaint> {
  const places = new Map<number, TextPaint>()
  const top = new Map<number, TextPaint>()
  for (const paint of paints.values()) {
    const { box, mode, fill } = paint
    const place = box.left * 7_919 + box.bottom
    const first = places.get(place)
    if (first === undefined) places.set(place, paint)
    else if (first.box.right === box.right && first.box.top === box.top)
      if (mode !== invisibleMode && fill[3] > 0) top.set(first.object, paint)
  }
  return top
}

/**
 * Undoes PDFium's order: it sorts the objects of a line from left to right, which separates accents from their letters,
 * and reverses right-to-left scripts.
 */
function restoreDrawnOrder(glyphs: Glyph[], isRightToLeft: boolean): void {
  glyphs.sort((one, other) => {
    const byObject = one.style.paint.order - other.style.paint.order
    if (byObject !== 0 || !isRightToLeft) return byObject || one.index - other.index
    const [alongX, alongY] = one.style.along
    return (one.x - other.x) * alongX + (one.y - other.y) * alongY || one.index - other.index
  })
}

function toText(
  pdfium: Pdfium,
  text: number,
  index: number,
  code: number,
  { texFamily }: OpenStyle,
): string {
  const { call } = pdfium
  if (code === lineHyphen && call.FPDFText_IsHyphen(text, index)) return '-'
  if (texFamily !== undefined && call.FPDFText_HasUnicodeMapError(text, index))
    return texSymbol(texFamily, code)
  return code === 0 ? ' ' : String.fromCodePoint(code)
}

/** Whether a glyph is at the place of the last one, as the letters of a ligature are. */
function isAt(x: number, y: number, advance: number, last: Glyph): boolean {
  const near = samePlaceEm * last.style.em
  return (
    Math.abs(x - last.x) <= near &&
    Math.abs(y - last.y) <= near &&
    Math.abs(advance - last.advance) <= near
  )
}

interface StyleContext {
  readonly paint: TextPaint
  /** Height of the box around a glyph and its line. */
  readonly height: number
  /** The style of the glyphs before, which mostly share font and axes. */
  readonly previous: OpenStyle | undefined
}

function readStyle(
  pdfium: Pdfium,
  text: number,
  index: number,
  { paint, height, previous }: StyleContext,
): OpenStyle {
  const { call, scratch, view } = pdfium
  call.FPDFText_GetMatrix(text, index, scratch)
  const [a, b, c, d] = readMatrix(view(), scratch)
  call.FPDFTextObj_GetFontSize(paint.object, scratch)
  const fontSize = view().getFloat32(scratch, true)
  const up = fontSize * Math.hypot(c, d)
  // Fonts of drawings (Type 3) may have any scale, and then a tiny size.
  const scale = fontSize * (up > 0 && up < 1 && height > minDrawnEm * up ? height / up : 1)
  const axes = reuse(previous?.axes, [a * scale, b * scale, c * scale, d * scale])
  const across = Math.hypot(axes[0], axes[1])
  const size = Math.hypot(axes[2], axes[3]) || across
  const address = call.FPDFTextObj_GetFont(paint.object)
  const font = `${address}`
  call.FPDFFont_GetAscent(address, fontSize, scratch)
  call.FPDFFont_GetDescent(address, fontSize, scratch + 4)
  const hasMetrics = view().getFloat32(scratch, true) !== view().getFloat32(scratch + 4, true)
  return {
    axes,
    along: [axes[0] / (across || 1), axes[1] / (across || 1)],
    size,
    em: across || size,
    font,
    isVertical: false,
    paint,
    bareFont: hasMetrics ? 0 : address,
    stretch: Math.hypot(a, b),
    texFamily: previous?.font === font ? previous.texFamily : fontFamily(pdfium, address),
  }
}

/** The axes before if they are equal: what is computed from axes is kept with them. */
function reuse(
  before: GlyphStyle['axes'] | undefined,
  axes: GlyphStyle['axes'],
): GlyphStyle['axes'] {
  return before?.every((part, index) => part === axes[index]) ? before : axes
}

function fontFamily({ call, scratch, view }: Pdfium, font: number): TexFamily | undefined {
  const length = call.FPDFFont_GetBaseFontName(font, scratch, scratchBytes)
  if (length === 0 || length > scratchBytes) return undefined
  return texFamilyOf(Buffer.from(view().buffer, scratch, length - 1).toString('latin1'))
}

/** The advance of a glyph, from the width and height of the box around it and its line. */
function advanceOf(
  { call, scratch, view }: Pdfium,
  { along: [cosine, sine], em, isVertical, bareFont, stretch, paint }: OpenStyle,
  code: number,
  width: number,
  height: number,
): number {
  if (isVertical) return em
  if (bareFont !== 0) {
    call.FPDFTextObj_GetFontSize(paint.object, scratch)
    const fontSize = view().getFloat32(scratch, true)
    if (call.FPDFFont_GetGlyphWidth(bareFont, code, fontSize, scratch))
      return view().getFloat32(scratch, true) * stretch || width
  }
  const [c, s] = [Math.abs(cosine), Math.abs(sine)]
  if (s < 0.001) return width
  const difference = c * c - s * s
  if (Math.abs(difference) < 0.1) return em / 2
  return Math.max(0, (c * width - s * height) / difference)
}

/** PDFium does not say which fonts are vertical: their glyphs follow each other downwards. */
function turnVertical(style: OpenStyle, byX: number, byY: number): void {
  const [, , upX, upY] = style.axes
  const fall = -(byX * upX + byY * upY)
  if (fall <= 0 || style.isVertical) return
  const length = Math.hypot(upX, upY) || 1
  const down = fall / length
  const along = byX * style.along[0] + byY * style.along[1]
  if (down < 0.5 * style.em || Math.abs(along) > 0.5 * down) return
  style.isVertical = true
  style.along = [-upX / length, -upY / length]
}
