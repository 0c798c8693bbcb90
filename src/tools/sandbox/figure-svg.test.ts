import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxDrawn } from './child-lines.ts'
import { figureSvg } from './figure-svg.ts'

const texts = { title: '', xLabel: '', yLabel: '' }
const line = (xs: number[], ys: number[]) => figureSvg({ kind: 'line', ...texts, xs, ys })

describe('a figure as SVG', () => {
  it('puts its points where its axes say', () => {
    expect(line([0, 10], [0, 10])).toContain('points="70,344 620,50.7"')
  })

  it('has round numbers on its axes', () => {
    const svg = line([0, 7], [0, 0.37])
    expect(svg).toMatch(/>0\.05<.*>0\.1<.*>0\.35</)
    expect(svg).toMatch(/>1<.*>2<.*>7</)
  })

  it('draws a bar from zero, also a negative one', () => {
    const labels = ['a', 'b']
    const svg = figureSvg({ kind: 'bar', ...texts, labels, ys: [2, -2] })
    const [up, down] = [...svg.matchAll(/<rect x="\d+.*?" y="([\d.]+)".*?height="([\d.]+)"/g)]
    expect(Number(up?.[1]) + Number(up?.[2])).toBeCloseTo(Number(down?.[1]), 0)
  })

  it('holds no markup of its texts', () => {
    const svg = figureSvg({
      ...{ kind: 'bar', title: '<b>&"\u0000', xLabel: '</svg>', yLabel: '\ud800' },
      ...{ labels: ['<script>'], ys: [1] },
    })
    expect(svg).toContain('&lt;b&gt;&amp;&quot; ')
    expect(svg.match(/<(?!\/?(?:svg|rect|path|text)\b)/g)).toBeNull()
    expect(svg.match(/<\/svg>/g)).toHaveLength(1)
  })

  it('has a place for every number', () => {
    const number = fc.double({ noNaN: true, min: -maxDrawn, max: maxDrawn })
    const points = fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(points, (pairs) => {
        const svg = line(
          pairs.map(([x]) => x),
          pairs.map(([, y]) => y),
        )
        expect(svg).not.toMatch(/NaN|Infinity/)
      }),
    )
  })
})
