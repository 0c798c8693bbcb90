import { describe, expect, it } from 'vitest'
import { saysNothing } from './role-requests.ts'

describe('saysNothing', () => {
  it.each([
    'The sources do not say.',
    ' the sources do not say ',
    '"The sources do not say."',
    '**The sources do not say.**',
    'The question could not be answered.',
    'The work ended before anything was found.',
  ])('knows %j', (text) => {
    expect(saysNothing(text)).toBe(true)
  })

  it.each([
    '',
    'The sources do not say when, but it was found in 1907 [1].',
    'The sources say so.',
  ])('does not take %j for it', (text) => {
    expect(saysNothing(text)).toBe(false)
  })
})
