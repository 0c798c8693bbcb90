import { describe, expect, it } from 'vitest'
import {
  areNumbersStated,
  findCalculation,
  findNewNumbers,
  statesCalculation,
  statesResult,
} from './calculated.ts'

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
    ['It is \u22125.', '-5'],
    ['It is minus 5.', '-5'],
    ['It is negative five.', '-5'],
    ['3 minus 8 is -5.', '-5'],
    ['It fell by 5.', '-5'],
    ['5 less than 8', '-5'],
    ['between 3 and 8: 3-8', '8'],
    ['It is 29 December 2019.', '2019-12-29'],
    ['December 29th, 2019', '2019-12-29T00:00:00'],
    ['at 14:30', '2019-12-29 14:30:00'],
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
    ['It is 5.', '-5'],
    ['It is +5.', '-5'],
    ['It is -5.', '5'],
    ['It is \u22125.', '5'],
    ['It is minus 5.', '5'],
    ['It is 29.', '2019-12-29'],
    ['It was in 2019.', '2019-12-29'],
    ['It is 2019-12-28.', '2019-12-29'],
    ['It is 30.', '14:30'],
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

describe('calculatedBy', () => {
  const division = gave('2', '12 / 6')
  const percent = gave('36', '0.15 * 240')
  const below = gave('-5', '3 - 8')
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
    ['3 - 8 = -5.', [below]],
    ['3 minus 8 is \u22125.', [below]],
    ['It is minus 5.', [below]],
    ['It is 29 December 2019.', [gave('2019-12-29', 'date(2019, 12, 31) - timedelta(2)')]],
  ])('%s is', (text, calculations) => {
    expect(findCalculation(text, calculations)).toBeDefined()
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
    ['3 - 8 = 5.', [below]],
    ['It is 5.', [below]],
    ['It is 29.', [gave('2019-12-29', 'date(2019, 12, 31) - timedelta(2)')]],
    ['2019-12-28', [gave('2019-12-29', 'date(2019, 12, 31) - timedelta(2)')]],
    ['It is 2019-12-29.', [gave('2019-12-29', '2019-12-29')]],
    ['It is -5.', [gave('-5', '- 5')]],
  ])('%s is not', (text, calculations) => {
    expect(findCalculation(text, calculations)).toBeUndefined()
  })
})

describe('numbersBeside', () => {
  it('gives numbers with their sign and dates as wholes, as they stand there', () => {
    expect(findNewNumbers('-5\n2019-12-29 1.5e3 8', 'print(3-8)')).toEqual([
      '-5',
      '2019-12-29',
      '1.5e3',
    ])
    expect(findNewNumbers('2019-12-29', 'print("2019-12-29")')).toEqual([])
  })
})

describe('numbersStated', () => {
  it.each([
    ['412', 'melts at 412.3 degrees', true],
    ['-412', 'melts at 412 degrees', false],
    ['412', 'melts at -412 degrees', false],
    ['\u2212412', 'melts at -412 degrees', true],
    ['2019-12-29', 'on 29 December 2019', true],
    ['29', 'on 2019-12-29', false],
  ])('of %j in %j: %j', (text, other, is) => {
    expect(areNumbersStated(text, other)).toBe(is)
  })
})
