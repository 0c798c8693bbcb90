import { describe, expect, it } from 'vitest'
import { joinJustified } from './justified.ts'
import type { PdfLine } from './lines.ts'

const line = (text: string, x0: number, x1: number, y: number, continuesRow = false): PdfLine => {
  return { text, x0, x1, y, size: 10, font: 'f', continuesRow, tilted: false }
}

/** Lines of prose that end at 200 points, as those around a justified line do. */
const column = [700, 688, 676].map((y) => line('Prose that fills its column wholly', 40, 200, y))

/** Words on one row, each 25 points wide, with these spaces before all but the first; the last ends at 200. */
function row(words: readonly string[], gaps: readonly number[], y = 664): PdfLine[] {
  let x = 200 - words.length * 25 - gaps.reduce((sum, gap) => sum + gap, 0)
  return words.map((word, index) => {
    const x0 = x + (index === 0 ? 0 : (gaps[index - 1] ?? 0))
    x = x0 + 25
    return line(word, x0, x, y, index > 0)
  })
}

const texts = (lines: readonly PdfLine[]) =>
  joinJustified([...column, ...lines])
    .slice(3)
    .map(({ text }) => text)

describe('a line that justification drew apart', () => {
  it('is one line again where its spaces are even and it reaches the column’s edge', () => {
    const words = ['weakly', 'coupled', 'intentionally', 'disordered']
    const [joined] = joinJustified([...column, ...row(words, [12, 12.5, 12])]).slice(3)
    expect(joined).toMatchObject({ text: words.join(' '), x1: 200, continuesRow: false })
  })

  it('stays apart where the spaces differ, as a table’s do', () => {
    const cells = ['platform', 'hardware', 'software', 'framework']
    expect(texts(row(cells, [12, 30, 14]))).toEqual(cells)
  })

  it('stays apart where it is numbers, or where no line around it ends there', () => {
    const numbers = ['accuracy', '0.676', '0.754', '0.793', '0.796', '0.801']
    expect(texts(row(numbers, [12, 12, 12, 12, 12]))).toEqual(numbers)
    const words = ['weakly', 'coupled', 'intentionally', 'disordered']
    const moved = row(words, [12, 12, 12]).map((one) => ({
      ...one,
      x0: one.x0 - 30,
      x1: one.x1 - 30,
    }))
    expect(texts(moved)).toEqual(words)
  })

  it('is not joined over the gutter with the line next to it', () => {
    const left = ['some', 'words', 'of', 'the', 'left', 'column']
    const beside = line('and what stands right of it here', 216, 376, 664, true)
    expect(texts([...row(left, [11, 11, 11, 11, 11]), beside])).toEqual([
      left.join(' '),
      beside.text,
    ])
  })
})
