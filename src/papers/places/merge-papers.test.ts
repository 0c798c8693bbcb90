import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Paper } from '../paper.ts'
import { mergePapers } from './merge-papers.ts'
import { normalizePaper } from './normalize-paper.ts'

function paper(entry: object, place = 'arXiv'): Paper {
  const found = normalizePaper(
    { title: 'Block Sparse Attention', authors: ['Ada Quill'], ...entry },
    place,
  )
  if (found === undefined) throw new Error('That is no paper.')
  return found
}

const print = paper(
  { id: 'x', doi: '10.1000/abc', year: 2024, citationCount: 7 },
  'Semantic Scholar',
)
const preprint = paper({ id: '2401.00011v2', year: 2024, abstract: 'Short.' })

describe('mergePapers', () => {
  it('makes one of a preprint and its print, with what each knows', () => {
    const merged = mergePapers([[print], [preprint]])
    expect(merged).toHaveLength(1)
    expect(merged[0]).toMatchObject({
      id: 'arxiv:2401.00011',
      arxivId: '2401.00011v2',
      doi: '10.1000/abc',
      abstract: 'Short.',
      citationCount: 7,
      foundBy: ['Semantic Scholar', 'arXiv'],
    })
  })

  it('keeps works of other titles or other authors apart', () => {
    const other = paper({ id: '2402.00022', title: 'A Survey of Owls', authors: ['Carla Osei'] })
    expect(mergePapers([[print, other], [preprint]]).map(({ id }) => id)).toEqual([
      'arxiv:2401.00011',
      'arxiv:2402.00022',
    ])
  })

  it('is one of each id, also where two titles of it disagree', () => {
    const renamed = paper({
      id: '2401.00011v1',
      title: 'Something Else Entirely',
      authors: ['X Y'],
    })
    expect(mergePapers([[renamed], [preprint]])).toHaveLength(1)
  })

  it('keeps a version that is known, and the file that is here', () => {
    const here = { ...paper({ id: '2401.00011' }, 'files'), path: '/a.pdf' }
    expect(mergePapers([[here], [preprint]])[0]).toMatchObject({
      arxivId: '2401.00011v2',
      path: '/a.pdf',
    })
  })

  it('takes turns, so that each list’s first stand first', () => {
    const of = (number: number) =>
      paper({
        id: `2401.0000${number}`,
        title: `Owls of island ${number}`,
        authors: [`A B${number}`],
      })
    const lists = [[of(1), of(2)], [of(3)], [of(4), of(5)]]
    const order = mergePapers(lists).map(({ id }) => id.at(-1))
    expect(order).toEqual(['1', '3', '4', '2', '5'])
  })

  it('never gives an id twice, and merging again changes nothing', () => {
    const ids = fc.constantFrom('2401.00001v1', '2401.00001v2', '2401.00002', '')
    const dois = fc.constantFrom('10.1000/a', '10.1000/b', '')
    const titles = fc.constantFrom('Owls of the north', 'Bees of the south')
    const any = fc
      .record({ id: ids, doi: dois, title: titles })
      .filter(({ id, doi }) => id !== '' || doi !== '')
      .map((entry) => paper(entry))
    fc.assert(
      fc.property(fc.array(fc.array(any, { maxLength: 5 }), { maxLength: 4 }), (lists) => {
        const merged = mergePapers(lists)
        expect(new Set(merged.map(({ id }) => id)).size).toBe(merged.length)
        expect(merged.length > 0).toBe(lists.flat().length > 0)
      }),
    )
  })
})
