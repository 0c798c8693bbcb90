import { describe, expect, it } from 'vitest'
import type { CslItem } from '../citations/source.ts'
import { displayId, findIdentifiers, parseDoi, workId } from './identifiers.ts'

function idsOf(parts: Partial<CslItem>) {
  return findIdentifiers({ id: 'x', type: 'article', ...parts })
}

describe('findIdentifiers', () => {
  it.each([
    ['10.1000/ABC.d', '10.1000/abc.d'],
    ['doi:10.1000/abc', '10.1000/abc'],
    ['https://doi.org/10.1000/a%2Fb', '10.1000/a/b'],
    ['http://dx.doi.org/10.1000/abc.', '10.1000/abc'],
    [
      '10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O',
      '10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o',
    ],
    ['11.1000/abc', undefined],
    ['https://example.org/10.1000/abc', undefined],
    ['10.1000', undefined],
  ])('reads the DOI %s', (written, doi) => {
    expect(parseDoi(written)).toBe(doi)
    expect(idsOf({ DOI: written }).doi).toBe(doi)
  })

  it.each<[Partial<CslItem>, object | undefined]>([
    [{ number: 'arXiv:2301.00001' }, { id: '2301.00001' }],
    [{ number: 'arXiv:0704.0001v12' }, { id: '0704.0001', version: 12 }],
    [{ URL: 'https://arxiv.org/abs/quant-ph/0201082v1' }, { id: 'quant-ph/0201082', version: 1 }],
    [{ URL: 'http://www.arxiv.org/pdf/math.GT/0309136.pdf' }, { id: 'math/0309136' }],
    [{ URL: 'https://arxiv.org/pdf/2301.00001v2' }, { id: '2301.00001', version: 2 }],
    [{ DOI: '10.48550/arXiv.2301.00001' }, { id: '2301.00001' }],
    [{ 'container-title': 'arXiv preprint arXiv:2301.00001' }, { id: '2301.00001' }],
    [{ archive: 'arXiv', archive_location: '2301.00001' }, { id: '2301.00001' }],
    [{ archive_location: '2301.00001' }, undefined],
    [{ number: '2301.00001' }, undefined],
    [{ URL: 'https://example.org/abs/2301.00001' }, undefined],
    [{ note: 'see arXiv:2301.0000123' }, undefined],
  ])('reads the arXiv id of %j', (parts, arxiv) => {
    expect(idsOf(parts).arxiv).toEqual(arxiv)
  })

  it('does not take a PMC number for a PMID', () => {
    expect(idsOf({ PMID: 'PMC12345' })).toMatchObject({ pmcid: 'PMC12345' })
    expect(idsOf({ PMID: 'PMC12345' }).pmid).toBeUndefined()
    expect(idsOf({ PMID: '12345', PMCID: '678' })).toMatchObject({ pmid: '12345', pmcid: 'PMC678' })
  })

  it('reads addresses of PubMed and PMC', () => {
    expect(idsOf({ URL: 'https://pubmed.ncbi.nlm.nih.gov/25666165/' }).pmid).toBe('25666165')
    expect(idsOf({ URL: 'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC11116106/' }).pmcid).toBe(
      'PMC11116106',
    )
    expect(idsOf({ URL: 'https://pmc.ncbi.nlm.nih.gov/articles/PMC11116106' }).pmcid).toBe(
      'PMC11116106',
    )
  })

  it('reads ISBNs of either length with a right check digit', () => {
    expect(idsOf({ ISBN: '3-16-148410-X, 978-0-306-40615-7' }).isbns).toEqual([
      '9783161484100',
      '9780306406157',
    ])
    expect(idsOf({ ISBN: '080442957X 978-3-16-148410-0' }).isbns).toEqual([
      '9780804429573',
      '9783161484100',
    ])
    expect(idsOf({ ISBN: '978-0-306-40615-8' }).isbns).toEqual([])
  })

  it('keeps addresses of the web alone, without what follows the reader', () => {
    expect(idsOf({ URL: 'HTTPS://Example.org/a/?utm_source=x&b=1#top' }).url).toBe(
      'https://example.org/a/?b=1',
    )
    expect(idsOf({ URL: 'javascript:alert(1)' }).url).toBeUndefined()
    expect(idsOf({ URL: 'https://app.example/#/paper/7' }).url).toBe(
      'https://app.example/#/paper/7',
    )
  })

  it('reads identifiers out of addresses with a slash at the end or a query', () => {
    expect(idsOf({ URL: 'https://arxiv.org/abs/2301.00001/' }).arxiv).toEqual({ id: '2301.00001' })
    expect(idsOf({ URL: 'https://doi.org/10.1000/abc/' }).doi).toBe('10.1000/abc')
    expect(idsOf({ URL: 'https://doi.org/10.1000/abc?from=x' }).doi).toBe('10.1000/abc')
  })
})

it('names a work by its number at arXiv, else by its DOI', () => {
  const arxiv = { id: '2304.02623', version: 1 }
  expect(workId({ arxiv, doi: '10.1000/xyz' })).toBe('arxiv:2304.02623')
  expect(workId({ doi: '10.1000/xyz' })).toBe('doi:10.1000/xyz')
  expect(workId({})).toBeUndefined()
})

it('shows a file as the work that it says it is, and what was found as it was found', () => {
  const csl = { id: 'x', type: 'article', URL: 'https://arxiv.org/abs/2304.02623v1' } as const
  expect(displayId({ id: 'file:0123456789abcdef', csl })).toBe('arxiv:2304.02623')
  expect(displayId({ id: 's2:12', csl })).toBe('s2:12')
  const unknown = { id: 'x', type: 'document' } as const
  expect(displayId({ id: 'file:0123456789abcdef', csl: unknown })).toBe('file:0123456789abcdef')
})
