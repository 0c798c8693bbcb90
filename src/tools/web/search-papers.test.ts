import { describe, expect, it } from 'vitest'
import type { CslItem } from '../../citations/source.ts'
import type { FoundWork } from '../../sources/lookup/papers/found-work.ts'
import { mergeWorks } from './search-papers.ts'

const title = 'Attention is all you need in the study of glimmerstone'
const author = [{ family: 'Quill', given: 'Ada' }]

function work(
  source: FoundWork['record']['source'],
  item: Partial<CslItem>,
  more: Partial<FoundWork> = {},
): FoundWork {
  return { record: { source, item: { id: 'x', type: 'article', ...item } as CslItem }, ...more }
}

describe('mergeWorks', () => {
  it('makes one work of what several sources know by one DOI, with what each of them knows', () => {
    const merged = mergeWorks([
      [work('arxiv', { title, author, DOI: '10.1000/a' }, { pdfUrl: 'https://a.test/p.pdf' })],
      [
        work(
          'crossref',
          { title, author, DOI: '10.1000/A', 'container-title': 'Stones' },
          { url: 'https://doi.org/10.1000/a', citationCount: 4 },
        ),
      ],
      [work('openalex', { title, DOI: '10.1000/a' }, { citationCount: 6 })],
    ])
    expect(merged).toMatchObject([
      {
        item: { DOI: '10.1000/a', 'container-title': 'Stones' },
        url: 'https://doi.org/10.1000/a',
        pdfUrl: 'https://a.test/p.pdf',
        citationCount: 6,
        sources: ['arxiv', 'crossref', 'openalex'],
      },
    ])
  })

  it('keeps works apart that only look alike, the best of each source first', () => {
    const [one, two, three] = ['10.1000/a', '10.1000/b', '10.1000/c'].map((DOI, index) =>
      work('crossref', { DOI, title: `Stone number ${index}` }),
    ) as [FoundWork, FoundWork, FoundWork]
    const dois = mergeWorks([[one, three], [two]]).map(({ item }) => item.DOI)
    expect(dois).toEqual(['10.1000/a', '10.1000/b', '10.1000/c'])
  })

  it('reports a retraction whichever source knows of it', () => {
    const retracted = work('openalex', { title, author, DOI: '10.1000/a' })
    const record = { ...retracted.record, retraction: 'retracted' }
    const merged = mergeWorks([
      [work('arxiv', { title, author, DOI: '10.1000/a' })],
      [{ ...retracted, record }],
    ])
    expect(merged).toMatchObject([{ retraction: 'retracted' }])
  })

  it('has nothing of nothing', () => {
    expect(mergeWorks([[], []])).toEqual([])
  })
})
