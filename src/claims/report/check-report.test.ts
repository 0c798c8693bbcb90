import { describe, expect, it } from 'vitest'
import { passageId, type SourceId } from '../../citations/source.ts'
import { checkReport, type ReportSource } from './check-report.ts'
import { readReport } from './read-report.ts'

const source = (letter: string, name: string, text: string): ReportSource => {
  const id = letter.repeat(64) as SourceId
  return {
    id,
    title: name,
    path: `/papers/${name}.md`,
    csl: { id: name, type: 'article' },
    passages: [
      { id: passageId(id, 0, text.length), sourceId: id, start: 0, end: text.length, text },
    ],
  }
}

const sources = [
  source('a', 'tides', 'Spring tides come every 14 days.'),
  source('b', 'winds', 'Trade winds blow from the east.'),
]

const verdicts = (markdown: string) =>
  checkReport(readReport(markdown), sources).claims.map(({ verdict }) => verdict)

const list = '\n\n[1]: tides.md\n[2]: winds.md\n[3]: whales.md\n'

describe('checkReport', () => {
  it('checks each sentence next to the places that it cites only', () => {
    expect(
      verdicts(`Spring tides come every 14 days [1]. Spring tides come every 14 days [2].${list}`),
    ).toEqual(['verbatim', 'not_found'])
  })

  it('takes what one of two places says where the other is missing, and fails the missing one', () => {
    const { claims, failures, coverage } = checkReport(
      readReport(`Trade winds blow from the east [2][3].${list}`),
      sources,
    )
    expect(claims).toMatchObject([{ verdict: 'verbatim', citations: [2, 3] }])
    expect(failures).toEqual({ references: 1, claims: 0 })
    expect(coverage).toMatchObject({ claims: 1, checked: 1, verbatim: 1 })
  })

  it('counts neither a missing place nor an unlisted one as checked by reading', () => {
    expect(verdicts(`Whales sing [3]. Gulls cry [9].${list}`)).toEqual(['unavailable', 'not_found'])
  })

  it('does not fail what the report lists and never cites', () => {
    const { failures, references } = checkReport(
      readReport(`Spring tides come every 14 days [1].${list}`),
      sources,
    )
    expect(failures).toEqual({ references: 0, claims: 0 })
    expect(references.map(({ isCited }) => isCited)).toEqual([true, false, false])
  })
})

describe('what a report is held to', () => {
  it('is the place under its own number, also where the list is in another order', () => {
    const { claims } = checkReport(
      readReport(
        'Gulls cry [9]. Spring tides come every 15 days [7].\n\n[7]: tides.md\n[9]: winds.md\n',
      ),
      sources,
    )
    expect(claims[0]?.reason).toBe('Nothing similar was found in what was read under [9].')
    expect(claims[1]).toMatchObject({ verdict: 'altered', citations: [7] })
  })

  it('never another file of the same name', () => {
    const twin = {
      ...source('c', 'tides', 'Spring tides come every 15 days.'),
      path: '/b/tides.md',
    }
    const { failures, references, claims } = checkReport(
      readReport(`Spring tides come every 15 days [1].${list}`),
      [...sources, twin],
    )
    expect(claims[0]?.verdict).toBe('unavailable')
    expect(failures.references).toBe(1)
    expect(references[0]?.reason).toContain('/papers/tides.md, /b/tides.md')
  })

  it('is none where only the title is similar, which is named', () => {
    const atlas = {
      ...source('e', 'atlas', 'It is cold.'),
      title: 'Atlas of northern winter tides',
    }
    const entry = 'A. Author. An atlas of northern tides. 1999.'
    const { references } = checkReport(
      readReport(`It is cold [1].\n\n## References\n\n1. ${entry}\n`),
      [...sources, atlas],
    )
    expect(references[0]?.reason).toBe(
      `${entry} is not among the files that were read. The nearest is /papers/atlas.md (“Atlas of northern winter tides”).`,
    )
  })

  it('never code, an attribute, a comment or an escaped bracket', () => {
    const markdown = `Gulls cry [2].

    Spring tides come every 14 days [1].

Spring <span title="[1]">tides</span> come \\[1] every 14 \`days
[1]\` <!-- [1] -->.
${list}`
    const { claims } = checkReport(readReport(markdown), sources)
    expect(claims.map(({ citations }) => citations)).toEqual([[2], []])
  })
})

describe('the pages that a citation names', () => {
  const texts = [
    'Tides are moved by the moon.',
    'Neap tides come in the second week.',
    'Spring tides come every 14 days.',
  ]
  const bookId = 'd'.repeat(64) as SourceId
  const book = (page?: string): ReportSource => ({
    id: bookId,
    title: 'book',
    path: '/papers/book.pdf',
    csl: { id: 'book', type: 'article', ...(page === undefined ? {} : { page }) },
    passages: texts.map((text, index) => ({
      id: passageId(bookId, index * 100, index * 100 + text.length),
      sourceId: bookId,
      start: index * 100,
      end: index * 100 + text.length,
      page: index + 1,
      text,
    })),
  })
  const check = (mark: string, page?: string) =>
    checkReport(readReport(`Spring tides come every 14 days ${mark}.\n\n[1]: book.pdf\n`), [
      book(page),
    ]).claims[0]

  it.each(['[1]', '[1, p. 3]', '[1, pp. 2-3]', '[1, pp. 1, 3]', '[1, p. iv]'])(
    'support it in %s',
    (mark) => {
      expect(check(mark)).toMatchObject({ verdict: 'verbatim', evidence: [{ page: 3 }] })
    },
  )

  it.each([
    ['[1, p. 2]', 'altered', 'It is on p. 3 of [1], not on p. 2.'],
    ['[1, pp. 1–2]', 'altered', 'It is on p. 3 of [1], not on pp. 1–2.'],
    ['[1, p. 999]', 'not_found', '[1] has 3 pages, not p. 999.'],
  ])('fail it in %s', (mark, verdict, reason) => {
    expect(check(mark)).toMatchObject({ verdict, reason })
  })

  it('may be those printed in a journal', () => {
    expect(check('[1, p. 119]', '117–119')).toMatchObject({ verdict: 'verbatim' })
    expect(check('[1, p. 118]', '117–119')).toMatchObject({ verdict: 'altered' })
  })
})
