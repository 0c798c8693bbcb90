import type { Matrix } from './page-drawing.ts'

/** Segment types in pdf.js's paths: a number followed by the segment's points. */
const move = 0
const line = 1
const curve = 2
const quadratic = 3
/** Lines per curve. */
const curveParts = 4

/** The outlines of a pdf.js path, with curves as lines: corners, x and y alternating. */
export function toOutlines(path: ArrayLike<number>, matrix: Matrix): readonly Float64Array[] {
  const outlines: number[][] = []
  let at = 0
  let [x, y] = [0, 0]
  const next = () => path[at++] ?? 0
  const lineTo = (toX: number, toY: number): void => {
    x = toX
    y = toY
    const [a, b, c, d, e, f] = matrix
    outlines.at(-1)?.push(a * x + c * y + e, b * x + d * y + f)
  }
  const curveTo = (points: readonly number[]): void => {
    const start = [x, y]
    for (let part = 1; part <= curveParts; part++) {
      const [toX = 0, toY = 0] = pointOn([...start, ...points], part / curveParts)
      lineTo(toX, toY)
    }
  }
  while (at < path.length) {
    const kind = next()
    if (kind === move) outlines.push([])
    if (kind === move || kind === line) lineTo(next(), next())
    else if (kind === curve) curveTo([next(), next(), next(), next(), next(), next()])
    else if (kind === quadratic) curveTo([next(), next(), next(), next()])
  }
  return outlines.map((outline) => new Float64Array(outline))
}

/** A point on a Bézier curve; `points` alternate x and y, `part` is 0 to 1. */
function pointOn(points: readonly number[], part: number): readonly number[] {
  if (points.length === 2) return points
  const between = points.slice(2).map((to, index) => {
    const from = points[index] as number
    return from + part * (to - from)
  })
  return pointOn(between, part)
}

/** The outlines of a stroke: a rectangle for each line. */
export function toStrokes(
  outlines: readonly Float64Array[],
  width: number,
): readonly Float64Array[] {
  return outlines.flatMap((outline) => {
    const strokes: Float64Array[] = []
    for (let index = 3; index < outline.length; index += 2) {
      const [fromX = 0, fromY = 0, toX = 0, toY = 0] = outline.subarray(index - 3, index + 1)
      const length = Math.hypot(toX - fromX, toY - fromY)
      if (length === 0) continue
      const x = ((fromY - toY) / length) * (width / 2)
      const y = ((toX - fromX) / length) * (width / 2)
      strokes.push(
        Float64Array.of(
          fromX + x,
          fromY + y,
          toX + x,
          toY + y,
          toX - x,
          toY - y,
          fromX - x,
          fromY - y,
        ),
      )
    }
    return strokes
  })
}

/** Whether a point is inside a shape. */
export function isInsideOutline(
  outlines: readonly Float64Array[],
  isEvenOdd: boolean,
  x: number,
  y: number,
): boolean {
  const winding = outlines.reduce((sum, outline) => sum + windings(outline, x, y), 0)
  return isEvenOdd ? winding % 2 !== 0 : winding !== 0
}

/** Upward minus downward crossings of a ray from a point to the right. */
function windings(outline: Float64Array, x: number, y: number): number {
  let sum = 0
  let fromX = outline.at(-2) ?? 0
  let fromY = outline.at(-1) ?? 0
  for (let index = 0; index < outline.length; index += 2) {
    const toX = outline[index] as number
    const toY = outline[index + 1] as number
    if (fromY > y !== toY > y && x < fromX + ((y - fromY) * (toX - fromX)) / (toY - fromY))
      sum += toY > fromY ? 1 : -1
    fromX = toX
    fromY = toY
  }
  return sum
}
