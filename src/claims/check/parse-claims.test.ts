import { describe, expect, it } from 'vitest'
import { splitClaims } from './parse-claims.ts'

/** Each sentence as "plain → numbers". */
function read(answer: string): string[] {
  return splitClaims(answer).map(({ plain, citations }) => `${plain} → ${citations.join(',')}`)
}

describe('citation marks', () => {
  it.each([
    ['It rained [1].', 'It rained. → 1'],
    ['It rained [1, 2].', 'It rained. → 1,2'],
    ['It rained [1][2].', 'It rained. → 1,2'],
    ['It rained [1] [2].', 'It rained. → 1,2'],
    ['It rained [2–4].', 'It rained. → 2,3,4'],
    ['It rained [2-4, 7].', 'It rained. → 2,3,4,7'],
    ['It rained [1; 3].', 'It rained. → 1,3'],
    ['It rained [1] and snowed [1].', 'It rained and snowed. → 1'],
    ['It rained. [1]', 'It rained. → 1'],
    ['It rained.[1]', 'It rained. → 1'],
    ['“It rained.” [1]', '“It rained.” → 1'],
    ['It rained, said the paper ("twice") [12].', 'It rained, said the paper ("twice"). → 12'],
    ['It rained [0].', 'It rained. → 0'],
    ['It rained [1-9999].', 'It rained. → 1,9999'],
  ])('%s', (answer, expected) => {
    expect(read(answer)).toEqual([expected])
  })

  it('are apart from marks that were copied from the source', () => {
    expect(read('It rained [ref 7, 8] [1].')).toEqual(['It rained [7, 8]. → 1'])
  })

  it.each([
    ['The value of arr[1] is zero.'],
    ['The value of `x [1]` is zero.'],
    ['See [the page](https://example.org/a[1].html) for more.'],
    ['See [1](https://example.org) for more.'],
    ['It is written \\[1\\] here.'],
    ['It holds [n = 17] people.'],
    ['See [text][1] for more.'],
  ])('none in %s', (answer) => {
    expect(splitClaims(answer).flatMap(({ citations }) => citations)).toEqual([])
  })

  it('give a mark after the full stop to the sentence before it, a mark before a verb to its own', () => {
    expect(read('It rained. [1] It snowed. [2, 3]')).toEqual(['It rained. → 1', 'It snowed. → 2,3'])
    expect(read('It rained [1]. [2] showed that it snowed.')).toEqual([
      'It rained. → 1',
      'showed that it snowed. → 2',
    ])
  })

  it('give marks on a line of their own to the sentence before them', () => {
    expect(read('It rained.\n\n[1][2]')).toEqual(['It rained. → 1,2'])
  })
})

