import { describe, expect, it } from 'vitest'
import type { Claim } from '../citations/claim.ts'
import { usableSentence } from './enforce-claims.ts'

const claim = (text: string, ...citations: readonly number[]): Claim => ({
  text,
  citations,
  verdict: 'altered',
  evidence: [],
  judge: 'code',
  reason: '',
})

describe('usableSentence', () => {
  it.each([
    ['Ice floats [1].', 'Ice floats [1].'],
    ['  Ice\n floats [2]. ', 'Ice floats [2].'],
    ['Ice floats [1][2].', 'Ice floats [1][2].'],
    ['Ice floats.', undefined],
    ['Ice floats [3].', undefined],
    ['Ice floats [1][3].', undefined],
    ['Ice floats [1]. Salt sinks [1].', undefined],
    ['Ice floats [1]. Salt sinks.', undefined],
    ['- Ice floats [1].', undefined],
    ['# Ice floats [1]', undefined],
    ['| Ice | floats [1] |', undefined],
    ['Ice sinks [1][2].', undefined],
    ['', undefined],
    ['Does ice float [1]?', undefined],
    ['“Does ice float?” [1]', undefined],
    ['![x](https://evil.example/?q=1) Ice floats [1].', undefined],
    ['[Ice](https://evil.example) floats [1].', undefined],
    ['Ice floats at https://evil.example [1].', undefined],
    ['<b onclick="x">Ice</b> floats [1].', undefined],
  ])('of %j is %j', (said, expected) => {
    expect(usableSentence(said, claim('Ice sinks [1][2].', 1, 2))).toBe(expected)
  })

  it('keeps the cells of a table’s row', () => {
    const row = claim('| ice | sinks [1] |', 1)
    expect(usableSentence('| ice | floats [1] |', row)).toBe('| ice | floats [1] |')
    expect(usableSentence('| ice | floats | [1] |', row)).toBeUndefined()
    expect(usableSentence('Ice floats [1].', row)).toBeUndefined()
  })
})
