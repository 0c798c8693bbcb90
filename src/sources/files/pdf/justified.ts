import type { PdfLine } from './lines.ts'

/** Spaces of one justified line differ by no more than this part. */
const even = 0.1
/** Even spaces are words' up to this many font sizes where there are three or more, and up to the second where there are fewer. */
const widestManyEm = 1.6
const widestFewEm = 1.3
const many = 3
/** A line of prose has this many characters and this many words, at least. */
const proseChars = 24
const proseWords = 3

/** A justified line ends where its column does: so do this many lines of prose, itself among them, this near, in points. */
const fewestAtEdge = 3
const edgePoints = 2

/**
 * The lines with those put together again that justification drew apart: pieces of a row with spaces of one width
 * between them that read as prose and reach the edge of a column. The cells of a table are not as even, or are numbers.
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

/** Tells whether a line ends where others of prose do. */
function findEdges(lines: readonly PdfLine[]): (line: PdfLine) => boolean {
  const counts = new Map<number, number>()
  const placeOf = ({ x1 }: PdfLine) => Math.round(x1 / edgePoints)
  for (const line of lines)
    if (line.text.length >= proseChars)
      counts.set(placeOf(line), (counts.get(placeOf(line)) ?? 0) + 1)
  return (line) =>
    [-1, 0, 1].reduce((sum, near) => sum + (counts.get(placeOf(line) + near) ?? 0), 0) >=
    fewestAtEdge
}

/** The end of the pieces from `start` on that stand on one row with the same space between each two. */
function findEvenRowEnd(lines: readonly PdfLine[], start: number): number {
  const size = lines[start]?.size ?? 0
  let end = start + 1
  let usual = 0
  for (; lines[end]?.continuesRow; end++) {
    const gap = gapBefore(lines, end)
    if (usual === 0) usual = gap
    if (gap > widestManyEm * size || Math.abs(gap - usual) > even * usual) break
  }
  const isMany = end - start > many
  return isMany || usual <= widestFewEm * size ? end : start + 1
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
