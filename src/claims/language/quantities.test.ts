import { describe, expect, it } from 'vitest'
import { findUnit, normalizePower, parseNumber, parsePower } from './quantities.ts'

describe('parseNumber', () => {
  it.each([
    ['1,000', 1000],
    ['1\u202f000\u202f000', 1_000_000],
    ['12,345.6', 12345.6],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['1·45', 1.45],
    ['1,5', 1.5],
    ['−3', -3],
    ['-3', -3],
    ['007', 7],
  ])('%s is %d', (text, value) => {
    expect(parseNumber(text)).toBe(value)
  })

  it.each([['1.2.3'], ['1,3,7'], ['12,3456'], ['x'], [''], ['1,'], ['5mg']])(
    '%j is none',
    (text) => {
      expect(parseNumber(text)).toBeUndefined()
    },
  )
})

describe('findUnit', () => {
  it('knows one unit by its symbol and its names', () => {
    for (const name of ['µg', 'μg', 'ug', 'mcg', 'microgram', 'Micrograms']) {
      expect(findUnit(name)).toEqual({ dimension: 'mass', factor: 1e-6 })
    }
  })

  it('tells symbols that differ in case apart', () => {
    expect(findUnit('mM')?.dimension).toBe('concentration')
    expect(findUnit('mm')?.dimension).toBe('length')
    expect(findUnit('MW')?.factor).not.toBe(findUnit('mW')?.factor)
  })

  it('does not take any word for a unit', () => {
    for (const word of ['dog', 'as', 'i', '', 'constructor', 'the'])
      expect(findUnit(word)).toBeUndefined()
  })
})

describe('parsePower', () => {
  it.each([
    ['10⁵', 100_000],
    ['3 × 10⁻⁶', 0.000003],
    ['3x10^-6', 0.000003],
    ['−2.5·10³', -2500],
    ['1.2E-3', 0.0012],
    ['2³²', 4_294_967_296],
  ])('%s is %d', (text, value) => {
    expect(parsePower(normalizePower(text) ?? '')).toBe(value)
  })

  it.each([['45²'], ['10'], ['10^999'], ['x²'], ['3e']])('%s is none', (text) => {
    expect(parsePower(normalizePower(text) ?? '')).toBeUndefined()
  })
})
