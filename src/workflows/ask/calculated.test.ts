import { describe, expect, it } from 'vitest'
import { isCalculated, statesCalculation, statesResult } from './calculated.ts'

const gave = (result: string, expression = 'x') => ({ expression, result })

describe('statesResult', () => {
  it.each([
    ['It is 399.', '399'],
    ['**1,234,567** people', '1234567'],
    ['1\u202f234\u202f567', '1234567'],
    ['about 62.14 mph', '62.1371192237334 mph'],
    ['roughly 62 mph', '62.1371192237334 mph'],
    ['about 1.2 million', '1234567'],
    ['about 1,200', '1234'],
    ['1.5 × 10^10 stars', '15000000000'],
    ['1.5 × 10⁻³ g', '0.0015 g'],
    ['1.5e10', '1.5e+10'],
    ['That is 15 %.', '0.15'],
    ['five degrees below zero', '-5'],
    ['It is true.', 'true'],
    ['.5 of it', '0.5'],
  ])('%s states %s', (text, result) => {
    expect(statesResult(text, gave(result))).toBe(true)
  })

  it.each([
    ['It was invented in 1873 by Newton.', '2'],
    ['It is 398.', '399'],
    ['It is 62.15.', '62.1371192237334'],
    ['about 6', '6.4'],
    ['It is so [4].', '4'],
    ['Done.', '4'],
    ['It is 12.', '1.2'],
    ['', '0'],
    ['2 million', '2'],
  ])('"%s" does not state %s', (text, result) => {
    expect(statesResult(text, gave(result))).toBe(false)
  })
})

describe('statesCalculation', () => {
  it('wants what went in as well as what came out', () => {
    const percent = gave('36', '15% of 240')
    expect(statesCalculation('15% of 240 = 36.', percent)).toBe(true)
    expect(statesCalculation('36 of them were found in 1873.', percent)).toBe(false)
    expect(statesCalculation('Newton had 2 cats.', gave('2', '1 + 1'))).toBe(false)
  })
})

describe('isCalculated', () => {
  const division = gave('2', '12 / 6')
  const percent = gave('36', '0.15 * 240')
  it.each([
    ['12 / 6 = 2.', [division]],
    ['Two is what 12 divided by 6 gives [1].', [division]],
    ['15% of 240 is 36.', [percent]],
    ['It is 36.', [percent]],
    ['That is about 685 kelvin.', [gave('685.15', '412 + 273.15')]],
    ['That is $1.2 million.', [gave('1234567', '1234000 + 567')]],
    ['It is true.', [gave('true', '3 > 2')]],
    ['12 / 6 = 2, and 15 % of 240 is 36.', [division, percent]],
    ['412 °C is about 685 K.', [gave('685.15 K', '412 degC to K')]],
  ])('%s is', (text, calculations) => {
    expect(isCalculated(text, calculations)).toBe(true)
  })

  it.each([
    ['There are two reasons why aspirin cures cancer.', [division]],
    ['Type 2 diabetes is caused by vaccines.', [division]],
    ['In 1873 it was 12 / 6 = 2.', [division]],
    ['There are two reasons why aspirin cures cancer.', [gave('2', '2')]],
    ['It is 36 trees.', [percent]],
    ['It is 36, and that of Newton.', [percent]],
    ['It is 36 or 37.', [percent]],
    ['It is so.', [division]],
    ['12 / 6 = 2.', []],
  ])('%s is not', (text, calculations) => {
    expect(isCalculated(text, calculations)).toBe(false)
  })
})
