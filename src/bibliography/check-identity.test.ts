import { describe, expect, it } from 'vitest'
import type { CslItem } from '../citations/source.ts'
import { checkIdentity } from './check-identity.ts'
import { cslFromArxiv } from './metadata-arxiv.ts'
import { cslFromCrossref } from './metadata-crossref.ts'
import { cslFromOpenAlex } from './metadata-openalex.ts'
import type { MetadataRecord } from './metadata-record.ts'
import { cslFromSemanticScholar } from './metadata-semantic-scholar.ts'

const crossrefWork = {
  DOI: '10.1000/ABC',
  type: 'journal-article',
  title: ['Tools for chemistry'],
  subtitle: ['A review'],
  author: [
    { given: 'Andrés', family: 'M. Bran', sequence: 'first', affiliation: [] },
    { name: 'The Tools Consortium', sequence: 'additional' },
  ],
  'container-title': ['Journal of Tools'],
  'short-container-title': ['J. Tools'],
  issued: { 'date-parts': [[2024, 5, 8]] },
  volume: '6',
  issue: '5',
  page: '525-535',
  ISSN: ['2522-5839', '1234-5678'],
  abstract: '<jats:title>Abstract</jats:title><jats:p>We <jats:italic>do</jats:italic>.</jats:p>',
  source: 'Crossref',
}
const openAlexWork = {
  id: 'https://openalex.org/W1',
  doi: 'https://doi.org/10.1000/abc',
  title: 'Tools for chemistry: A review',
  publication_date: '2024-05-08',
  ids: { pmid: 'https://pubmed.ncbi.nlm.nih.gov/38799228' },
  type: 'article',
  primary_location: {
    landing_page_url: 'https://doi.org/10.1000/abc',
    source: { display_name: 'Journal of Tools', type: 'journal', issn_l: '2522-5839' },
  },
  authorships: [{ author: { display_name: 'Andrés van der Bran' } }],
  biblio: { volume: '6', issue: '5', first_page: '525', last_page: '535' },
  is_retracted: false,
}
const s2Paper = {
  paperId: 'p1',
  externalIds: {
    ArXiv: '2304.05376',
    DOI: '10.1000/abc',
    PubMed: '38799228',
    PubMedCentral: '11116106',
  },
  title: 'Tools for chemistry: A review',
  year: 2023,
  publicationDate: '2023-04-11',
  journal: { name: 'Journal of Tools', pages: '525 - 535', volume: '6' },
  publicationTypes: ['JournalArticle'],
  authors: [{ name: 'Andrés M Bran' }],
}
const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
  <entry><id>http://arxiv.org/abs/2304.05376v5</id><title>Tools for
    chemistry</title><published>2023-04-11T17:41:13Z</published><summary>We do.</summary>
    <author><name>Andres M Bran</name></author><author><name>Ludwig van Beethoven</name></author>
    <arxiv:comment>This paper has been withdrawn</arxiv:comment><arxiv:doi>10.1000/abc</arxiv:doi></entry></feed>`

function some(record: MetadataRecord | undefined): MetadataRecord {
  if (record === undefined) throw new Error('no record')
  return record
}

describe('records of metadata sources', () => {
  it('come from Crossref', () => {
    expect(cslFromCrossref(crossrefWork)).toEqual({
      source: 'crossref',
      item: {
        id: '10.1000/abc',
        type: 'article-journal',
        DOI: '10.1000/abc',
        title: 'Tools for chemistry: A review',
        author: [{ given: 'Andrés', family: 'M. Bran' }, { literal: 'The Tools Consortium' }],
        'container-title': 'Journal of Tools',
        'container-title-short': 'J. Tools',
        issued: { 'date-parts': [[2024, 5, 8]] },
        volume: '6',
        issue: '5',
        page: '525-535',
        ISSN: '2522-5839',
        abstract: 'We do .',
      },
    })
  })

  it('come from OpenAlex', () => {
    expect(cslFromOpenAlex(openAlexWork)).toMatchObject({
      source: 'openalex',
      item: {
        DOI: '10.1000/abc',
        PMID: '38799228',
        author: [{ given: 'Andrés', family: 'Bran', 'non-dropping-particle': 'van der' }],
        'container-title': 'Journal of Tools',
        page: '525-535',
        issued: { 'date-parts': [[2024, 5, 8]] },
      },
    })
  })

  it('come from Semantic Scholar, with a PMC number for what it is', () => {
    expect(cslFromSemanticScholar(s2Paper)).toMatchObject({
      source: 'semantic-scholar',
      item: { PMID: '38799228', PMCID: 'PMC11116106', number: 'arXiv:2304.05376', page: '525-535' },
    })
  })

  it('come from arXiv', async () => {
    const records = await cslFromArxiv(atom)
    expect(records).toEqual([
      {
        source: 'arxiv',
        item: expect.objectContaining({
          id: 'arXiv:2304.05376v5',
          title: 'Tools for chemistry',
          number: 'arXiv:2304.05376v5',
          DOI: '10.1000/abc',
          issued: { 'date-parts': [[2023, 4, 11]] },
          author: [
            { given: 'Andres M', family: 'Bran' },
            { given: 'Ludwig', family: 'Beethoven', 'non-dropping-particle': 'van' },
          ],
        }),
        retraction: 'its comment says: This paper has been withdrawn',
      },
    ])
    await expect(cslFromArxiv('<html/>')).rejects.toThrow('not an Atom feed')
  })

  it('are none for what is no work', () => {
    for (const thing of [undefined, null, 'x', [], {}, { title: [] }, { externalIds: null }]) {
      expect(cslFromCrossref(thing)).toBeUndefined()
      expect(cslFromOpenAlex(thing)).toBeUndefined()
      expect(cslFromSemanticScholar(thing)).toBeUndefined()
    }
  })
})

const item: CslItem = {
  id: 'bran',
  type: 'article-journal',
  title: 'Tools for chemistry: a review',
  author: [{ family: 'Bran', given: 'A. M.' }],
  issued: { 'date-parts': [[2024]] },
  DOI: '10.1000/abc',
}
const found = [some(cslFromCrossref(crossrefWork)), some(cslFromSemanticScholar(s2Paper))]

describe('checkIdentity', () => {
  it('confirms a reference that sources have so, preprint and print a year apart', () => {
    expect(checkIdentity(item, found)).toMatchObject({
      verdict: 'confirmed',
      disagreements: [],
      retracted: [],
      comparisons: [
        { source: 'crossref', verdict: 'same' },
        { source: 'semantic-scholar', verdict: 'same' },
      ],
    })
  })

  it('names each field that disagrees, with both values', () => {
    const wrong = {
      ...item,
      title: 'Something else altogether',
      issued: { 'date-parts': [[2010]] },
    }
    const { verdict, disagreements } = checkIdentity(wrong, found.slice(0, 1))
    expect(verdict).toBe('disagrees')
    expect(disagreements).toEqual([
      {
        field: 'title',
        source: 'crossref',
        said: 'Something else altogether',
        found: 'Tools for chemistry: A review',
        verdict: 'different',
      },
      { field: 'year', source: 'crossref', said: '2010', found: '2024', verdict: 'different' },
    ])
  })

  it('names a DOI that is not that of the work', () => {
    const { verdict, disagreements } = checkIdentity({ ...item, DOI: '10.1000/other' }, found)
    expect(verdict).toBe('disagrees')
    expect(disagreements.map(({ field, said }) => [field, said])).toEqual([
      ['doi', '10.1000/other'],
      ['doi', '10.1000/other'],
    ])
  })

  it('takes records of other works for none', () => {
    const { DOI: _, ...plain } = item
    expect(checkIdentity({ ...plain, title: 'Something else altogether' }, found).verdict).toBe(
      'not_found',
    )
    expect(checkIdentity(item, []).verdict).toBe('not_found')
  })

  it('is unclear about a shortened title alone', () => {
    const { DOI: _, ...plain } = item
    const check = checkIdentity({ ...plain, title: 'Tools for chemistry' }, found.slice(0, 1))
    expect(check.verdict).toBe('unclear')
    expect(check.disagreements).toMatchObject([{ field: 'title', verdict: 'unclear' }])
  })
})

describe('retractions', () => {
  const notice = {
    DOI: '10.1000/notice',
    title: ['Retraction notice to Tools for chemistry'],
    'update-to': [{ DOI: '10.1000/ABC', type: 'retraction' }],
  }

  it.each<[string, MetadataRecord | undefined, string]>([
    [
      'an update that Crossref has',
      cslFromCrossref({
        ...crossrefWork,
        'updated-by': [{ type: 'retraction', DOI: '10.1000/n', source: 'retraction-watch' }],
      }),
      'retraction in 10.1000/n, according to retraction-watch',
    ],
    [
      'a relation that Crossref has',
      cslFromCrossref({ ...crossrefWork, relation: { 'is-retracted-by': [] } }),
      'relation is-retracted-by',
    ],
    [
      'a title that says it',
      cslFromCrossref({ ...crossrefWork, title: ['RETRACTED ARTICLE: Tools for chemistry'] }),
      'its title begins with "RETRACTED ARTICLE:"',
    ],
    ['OpenAlex', cslFromOpenAlex({ ...openAlexWork, is_retracted: true }), 'is_retracted'],
    [
      'a notice in its own place',
      cslFromCrossref({ ...crossrefWork, 'update-to': notice['update-to'] }),
      'its own update',
    ],
    ['a notice', cslFromCrossref(notice), '10.1000/notice retracts it'],
  ])('are seen by %s', (_by, record, says) => {
    const { retracted } = checkIdentity(item, [some(record)])
    expect(retracted).toEqual([{ source: some(record).source, says }])
  })

  it('are not seen in a correction, nor in the record of another work', () => {
    const corrected = cslFromCrossref({
      ...crossrefWork,
      'updated-by': [{ type: 'correction', DOI: '10.1000/n' }],
    })
    const elsewhere = cslFromOpenAlex({
      ...openAlexWork,
      doi: 'https://doi.org/10.1000/z',
      title: 'Z',
      is_retracted: true,
    })
    expect(checkIdentity(item, [some(corrected), some(elsewhere)]).retracted).toEqual([])
  })

  it('are seen in the reference itself', () => {
    const { retracted } = checkIdentity({ ...item, title: `Retracted: ${item.title}` }, [])
    expect(retracted).toEqual([{ source: 'reference', says: 'its title begins with "Retracted:"' }])
  })
})
