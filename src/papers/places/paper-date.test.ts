import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paperDate } from './paper-date.ts'

describe('paperDate', () => {
  it.each([
    ['2024-01-05T12:00:00Z', '2024-01-05'],
    ['2024-01-05', '2024-01-05'],
    ['2024/1/5', '2024-01-05'],
    ['2024-01', '2024-01'],
    ['2024', '2024'],
    [2024, '2024'],
    ['2024-02-30', '2024-02'],
    ['2023-02-29', '2023-02'],
    ['2024-13-01', '2024'],
    ['5 January 2024', '2024-01-05'],
    ['Jan 5, 2024', '2024-01-05'],
    ['January 2024', '2024-01'],
    ['Fri, 05 Jan 2024 12:00:00 GMT', '2024-01-05'],
    ['Monday, March 4th, 2019', '2019-03-04'],
    [1_704_456_000, '2024-01-05'],
    [1_704_456_000_000, '2024-01-05'],
    ['1704456000', '2024-01-05'],
    [{ year: 2024, month: 1 }, '2024-01'],
    ['some day', ''],
    ['0000-00-00', ''],
    ['20240105', ''],
    [null, ''],
    [Number.NaN, ''],
    [-1, ''],
    [[], ''],
  ])('reads %j', (value, date) => {
    expect(paperDate(value)).toBe(date)
  })

  it('gives a date or nothing', () => {
    const values = fc.oneof(
      fc.anything(),
      fc.double(),
      fc.stringMatching(/^[\dTZ:\-/ ,a-z]{0,25}$/),
    )
    fc.assert(
      fc.property(values, (value) => {
        const date = paperDate(value)
        if (date.length === 10) expect(new Date(date).toISOString().slice(0, 10)).toBe(date)
        else expect(date).toMatch(/^(?:\d{4}(?:-\d\d)?)?$/)
      }),
      { numRuns: 2_000 },
    )
  })

  it('reads every day as ISO writes it', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
        (day) => {
          expect(paperDate(day.toISOString())).toBe(day.toISOString().slice(0, 10))
        },
      ),
    )
  })
})
