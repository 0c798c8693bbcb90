import { describe, expect, it } from 'vitest'
import { withDigits } from './number-words.ts'

describe('withDigits', () => {
  it.each([
    ['two plus forty-two', '2 plus 42'],
    ['Ninety nine', '99'],
    ['3 million miles', '3000000 miles'],
    ['two hundred', '200'],
    ['often someone', 'often someone'],
  ])('%s', (text, expected) => {
    expect(withDigits(text)).toBe(expected)
  })
})
