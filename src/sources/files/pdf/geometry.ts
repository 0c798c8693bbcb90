/** `[a, b, c, d, x, y]` as in PDF: maps `(1, 0)` to `(a, b)`, `(0, 1)` to `(c, d)`, and the origin to `(x, y)`. */
export type Matrix = readonly [number, number, number, number, number, number]

/** The identity matrix. */
export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** An axis-aligned rectangle; empty if left is not left of right. */
export interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

/** `inner`, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, x, y] = outer
  return [
    a * inner[0] + c * inner[1],
    b * inner[0] + d * inner[1],
    a * inner[2] + c * inner[3],
    b * inner[2] + d * inner[3],
    a * inner[4] + c * inner[5] + x,
    b * inner[4] + d * inner[5] + y,
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
