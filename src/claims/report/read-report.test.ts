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
      [3, 'Tea was first drunk in China.', [2]],
      [3, 'It is made of leaves.', [1000]],
      [5, 'Green tea is not fermented.', [1001]],
      [5, 'See the ministry.', [1002]],
      [7, 'arr[1] is code.', []],
      [7, 'In 2023 (2023) nothing happened.', []],
    ])
    expect(report.references.map(({ label, line, isCited }) => [label, line, isCited])).toEqual([
      ['1', 11, false],
      ['2', 12, true],
      ['^a', 14, true],
      ['https://tea.org/green', 5, true],
      ['https://gov.example/tea', 5, true],
    ])
  })

  it.each([
    ['It is so [1, p. 5].', ['1']],
    ['It is so [1](#ref1).', ['1']],
    ['It is so[[1]](#cite_note-1).', ['1']],
    ['It is so 【1†source】.', ['1']],
    ['It is so<sup>1</sup>.', []],
    ['It is so<sup>1</sup>.\n\n[1]: a.md', ['1']],
    ['It is so [@smith2020].', ['@smith2020']],
    ['It is so[^3].', ['^3']],
    ['It is so [there](papers/a.pdf#page=3).', ['papers/a.pdf']],
    ['It is so (doi:10.1000/x(1)).', ['https://doi.org/10.1000/x(1)']],
    ['It is so, arXiv:2301.00001v2.', ['https://arxiv.org/abs/2301.00001v2']],
    ['It lies in [0, 1].', []],
    ['It was so in [2023].', []],
    ['See [below](#there) and ![a](b.png).', []],
    ['It is so [3].', ['3']],
  ])('reads what "%s" cites', (text, labels) => {
    const { references } = readReport(`${text}\n`)
    expect(references.filter(({ isCited }) => isCited).map(({ label }) => label)).toEqual(labels)
  })

  it('compares the sentence without the words that only name its citation', () => {
    const plains = (text: string) => readReport(text).sentences.map(({ plain }) => plain)
    expect(plains('Salt is salty [DOI](https://doi.org/10.5555/salt).')).toEqual(['Salt is salty.'])
    expect(plains('Salt is salty ([Of salt](https://a.example/s)).')).toEqual(['Salt is salty.'])
    expect(plains('Salt is from [China](https://a.example/s).')).toEqual(['Salt is from China.'])
  })

  it.each([
    ['It rained. [1] It snowed. [2]', [[1], [2]]],
    ['It rained. [1]\nIt snowed. [2]', [[1], [2]]],
    ['It rained.[1][2] It snowed.', [[1, 2], []]],
    ['It rained. [[1]](#ref-1) It snowed. <sup>2</sup> It froze.', [[1], [2], []]],
    ['It rained. [1, p. 5] It snowed.', [[1], []]],
    ['It rained. 【1†source】 It snowed.', [[1], []]],
  ])('gives the marks after a full stop to the sentence before them: %j', (text, citations) => {
    const { sentences } = readReport(`${text}\n\n[1]: a.md\n[2]: b.md\n`)
    expect(sentences.map((sentence) => sentence.citations)).toEqual(citations)
  })

  it('does not take links for citations where it is told so', () => {
    const { references } = readReport('It is so [1]. See https://a.example/x and [b](b.md).\n', {
      areLinksRead: false,
    })
    expect(references.map(({ label }) => label)).toEqual(['1'])
  })

  it.each([
    '[1]: a.md\nIt is so [1].',
    '[Correction]: the draft was wrong.\nIt is so [1].',
    '## References\n\n[1] A book\nof two lines\nIt is so [1].',
  ])('hides no sentence behind a definition: %j', (text) => {
    const { sentences } = readReport(text)
    expect(sentences.at(-1)?.plain).toBe('It is so.')
  })

  it.each(['Literaturverzeichnis', 'Quellen:', '参考文献', 'Références', '**Works cited**'])(
    'knows a list under "%s"',
    (heading) => {
      const { references } = readReport(`So [1].\n\n## ${heading}\n\n1. Ein Buch. buch.md\n`)
      expect(references).toMatchObject([{ n: 1, isListed: true, paths: ['buch.md'] }])
    },
  )
})

describe('the time of reading a report', () => {
  const units = [
    '%',
    'https://',
    '[1](',
    '【1',
    '[^',
    '<!--',
    '<sup>1',
    'a.b ',
    '10.1/',
    '[1, p. ',
    '[[1]]',
    ')',
    '[a](b ',
  ]

  it.each(units)('does not explode for many "%s"', (unit) => {
    const hostile = unit.repeat(100_000 / unit.length)
    readReport(hostile)
    readReport(`So [1].\n\n## Sources\n\n[1] ${hostile}\n`)
  })
})
