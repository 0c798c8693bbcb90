import { describe, expect, it } from 'vitest'
import { findDimensionAfter, findUnit } from './units.ts'

describe('findUnit', () => {
  it.each([
    ['kilometres per hour', 'speed'],
    ['km/h', 'speed'],
    ['miles a day', 'speed'],
    ['degrees Celsius', 'temperature'],
    ['square miles', 'area'],
    ['cubic metres', 'volume'],
    ['Feet', 'length'],
    ['kg', 'mass'],
    ['hours', 'time'],
  ])('knows %s', (name, dimension) => {
    expect(findUnit(name)?.dimension).toBe(dimension)
  })

  it.each(['gears', 'the Bible', '', 'people per hour', 'square dance'])('knows no %s', (name) => {
    expect(findUnit(name)).toBeUndefined()
  })
})

describe('findDimensionAfter', () => {
  it.each([
    ['centimetres a year', 'speed'],
    ['centimetres high', 'length'],
    ['per cent of', 'share'],
    ['million dollars', 'money'],
    ['square kilometres', 'area'],
    ['million years', 'time'],
  ])('reads "%s"', (words, dimension) => {
    expect(findDimensionAfter(words.split(' '))).toBe(dimension)
  })

  it('takes "in 1926 in Paris" and "the 1990s" for no measures', () => {
    expect(findDimensionAfter(['in', 'Paris'])).toBeUndefined()
    expect(findDimensionAfter(['s', 'music'])).toBeUndefined()
  })
})
