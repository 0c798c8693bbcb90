import type { PdfLine } from './lines.ts'

/** Maximum relative difference between the spaces of a justified line. */
const maxUnevenness = 0.1
/** Maximum width of word spaces in font sizes, with three or more spaces and with fewer. */
const maxManyEm = 1.6
const maxFewEm = 1.3
const manySpaces = 3
/** Minimum characters and words of a line of prose. */
const proseChars = 24
const proseWords = 3

/** A justified line ends at its column's edge, as do at least this many lines of prose, within this many points. */
const minAtEdge = 3
const edgePoints = 2

/**
 * Rejoins lines that justification broke apart: pieces of a row with equal spaces that read as prose and reach a
 * column's edge. Table cells are less evenly spaced, or numbers.
 */
export function joinJustified(lines: readonly PdfLine[]): PdfLine[] {
  const joined: { readonly line: PdfLine; readonly pieces: readonly PdfLine[] }[] = []
  for (let index = 0; index < lines.length; ) {
    const pieces = lines.slice(index, findEvenRowEnd(lines, index))
    const isJoined = pieces.length > 1 && isProse(pieces)
    const line = isJoined ? joinRow(pieces) : (lines[index] as PdfLine)
    joined.push({ line, pieces: isJoined ? pieces : [line] })
    index += isJoined ? pieces.length : 1
  }
  const isAtEdge = findEdges(joined.map(({ line }) => line))
  return joined.flatMap(({ line, pieces }) => (isAtEdge(line) ? [line] : pieces))
}

/** Tests whether a line ends where other lines of prose do. */
function findEdges(lines: readonly PdfLine[]): (line: PdfLine) => boolean {
  const counts = new Map<number, number>()
  const placeOf = ({ x1 }: PdfLine) => Math.round(x1 / edgePoints)
  for (const line of lines)
    if (line.text.length >= proseChars)
      counts.set(placeOf(line), (counts.get(placeOf(line)) ?? 0) + 1)
  return (line) =>
    [-1, 0, 1].reduce((sum, near) => sum + (counts.get(placeOf(line) + near) ?? 0), 0) >= minAtEdge
}

/** The end of the pieces from `start` on one row with equal spaces. */
function findEvenRowEnd(lines: readonly PdfLine[], start: number): number {
  const size = lines[start]?.size ?? 0
  let end = start + 1
  let usual = 0
  for (; lines[end]?.continuesRow; end++) {
    const gap = gapBefore(lines, end)
    if (usual === 0) usual = gap
    if (gap > maxManyEm * size || Math.abs(gap - usual) > maxUnevenness * usual) break
  }
  const isMany = end - start > manySpaces
  return isMany || usual <= maxFewEm * size ? end : start + 1
}

function gapBefore(lines: readonly PdfLine[], index: number): number {
  return (lines[index] as PdfLine).x0 - (lines[index - 1] as PdfLine).x1
}

function isProse(pieces: readonly PdfLine[]): boolean {
  const text = pieces.map((piece) => piece.text).join(' ')
  const words = text.match(/\p{L}{2}/gu) ?? []
  const isWorded = pieces.filter((piece) => /\p{L}/u.test(piece.text)).length > 0.7 * pieces.length
  return text.length >= proseChars && words.length >= proseWords && isWorded
}

function joinRow(pieces: readonly PdfLine[]): PdfLine {
  const first = pieces[0] as PdfLine
  const longest = pieces.reduce((most, piece) =>
    piece.text.length > most.text.length ? piece : most,
  )
  return {
    ...first,
    text: pieces.map((piece) => piece.text).join(' '),
    x1: Math.max(...pieces.map((piece) => piece.x1)),
    size: longest.size,
    font: longest.font,
  }
}
