import { describe, expect, it } from 'vitest'
import { jsonOrText } from './run-input.ts'

describe('a value on the command line', () => {
  it.each([
    ['3', 3],
    ['-0.50', -0.5],
    ['1e5', 100_000],
    ['9007199254740991', 9_007_199_254_740_991],
    ['12345678901234567890', '12345678901234567890'],
    ['0.12345678901234567890', '0.12345678901234567890'],
    ['1e999', '1e999'],
    ['1e-999', '1e-999'],
    ['007', '007'],
    ['true', true],
    ['{"a": 1}', { a: 1 }],
    ['words', 'words'],
  ])('%s is read without a loss', (text, value) => {
    expect(jsonOrText(text)).toEqual(value)
  })
})
