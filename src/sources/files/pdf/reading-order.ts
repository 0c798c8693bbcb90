import type { PdfLine } from './lines.ts'

/** Shorter lines, in characters, say nothing about the order: labels, cells, formulas. */
const proseLineChars = 30
/** Number and share of misplaced lines from which a page's drawing order is not trusted. */
const minMisplaced = 8
const minPartMisplaced = 0.4

/**
 * A page's lines in reading order. Nearly all producers draw text in that order, which beats geometry, so it is kept
 * unless the prose clearly jumps back and forth; then columns are found by their gutters.
 */
export function toReadingOrder(lines: readonly PdfLine[]): readonly PdfLine[] {
  const upright = lines.filter((line) => !line.tilted)
  if (!isDrawnOutOfOrder(upright)) return lines
  const ordered = sortByColumns(upright)
  return [...ordered.map(createRowJoiner(ordered)), ...lines.filter((line) => line.tilted)]
}

function isDrawnOutOfOrder(lines: readonly PdfLine[]): boolean {
  const prose = lines.filter(isProse)
  let sideways = 0
  let upwards = 0
  for (const [index, line] of prose.entries()) {
    const before = prose[index - 1]
    if (before === undefined) continue
    if (line.x0 >= before.x1 || line.x1 <= before.x0) sideways++
    else if (line.y > before.y + line.size) upwards++
  }
  return Math.max(sideways, upwards) >= Math.max(minMisplaced, minPartMisplaced * prose.length)
}

function isProse({ text }: PdfLine): boolean {
  return text.length >= proseLineChars
}

/** Column by column between lines that cross the gutter, which keep their place. */
function sortByColumns(lines: readonly PdfLine[]): PdfLine[] {
  const gutter = findGutter(lines)
  const downwards = [...lines].sort((one, other) => {
    const isSameRow = Math.abs(other.y - one.y) < 0.15 * one.size
    return isSameRow ? one.x0 - other.x0 : other.y - one.y
  })
  if (gutter === undefined) return downwards
  const ordered: PdfLine[] = []
  let left: PdfLine[] = []
  let right: PdfLine[] = []
  for (const line of downwards) {
    if (line.x1 <= gutter) left.push(line)
    else if (line.x0 >= gutter) right.push(line)
    else {
      ordered.push(...sortByColumns(left), ...sortByColumns(right), line)
      left = []
      right = []
    }
  }
  return [...ordered, ...sortByColumns(left), ...sortByColumns(right)]
}

/** The x coordinate, in points, that fewest lines cross, if few do and both sides are columns of prose; else `undefined`. */
function findGutter(lines: readonly PdfLine[]): number | undefined {
  let best: { x: number; crossing: number } | undefined
  for (const edge of new Set(lines.map((line) => Math.floor(line.x0) - 1))) {
    const left = lines.filter((line) => line.x1 <= edge)
    const right = lines.filter((line) => line.x0 >= edge)
    const crossing = lines.length - left.length - right.length
    if (crossing > 0.3 * lines.length || crossing >= (best?.crossing ?? Number.POSITIVE_INFINITY))
      continue
    if (isColumn(left) && isColumn(right)) best = { x: edge, crossing }
  }
  return best?.x
}

/** Lines of prose fill a column's width; table cells do not. */
function isColumn(lines: readonly PdfLine[]): boolean {
  const prose = lines.filter(isProse)
  if (prose.length < 3 || prose.length < 0.5 * lines.length) return false
  const width =
    Math.max(...prose.map((line) => line.x1)) - Math.min(...prose.map((line) => line.x0))
  return prose.filter((line) => line.x1 - line.x0 > 0.75 * width).length >= 0.6 * prose.length
}

/** Rows are recomputed: what was drawn as one row may now be two columns. */
function createRowJoiner(lines: readonly PdfLine[]): (line: PdfLine, index: number) => PdfLine {
  return (line, index) => {
    const before = lines[index - 1]
    const isLevel = before !== undefined && Math.abs(before.y - line.y) < 0.15 * line.size
    return { ...line, continuesRow: isLevel && line.x0 >= before.x1 }
  }
}
