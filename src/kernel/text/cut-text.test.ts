import { expect, it } from 'vitest'
import { cutMiddle, cutText } from './cut-text.ts'

it('cuts a text to a length that includes the mark, and no character in two', () => {
  expect(cutText('abcdef', 6)).toBe('abcdef')
  expect(cutText('abcdefg', 6)).toBe('abcde…')
  expect(cutText('abcd efg', 6)).toBe('abcd…')
  expect(cutText('abcd😀efg', 6)).toBe('abcd…')
})

it('cuts the middle out of a text, and says how much', () => {
  expect(cutMiddle('abcdef', 6)).toBe('abcdef')
  expect(cutMiddle('abcdefgh', 4)).toBe('ab\n… 4 characters left out …\ngh')
  expect(cutMiddle('😀😀😀', 2).isWellFormed()).toBe(true)
})
