import { expect, it } from 'vitest'
import { endMarks } from './end-marks.ts'

it('end marks are found, also behind a million of them', () => {
  expect('What is it ? !'.replace(endMarks, '')).toBe('What is it')
  expect('? !'.replace(endMarks, '')).toBe('')
  const long = `a${' ?'.repeat(500_000)}b`
  expect(long.replace(endMarks, '')).toBe(long)
})
