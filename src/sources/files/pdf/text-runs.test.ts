import { describe, expect, it } from 'vitest'
import type { Glyph, GlyphStyle } from './page-glyphs.ts'
import { countUnreadable, toRuns } from './text-runs.ts'

const paint: GlyphStyle['paint'] = {
  object: 1,
  order: 1,
  mode: 0,
  fill: [0, 0, 0, 255],
  stroke: [0, 0, 0, 255],
  clip: { left: 0, bottom: 0, right: 600, top: 800 },
  box: { left: 0, bottom: 0, right: 600, top: 800 },
  isLayered: false,
}

/** A style of 10 points whose baseline goes along a vector of that length. */
function style(x: number, y: number, up = [-y, x], more: Partial<GlyphStyle> = {}): GlyphStyle {
  const axes = [x, y, up[0] as number, up[1] as number] as const
  return {
    axes,
    along: [x / 10, y / 10],
    size: 10,
    em: 10,
    font: 'f',
    isVertical: false,
    paint,
    ...more,
  }
}

const upright = style(10, 0)

/** Glyphs 5 points wide, one after another from a place; `gaps` are the points before each. */
function glyphs(
  text: string,
  x: number,
  y: number,
  of = upright,
  gaps: readonly number[] = [],
): Glyph[] {
  let along = 0
  return [...text].map((one, index) => {
    along += gaps[index] ?? 0
    const place = { x: x + along * of.along[0], y: y + along * of.along[1] }
    along += 5
    return { text: one, index, ...place, advance: 5, style: of }
  })
}

const texts = (...drawn: Glyph[]) => toRuns(drawn).map(({ text }) => text)

describe('runs of glyphs', () => {
  it('have a space where there is one, drawn or as a gap', () => {
    expect(texts(...glyphs('a word', 0, 0))).toEqual(['a word'])
    expect(texts(...glyphs('aword', 0, 0, upright, [0, 2]))).toEqual(['a word'])
    expect(texts(...glyphs('aword', 0, 0, upright, [0, 0.5]))).toEqual(['aword'])
    expect(texts(...glyphs('a word', 0, 0, upright, [0, 0, -5]))).toEqual(['aword'])
  })

  it('end at a wide gap, in another font and on another line', () => {
    expect(texts(...glyphs('ab', 0, 0, upright, [0, 9]))).toEqual(['a', ' ', 'b'])
    const bold = { ...upright, font: 'g' }
    expect(texts(...glyphs('a', 0, 0), ...glyphs('b', 5, 0, bold))).toEqual(['a', 'b'])
    expect(texts(...glyphs('a', 0, 0), ...glyphs('b', 0, -12))).toEqual(['a', 'b'])
  })

  it('are said once when they are drawn again at nearly the same place, and longer', () => {
    expect(texts(...glyphs('bold', 0, 0), ...glyphs('bold and plain', 0.3, 0))).toEqual([
      'bold and plain',
    ])
  })

  it('are placed along their own axes, turned or mirrored', () => {
    const place = (of: GlyphStyle) => toRuns(glyphs('a', 30, 40, of))[0]
    expect(place(upright)).toMatchObject({ x: 30, y: 40, size: 10, width: 5 })
    const upwards = place(style(0, 10))
    expect(upwards?.x).toBeCloseTo(40)
    expect(upwards?.y).toBeCloseTo(-30)
    const mirrored = place(style(10, 0, [0, -10]))
    expect(mirrored?.y).toBeCloseTo(-40)
    expect(new Set([place(upright), upwards, mirrored].map((run) => run?.direction)).size).toBe(3)
  })

  it('count as straight when the scan was a little askew', () => {
    const [askew] = toRuns(glyphs('a', 0, 0, style(9.99, 0.3)))
    expect(askew?.direction).toBe(toRuns(glyphs('a', 0, 0))[0]?.direction)
  })

  it('go down where they are vertical', () => {
    const vertical = style(10, 0, [0, 10], { isVertical: true, along: [0, -1] })
    expect(toRuns(glyphs('縦書', 0, 100, vertical))).toMatchObject([{ text: '縦書', width: 10 }])
  })

  it.each([
    ['םולש', 'שלום', true],
    ['123 םולש', 'שלום 123', true],
    ['!םולש 3.5 abc', 'abc 3.5 שלום!', true],
    ['a long text with one word םולש in it', 'a long text with one word שלום in it', false],
    ['left to right', 'left to right', false],
  ])('drawn as %s are read as %s', (drawn, text, rightToLeft) => {
    expect(toRuns(glyphs(drawn, 0, 0))).toMatchObject([{ text, rightToLeft }])
  })

  it('lose what cannot be read, and have bullets, ligatures and forms of letters as letters', () => {
    const drawn = '\uf0b7 ef\ufb01cient\uf8eb\u0003'
    expect(texts(...glyphs(drawn, 0, 0))).toEqual(['• efficient'])
    expect(texts(...glyphs('\ufefb', 0, 0))).toEqual(['لا'])
    expect(countUnreadable('\uf8eb\u0003\ufffda')).toBe(3)
  })
})