describe('sentences', () => {
  it('come from paragraphs, lists and block quotes, without Markdown', () => {
    const answer = [
      '## The weather [9]',
      '',
      'It **rained** in *March* [1]. It snowed',
      'in `April` [2].',
      '',
      '- The [river](https://example.org) rose [3].',
      '1. Prof. A. Smith et al. saw it at 3.5 m [4].',
      '   - [x] It fell again [5]',
      '',
      '> Nobody was',
      '> hurt [6].',
    ].join('\n')
    expect(read(answer)).toEqual([
      'It rained in March. → 1',
      'It snowed in April. → 2',
      'The river rose. → 3',
      'Prof. A. Smith et al. saw it at 3.5 m. → 4',
      'It fell again → 5',
      'Nobody was hurt. → 6',
    ])
  })

  it('leave code, headings, rules, questions, lead-ins and reference lists out', () => {
    const answer = [
      '# Title',
      '**Summary**',
      '',
      'These are the results:',
      '',
      '```js',
      'const a = arr[1]. It rained [1].',
      '```',
      '',
      'Did it rain?',
      '',
      '---',
      '',
      'It rained [1].',
      '',
      '[1]: https://example.org',
      '',
      '## Sources',
      '[1] A page, a.md',
      '- [2] Another page. It is long.',
    ].join('\n')
    expect(read(answer)).toEqual(['It rained. → 1'])
  })

  it('continue after a list of sources, so that nothing can hide behind it', () => {
    expect(read('Sources:\n- [1] A page\n\nIt rained [1].')).toEqual(['It rained. → 1'])
  })

  it.each([
    ['**How they measure it.** It rained [1].'],
    ['- **No backup tasks.** It rained [1].'],
    ['**Reading support.**\n\nIt rained [1].'],
    ['What follows is my reading of their proposal. It rained [1].'],
    ['Let me begin with correlation. It rained [1].'],
    ['Next, the results. It rained [1].'],
    ['Some caveats remain. It rained [1].'],
    ['It rained [1]. The passages do not say for how long.'],
    ['It rained [1]. The TrustRank paper does not say how many saw it.'],
    ['It rained [1]. None of the sources says why.'],
    ['It rained [1]. It is not known from the sources how long.'],
    ['It rained [1]. The passages found do not report an agreement between the observers.'],
    ['It rained [1]. However, these sources don’t report who was there.'],
  ])('leave out what only leads to them: %j', (answer) => {
    expect(read(answer)).toEqual(['It rained. → 1'])
  })

  it.each([
    ['**The answer is 42.**', 'The answer is 42. → '],
    ['**Two systems failed.** ', 'Two systems failed. → '],
    ['**Two systems.** [1]', 'Two systems. → 1'],
    ['Paris.', 'Paris. → '],
    ['Here the speedup was lost.', 'Here the speedup was lost. → '],
    ['Next, the speed was lost.', 'Next, the speed was lost. → '],
    ['We describe 12 systems.', 'We describe 12 systems. → '],
    ['The sources do not say why [2].', 'The sources do not say why. → 2'],
    [
      'The results found in Europe do not cover Asia.',
      'The results found in Europe do not cover Asia. → ',
    ],
    ['The results do not cover Europe, but Asia.', 'The results do not cover Europe, but Asia. → '],
  ])('are what states something: %j', (answer, claim) => {
    expect(read(answer)).toEqual([claim])
  })

  it('take a table by row', () => {
    const answer = '| Drink | mg |\n|---|---:|\n| Tea. Black | 50 [1] |\n| Cola | 40 [2] |\n'
    expect(read(answer)).toEqual(['Tea. Black; 50 → 1', 'Cola; 40 → 2'])
  })

  it('stay together inside a quotation', () => {
    const answer = 'According to A, "It rained. It snowed. All was well." [1] It stopped [2].'
    expect(read(answer)).toEqual([
      'According to A, "It rained. It snowed. All was well." → 1',
      'It stopped. → 2',
    ])
  })

  it('end where they would when a quotation mark has no partner', () => {
    expect(read('The screen is 5" wide. It is " old. It works [1].')).toHaveLength(3)
    expect(read('She said "it rained. It snowed [1].\n\nIt "stopped" [2].')).toHaveLength(3)
  })

  it('are slices of the answer at their offsets', () => {
    const answer = '- It **rained** [1].\n\nIt snowed. [2]\r\n\r\n| a | b [3] |\n'
    for (const { text, start, end } of splitClaims(answer)) {
      expect(text).toBe(answer.slice(start, end))
      expect(text).toMatch(/\[\d\]/)
    }
    expect(splitClaims(answer)).toHaveLength(3)
  })

  it.each([[''], ['   \n '], ['\u0000'], ['[1]'], ['```\nopen'], ['| a |'], ['"'], ['###']])(
    'are none in %j',
    (answer) => {
      expect(splitClaims(answer).filter(({ plain }) => /\w{2}/.test(plain))).toEqual([])
    },
  )

  it.each([
    [' '.repeat(100_000)],
    ['['.repeat(100_000)],
    ['[a]('.repeat(30_000)],
    ['[1,'.repeat(50_000)],
    ['*_'.repeat(50_000)],
    ['He said "a. B. '.repeat(10_000)],
    ['| '.repeat(50_000)],
  ])('do not take for ever in %#', (answer) => {
    expect(splitClaims(`${answer}.\n\nIt rained [7].`).at(-1)?.citations).toContain(7)
  })
})
