import { describe, expect, it } from 'vitest'
import { groupLines, type TextRun } from './lines.ts'

const run = (text: string, x: number, y: number, more: Partial<TextRun> = {}): TextRun => ({
  text,
  x,
  y,
  width: text.length * 5,
  size: 10,
  font: 'f',
  rightToLeft: false,
  direction: '0 1',
  ...more,
})
const texts = (...runs: TextRun[]) => groupLines(runs).map((line) => line.text)

describe('lines of runs', () => {
  it('take a gap for a space, and no space twice', () => {
    expect(
      texts(run('one', 0, 0), run('two', 18, 0), run('three ', 33, 0), run('four', 63, 0)),
    ).toEqual(['one twothree four'])
  })

  it('part cells, which stay on the row of the line before', () => {
    const lines = groupLines([run('name', 0, 0), run('age', 100, 0), run('next row', 0, -12)])
    expect(lines.map(({ text, continuesRow }) => [text, continuesRow])).toEqual([
      ['name', false],
      ['age', true],
      ['next row', false],
    ])
  })

  it('keep sub- and superscripts in their line', () => {
    const small = { size: 6 }
    expect(texts(run('H', 0, 0), run('2', 5, -2, small), run('O', 10, 0))).toEqual(['H2O'])
    expect(texts(run('known fact', 0, 0), run('12', 50, 4, small))).toEqual(['known fact ¹²'])
    expect(texts(run('10 cm', 0, 0), run('-2', 25, 4, small))).toEqual(['10 cm⁻²'])
    expect(texts(run('1', 0, 4, small), run('A note', 5, 0))).toEqual(['¹ A note'])
  })

  it('draw bold text once that is drawn twice', () => {
    expect(texts(run('Bold', 0, 0), run('Bold', 0.3, 0))).toEqual(['Bold'])
  })

  it('compose accents that are drawn before their letters', () => {
    expect(texts(run('Zolt´an Gy¨ongyi, Garc´ıa', 0, 0))).toEqual(['Zoltán Gyöngyi, García'])
  })

  it('join right-to-left runs leftwards', () => {
    const rightToLeft = true
    const [line] = groupLines([
      run('שלום', 100, 0, { rightToLeft }),
      run('עולם', 75, 0, { rightToLeft }),
    ])
    expect(line?.text).toBe('שלום עולם')
  })

  it('know stamps in the margin by their direction', () => {
    const stamp = run('arXiv', 0, 0, { direction: '90 1' })
    expect(groupLines([stamp, run('upright text', 0, 0)]).map((line) => line.tilted)).toEqual([
      true,
      false,
    ])
  })
})
