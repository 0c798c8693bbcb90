/**
 * What a page draws, in drawing order. Invisible text is found from it (`hidden-text.ts`); the rest becomes lines.
 * Lengths are in units of the page's coordinates, y grows upwards.
 */
export interface PageDrawing {
  /** The visible part of the page. */
  readonly box: Box
  /** Points per unit of its coordinates; usually 1. */
  readonly unitPoints: number
  readonly drawn: readonly (Glyph | Area)[]
}

/** `[a, b, c, d, x, y]` as in PDF: maps `(1, 0)` to `(a, b)`, `(0, 1)` to `(c, d)`, and the origin to `(x, y)`. */
export type Matrix = readonly [number, number, number, number, number, number]

/** The identity matrix. */
export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** An axis-aligned rectangle; empty if left is right of right. */
export interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

/** Red, green and blue, 0 to 255; `undefined` if not uniform: a picture, pattern or gradient. */
export type Color = readonly [number, number, number] | undefined

/** How glyphs drawn together are painted. */
export interface Look {
  /** Whether they are filled, stroked, both, or neither. */
  readonly fills: boolean
  readonly strokes: boolean
  readonly fill: Color
  readonly stroke: Color
  /** 0 to 1. */
  readonly fillOpacity: number
  readonly strokeOpacity: number
  /** Whether the glyphs also clip what is drawn after them. */
  readonly clips: boolean
  /** Whether its layer is visible. */
  readonly isLayerOn: boolean
  /** Nothing outside it is visible. */
  readonly clip: Box
}

/** What characters drawn together have in common. */
export interface GlyphStyle {
  /** `[a, b, c, d]`: the font's square extends from the baseline's `(0, 0)` to `(a, b)` along it, and up to `(c, d)`. */
  readonly axes: readonly [a: number, b: number, c: number, d: number]
  /** Unit vector in the direction of the text; downwards if vertical. */
  readonly along: readonly [x: number, y: number]
  /** Height of the square. */
  readonly size: number
  /** Side of the square along the baseline, unstretched. */
  readonly em: number
  /** Equal for glyphs of one font. */
  readonly font: string
  readonly isVertical: boolean
  readonly look: Look
}

/** A character, or several drawn as one. */
export interface Glyph {
  readonly kind: 'glyph'
  readonly text: string
  /** Its origin on the baseline. */
  readonly x: number
  readonly y: number
  /** Its advance along the baseline (downwards if vertical), without the following space. */
  readonly advance: number
  readonly style: GlyphStyle
}

/** A filled area: a shape, a wide stroke, a picture, a gradient. */
export interface Area {
  readonly kind: 'area'
  /** Its visible bounding box. */
  readonly box: Box
  /** The corners of its outlines, x and y alternating, if it is not its box. */
  readonly outlines?: () => readonly Float64Array[]
  /** Fill rule: even-odd if true, else non-zero winding. */
  readonly isEvenOdd?: boolean
  readonly color: Color
  readonly isPicture: boolean
  /** Whether it hides what is behind; `unknown` for a picture that was not unpacked. */
  readonly isOpaque: boolean | 'unknown'
}

/** `inner`, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const moved = translate(outer, inner[4], inner[5])
  return [
    outer[0] * inner[0] + outer[2] * inner[1],
    outer[1] * inner[0] + outer[3] * inner[1],
    outer[0] * inner[2] + outer[2] * inner[3],
    outer[1] * inner[2] + outer[3] * inner[3],
    moved[4],
    moved[5],
  ]
}

/** A matrix that first translates in its own coordinates. */
export function translate(matrix: Matrix, x: number, y: number): Matrix {
  return [
    matrix[0],
    matrix[1],
    matrix[2],
    matrix[3],
    matrix[0] * x + matrix[2] * y + matrix[4],
    matrix[1] * x + matrix[3] * y + matrix[5],
  ]
}

/** The bounding box of a transformed rectangle. */
export function boxAround([a, b, c, d, x, y]: Matrix, { left, bottom, right, top }: Box): Box {
  const xs = [
    a * left + c * bottom,
    a * right + c * bottom,
    a * left + c * top,
    a * right + c * top,
  ]
  const ys = [
    b * left + d * bottom,
    b * right + d * bottom,
    b * left + d * top,
    b * right + d * top,
  ]
  return {
    left: Math.min(...xs) + x,
    bottom: Math.min(...ys) + y,
    right: Math.max(...xs) + x,
    top: Math.max(...ys) + y,
  }
}

/** The intersection of two boxes. */
export function overlap(one: Box, other: Box): Box {
  return {
    left: Math.max(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
    top: Math.min(one.top, other.top),
  }
}

/** Whether a box has no area. */
export function isEmpty({ left, bottom, right, top }: Box): boolean {
  return !(left < right && bottom < top)
}
