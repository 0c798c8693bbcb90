import { describe, expect, it } from 'vitest'
import { readReport } from './read-report.ts'

describe('readReport', () => {
  it('numbers what a report cites in every form, and says in which line each sentence stands', () => {
    const report = readReport(`# Tea

Tea was first drunk in China [2]. It is made of leaves[^a].

Green tea is not fermented (https://tea.org/green). See [the ministry](https://gov.example/tea "Tea").

\`arr[1]\` is code. In 2023 [2023] nothing happened.

## References

1. Not cited.
2. Smith, J. Tea in China. papers/tea.pdf

[^a]: A book on leaves,
    second edition.
`)
    expect(report.sentences.map(({ plain, citations, line }) => [line, plain, citations])).toEqual([
      [3, 'Tea was first drunk in China.', [1]],
      [3, 'It is made of leaves.', [2]],
      [5, 'Green tea is not fermented ().', [3]],
      [5, 'See the ministry.', [4]],
      [7, 'arr[1] is code.', []],
      [7, 'In 2023 (2023) nothing happened.', []],
    ])
    expect(report.references.map(({ label, line, isCited }) => [label, line, isCited])).toEqual([
      ['2', 12, true],
      ['^a', 14, true],
      ['https://tea.org/green', 5, true],
      ['https://gov.example/tea', 5, true],
      ['1', 11, false],
    ])
  })
})
