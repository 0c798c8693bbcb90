import { describe, expect, it } from 'vitest'
import { formatGaps, withAddresses } from './format-gaps.ts'

describe('withAddresses', () => {
  it('puts the addresses of the question where models saw numbers', () => {
    const question = 'What do https://example.org/a/b?x=1 and https://two.example/ say?'
    const step = 'What does [result 1: example.org] say, and [result 2: two.example]? [result 3: x]'
    expect(withAddresses(step, question)).toBe(
      'What does https://example.org/a/b?x=1 say, and https://two.example/? [result 3: x]',
    )
  })
})

describe('formatGaps', () => {
  const unknown = (name: string) => ({
    kind: 'source_unavailable' as const,
    source: name,
    detail: `Not available (dns): The host name ${name} could not be resolved.`,
  })
  const other = { kind: 'no_evidence' as const, detail: 'What is it?' }

  it('tells several names that nothing knows as one cause', () => {
    expect(formatGaps([unknown('a.example'), other, unknown('b.example')])).toEqual([
      {
        kind: 'source_unavailable',
        detail:
          'None of these could be reached: a.example, b.example. Check the internet connection.',
      },
      other,
    ])
  })

  it('leaves one name as it is', () => {
    expect(formatGaps([other, unknown('a.example')])).toEqual([other, unknown('a.example')])
  })
})
