/**
 * What a page draws, in the order in which it is drawn. Text that nobody can see is found by it (`hidden-text.ts`); what is
 * left becomes lines. Lengths are in units of the page's coordinates, y grows upwards.
 */
export interface PageDrawing {
  /** The part of the page that is shown. */
  readonly box: Box
  /** Points of one unit of its coordinates; 1 as a rule. */
  readonly unitPoints: number
  readonly drawn: readonly (Glyph | Area)[]
}

/** `[a, b, c, d, x, y]`, as PDF writes them: takes `(1, 0)` to `(a, b)`, `(0, 1)` to `(c, d)`, and zero to `(x, y)`. */
export type Matrix = readonly [number, number, number, number, number, number]

/** Changes nothing. */
export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** A rectangle along the axes; empty where its left lies right of its right. */
export interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

/** Red, green and blue from 0 to 255; `undefined` for what is not one colour: a picture, a pattern, a gradient. */
export type Color = readonly [number, number, number] | undefined

/** How glyphs that are drawn together are painted. */
export interface Look {
  /** Painted inside, along the outline, both, or not at all. */
  readonly fills: boolean
  readonly strokes: boolean
  readonly fill: Color
  readonly stroke: Color
  /** From 0 to 1. */
  readonly fillOpacity: number
  readonly strokeOpacity: number
  /** Whether the glyphs also bound what is drawn after them, which then shows in their shape. */
  readonly clips: boolean
  /** Whether the layer that it is in is on. */
  readonly isLayerOn: boolean
  /** What is drawn outside of it is not seen. */
  readonly clip: Box
}

/** What characters have in common that are drawn together. */
export interface GlyphStyle {
  /** `[a, b, c, d]`: a square of the font's size goes from the baseline's `(0, 0)` to `(a, b)` along it, and up to `(c, d)`. */
  readonly axes: readonly [a: number, b: number, c: number, d: number]
  /** Which way the text goes, down where it is vertical: a vector of length 1. */
  readonly along: readonly [x: number, y: number]
  /** The height of the square. */
  readonly size: number
  /** The side of the square along the baseline, not stretched. */
  readonly em: number
  /** Equal for glyphs of one font. */
  readonly font: string
  readonly isVertical: boolean
  readonly look: Look
}

/** One character, or several that are drawn as one. */
export interface Glyph {
  readonly kind: 'glyph'
  readonly text: string
  /** Where it begins on its baseline. */
  readonly x: number
  readonly y: number
  /** How far it goes along its baseline (down it, where it is vertical), without the space after it. */
  readonly advance: number
  readonly style: GlyphStyle
}

/** Something that is filled: a shape, a wide stroke, a picture, a gradient. */
export interface Area {
  readonly kind: 'area'
  /** The box around it, as far as it is seen. */
  readonly box: Box
  /** The corners of its outlines, x and y in turns, where it is another shape than its box. */
  readonly outlines?: () => readonly Float64Array[]
  /** What lies in an even number of outlines is not in it; else only what they go round as often one way as the other. */
  readonly isEvenOdd?: boolean
  readonly color: Color
  readonly isPicture: boolean
  /** Whether nothing shows through it; `unknown` of a picture that was not unpacked. */
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

/** A matrix that first moves by a step in its own coordinates. */
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

/** The box around what a rectangle becomes. */
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

/** What two boxes have in common. */
export function overlap(one: Box, other: Box): Box {
  return {
    left: Math.max(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
    top: Math.min(one.top, other.top),
  }
}

/** Whether a box has no inside. */
export function isEmpty({ left, bottom, right, top }: Box): boolean {
  return !(left < right && bottom < top)
}
