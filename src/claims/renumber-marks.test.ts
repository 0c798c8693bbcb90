import { describe, expect, it } from 'vitest'
import { splitClaims } from './check/parse-claims.ts'
import { renumberMarks } from './renumber-marks.ts'

const numbers = new Map([
  [1, 3],
  [2, 1],
  [3, 4],
])
const written = (text: string) => renumberMarks(text, numbers, 4)

describe('renumberMarks', () => {
  it.each([
    ['One [1]. Other [2].', 'One [3]. Other [1].'],
    ['Both [1, 2], or [1][2].', 'Both [3, 1], or [3][1].'],
    ['All of them [1–3].', 'All of them [3, 1, 4].'],
    ['After the stop.[2]', 'After the stop.[1]'],
    ['No marks: arr[1], [x], [1](https://a.example), 2020.', undefined],
    [
      'Code: `a [1]` and\n```\n[2]\n```\nbut here [2].',
      'Code: `a [1]` and\n```\n[2]\n```\nbut here [1].',
    ],
  ])('writes %j', (text, expected = text) => {
    expect(written(text)).toBe(expected)
  })

  it.each([
    ['[10, 20] degrees, in [1945] [1].', '[10, 20] degrees, in [1945] [3].'],
    ['A slip [7], and another [0].', 'A slip [7], and another [0].'],
    ['From a slip to a source [1, 7].', 'From a slip to a source [3, 7].'],
  ])('leaves numbers that stand for nothing as they are: %j', (text, expected) => {
    expect(written(text)).toBe(expected)
  })

  it.each([
    ['[4, 9] degrees [1].', String.raw`\[4, 9\] degrees [3].`],
    ['In the interval [4–9] of it.', String.raw`In the interval \[4–9\] of it.`],
    ['A slip and a source [4, 1].', String.raw`A slip and a source [3] \[4\].`],
    ['A slip and a source [4][1].', String.raw`A slip and a source [3] \[4\].`],
  ])('makes no mark of one that would stand for another source: %j', (text, expected) => {
    expect(written(text)).toBe(expected)
    const [claim] = splitClaims(written(text))
    expect(claim?.citations).toEqual(text.includes('1') ? [3] : [])
  })

  it('cites a source once whose two numbers are one now', () => {
    const both = new Map([1, 2].map((n) => [n, 1]))
    expect(renumberMarks('Read twice [1, 2].', both, 1)).toBe('Read twice [1].')
  })

  it('leaves a text as it is whose numbers stay', () => {
    const text = 'As before [1-2].'
    expect(renumberMarks(text, new Map([1, 2].map((n) => [n, n])), 2)).toBe(text)
  })

  it('gives sentences that cite the same sources', () => {
    const text = 'First [1, 3]. Second [2][1]. Third.'
    const before = splitClaims(text).map(({ citations }) => citations.map((n) => numbers.get(n)))
    expect(splitClaims(written(text)).map(({ citations }) => citations)).toEqual(before)
  })
})
