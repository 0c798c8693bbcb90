import { describe, expect, it } from 'vitest'
import { checkIdentity } from '../../../src/bibliography/check-identity.ts'
import type { LookupAccess } from '../../../src/sources/lookup/access.ts'
import type { Lookup } from '../../../src/sources/lookup/outcome.ts'
import {
  readArxivPapers,
  searchArxiv,
  toArxivQuery,
} from '../../../src/sources/lookup/papers/arxiv.ts'
import {
  findCrossrefNotices,
  readCrossrefWork,
  searchCrossref,
} from '../../../src/sources/lookup/papers/crossref.ts'
import { readOpenAlexWork, searchOpenAlex } from '../../../src/sources/lookup/papers/openalex.ts'
import {
  readSemanticScholarPaper,
  readSemanticScholarPapers,
  searchSemanticScholar,
} from '../../../src/sources/lookup/papers/semantic-scholar.ts'
import { readCitationLinks } from '../../../src/sources/lookup/papers/semantic-scholar-links.ts'
import { answered, lookupsOver } from './lookup-world.ts'

const accessed = { 'date-parts': [[2026, 11, 20]] }

function feed(entries: string, total = 1, start = 0): string {
  return `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
<opensearch:totalResults>${total}</opensearch:totalResults><opensearch:startIndex>${start}</opensearch:startIndex>${entries}</feed>\n`
}
const entry = `<entry><id>http://arxiv.org/abs/2301.00001v2</id><title>On Varnels</title>
<updated>2023-02-01T00:00:00Z</updated><published>2023-01-01T00:00:00Z</published><summary>They sing.</summary>
<category term="q-bio.PE"/><category term="cs.SD"/><author><name>Ada Vee</name></author>
<link href="https://arxiv.org/pdf/2301.00001v2" rel="related" type="application/pdf" title="pdf"/></entry>`
const refusal = `<entry><id>https://arxiv.org/api/errors#x</id><title>Error</title><summary>incorrect id format for abc</summary></entry>`

describe('arxivQuery', () => {
  it.each<[object, string]>([
    [{ query: 'deep learning' }, 'all:deep AND all:learning'],
    [{ query: 'a "graph neural network" OR (b' }, 'all:a AND all:"graph neural network" AND all:b'],
    [{ query: 'retrieval-augmented' }, 'all:"retrieval augmented"'],
    [{ author: 'Ada O’Vee-Lund', title: 'x:y' }, 'ti:"x y" AND au:"Ada O’Vee Lund"'],
    [
      { query: 'x', categories: ['cs.CL', 'math.*', 'cs.CL) OR (all:z'] },
      'all:x AND (cat:cs.CL OR cat:math.*)',
    ],
    [{ query: 'x', fromYear: 2019 }, 'all:x AND submittedDate:[201901010000 TO 299912312359]'],
    [{ query: '():', fromYear: 2019 }, ''],
  ])('writes %j', (search, expected) => expect(toArxivQuery(search)).toBe(expected))
})

describe('arXiv', () => {
  it('gives papers with version, categories, text and reference, and where to continue', async () => {
    const { access, asked } = lookupsOver(answered(feed(entry, 30, 10)))
    const found = await searchArxiv(access, { query: 'varnel', offset: 10, limit: 1 })
    expect(asked[0]?.url).toBe(
      'https://export.arxiv.org/api/query?search_query=all%3Avarnel&start=10&max_results=1&sortBy=relevance&sortOrder=descending',
    )
    expect(found).toMatchObject({ ok: true, total: 30, nextOffset: 11, leftOut: 0 })
    expect(found.ok && found.works).toMatchObject([
      {
        sourceId: '2301.00001v2',
        url: 'https://arxiv.org/abs/2301.00001v2',
        pdfUrl: 'https://arxiv.org/pdf/2301.00001v2',
        categories: ['q-bio.PE', 'cs.SD'],
        updatedAt: '2023-02-01T00:00:00Z',
        record: {
          source: 'arxiv',
          item: { title: 'On Varnels', abstract: 'They sing.', accessed },
        },
      },
    ])
  })

  it('reads papers by ids of every form, and names what is missing', async () => {
    const { access, asked } = lookupsOver(answered(feed(entry)))
    const ids = ['https://arxiv.org/abs/2301.00001', 'arXiv:2301.99999v1', 'math.GT/0309136', 'abc']
    const found = await readArxivPapers(access, ids)
    expect(new URL(asked[0]?.url ?? '').searchParams.get('id_list')).toBe(
      '2301.00001,2301.99999v1,math/0309136',
    )
    expect(found).toMatchObject({ ok: true, missing: ids.slice(1) })
    expect(await readArxivPapers(access, ['abc'])).toMatchObject({ reason: 'refused' })
    expect(asked).toHaveLength(1)
  })

  it.each<[string, string, number, string]>([
    ['an error in a feed', feed(refusal), 400, 'refused'],
    ['an error in a feed of a success', feed(refusal), 200, 'refused'],
    ['a page of maintenance with status 200', '<!DOCTYPE html><html>Back soon', 200, 'maintenance'],
    ['a page with status 500', '<html>Error', 500, 'server_error'],
    ['words with status 200', 'Rate exceeded.', 200, 'rate_limited'],
    ['words with status 429', 'Rate exceeded.', 429, 'rate_limited'],
    ['half a feed', feed(entry).slice(0, 500), 200, 'malformed'],
    ['nothing', '', 200, 'malformed'],
    ['another feed', '<rss/>', 200, 'malformed'],
    ['an empty page in the middle', feed('', 200, 10), 200, 'malformed'],
  ])('tells %s', async (_what, text, status, reason) => {
    const { access } = lookupsOver(answered(text, { status }))
    expect(await searchArxiv(access, { query: 'x' })).toMatchObject({ ok: false, reason })
  })

  it('finds nothing where there is nothing', async () => {
    const found = await searchArxiv(lookupsOver(answered(feed('', 0))).access, { query: 'x' })
    expect(found).toEqual({ ok: true, works: [], total: 0, leftOut: 0 })
  })
})

const paper = {
  paperId: 'a'.repeat(40),
  externalIds: { DOI: '10.1000/Var', ArXiv: '2301.00001' },
  title: 'On Varnels',
  citationCount: 7,
  openAccessPdf: { url: 'javascript:alert(1)' },
}

describe('Semantic Scholar', () => {
  const key = { SEMANTIC_SCHOLAR_API_KEY: 'not-a-key' }

  it('searches with a key where there is one', async () => {
    const text = JSON.stringify({ total: 2, next: 10, data: [paper, { paperId: null }] })
    const { access, asked } = lookupsOver(answered(text), { keys: key })
    const found = await searchSemanticScholar(access, { query: 'x', fromYear: 2019, author: 'Vee' })
    expect(asked[0]?.headers?.['x-api-key']).toBe('not-a-key')
    const { searchParams } = new URL(asked[0]?.url ?? '')
    expect([searchParams.get('query'), searchParams.get('year')]).toEqual(['x Vee', '2019-'])
    expect(found).toMatchObject({ ok: true, total: 2, nextOffset: 10, leftOut: 1 })
    const work = found.ok ? found.works[0] : undefined
    expect(work).toMatchObject({ url: 'https://doi.org/10.1000/var', citationCount: 7 })
    expect(work).not.toHaveProperty('pdfUrl')
    expect(work?.record.item.accessed).toEqual(accessed)
  })

  it.each([
    ['10.1000/Var', 'DOI:10.1000/var'],
    ['https://doi.org/10.1000/var(2)', 'DOI:10.1000/var(2)'],
    ['arXiv:2301.00001v3', 'ARXIV:2301.00001'],
    ['CorpusID:42', 'CorpusId:42'],
    [`https://www.semanticscholar.org/paper/On-Varnels/${'b'.repeat(40)}`, 'b'.repeat(40)],
  ])('reads %s', async (written, id) => {
    const { access, asked } = lookupsOver(answered(JSON.stringify(paper)))
    expect(await readSemanticScholarPaper(access, written)).toMatchObject({ ok: true })
    expect(new URL(asked[0]?.url ?? '').pathname).toBe(`/graph/v1/paper/${id}`)
  })

  it('reads many at once, and names what is missing', async () => {
    const { access, asked } = lookupsOver(answered(JSON.stringify([null, paper])))
    const ids = ['10.1000/gone', 'what?', '10.1000/var']
    const found = await readSemanticScholarPapers(access, ids)
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      ids: ['DOI:10.1000/gone', 'DOI:10.1000/var'],
    })
    expect(found).toMatchObject({ ok: true, works: [{}], missing: ['what?', '10.1000/gone'] })
  })

  it('finds nothing where there is nothing', async () => {
    const { access } = lookupsOver(answered('{"total": 0, "offset": 0}'))
    const found = await searchSemanticScholar(access, { query: 'x' })
    expect(found).toEqual({ ok: true, works: [], total: 0, leftOut: 0 })
  })

  it('gives what cites a paper, with the sentences', async () => {
    const data = [
      {
        contexts: ['As [4] shows.'],
        intents: ['background'],
        isInfluential: true,
        citingPaper: paper,
      },
    ]
    const { access, asked } = lookupsOver(answered(JSON.stringify({ next: 10, data })))
    const request = { paper: '10.1000/x', direction: 'citations' as const }
    expect(await readCitationLinks(access, request)).toMatchObject({
      ok: true,
      nextOffset: 10,
      links: [{ contexts: ['As [4] shows.'], intents: ['background'], isInfluential: true }],
    })
    expect(asked[0]?.url).toContain('/paper/DOI:10.1000/x/citations?')
    const withheld = lookupsOver(answered('{"data":null}')).access
    expect(await readCitationLinks(withheld, request)).toMatchObject({ reason: 'not_found' })
  })
})

const work = { DOI: '10.1000/var', title: ['On Varnels'], type: 'journal-article' }

describe('Crossref', () => {
  it('searches in the polite pool', async () => {
    const text = JSON.stringify({ message: { 'total-results': 25, items: [work, {}] } })
    const { access, asked } = lookupsOver(answered(text), { contact: 'me@example.org' })
    const found = await searchCrossref(access, { title: 'varnels', toYear: 2020, offset: 10 })
    expect(Object.fromEntries(new URL(asked[0]?.url ?? '').searchParams)).toEqual({
      'query.title': 'varnels',
      rows: '10',
      offset: '10',
      filter: 'until-pub-date:2020',
      mailto: 'me@example.org',
    })
    expect(found).toMatchObject({ ok: true, total: 25, nextOffset: 20, leftOut: 1 })
  })

  it('finds the notice that takes a work back', async () => {
    const notice = {
      DOI: '10.1000/notice',
      title: ['Retraction'],
      'update-to': [{ DOI: '10.1000/var', type: 'retraction' }],
    }
    const answers = { single: { message: work }, list: { message: { items: [notice] } } }
    const { access, asked } = lookupsOver(async ({ url }) =>
      answered(JSON.stringify(url.includes('filter=') ? answers.list : answers.single)),
    )
    const read = await readCrossrefWork(access, 'https://doi.org/10.1000/VAR')
    const notices = await findCrossrefNotices(access, '10.1000/var')
    if (!read.ok || !notices.ok) throw new Error('not read')
    const { item } = read.work.record
    const records = [read.work.record, ...notices.works.map(({ record }) => record)]
    expect(checkIdentity(item, records).retracted).toEqual([
      { source: 'crossref', says: '10.1000/notice retracts it' },
    ])
    expect(asked.map(({ url }) => decodeURIComponent(url))).toEqual([
      'https://api.crossref.org/works/10.1000/var',
      'https://api.crossref.org/works?filter=updates:10.1000/var&rows=20',
    ])
  })
})

describe('OpenAlex', () => {
  const found = {
    id: 'https://openalex.org/W1',
    doi: 'https://doi.org/10.1000/var',
    title: 'On Varnels',
    abstract_inverted_index: { sing: [1], They: [0, 2], never: [9_999_999], rest: ['x'] },
    best_oa_location: { pdf_url: 'https://example.org/1.pdf' },
    cited_by_count: 3,
  }

  it('searches, and puts an abstract together', async () => {
    const text = JSON.stringify({ meta: { count: 11 }, results: [found] })
    const keys = { OPENALEX_API_KEY: 'not-a-key' }
    const { access, asked } = lookupsOver(answered(text), { keys })
    const got = await searchOpenAlex(access, { query: 'x', author: 'Vee, A|B', fromYear: 2001 })
    expect(Object.fromEntries(new URL(asked[0]?.url ?? '').searchParams)).toEqual({
      search: 'x',
      filter: 'raw_author_name.search:Vee A B,from_publication_date:2001-01-01',
      per_page: '10',
      page: '1',
      api_key: 'not-a-key',
    })
    expect(got).toMatchObject({
      total: 11,
      nextOffset: 10,
      works: [
        {
          sourceId: 'W1',
          pdfUrl: 'https://example.org/1.pdf',
          citationCount: 3,
          record: { item: { abstract: 'They sing They' } },
        },
      ],
    })
  })

  it.each([
    ['10.1000/Var', '/works/doi:10.1000/var'],
    ['W42', '/works/W42'],
    ['https://openalex.org/w42', '/works/W42'],
    ['PMID: 42', '/works/pmid:42'],
    ['https://arxiv.org/abs/2301.00001v2', '/works/doi:10.48550/arxiv.2301.00001'],
  ])('reads %s', async (written, path) => {
    const { access, asked } = lookupsOver(answered(JSON.stringify(found)))
    expect(await readOpenAlexWork(access, written)).toMatchObject({ ok: true })
    expect(new URL(asked[0]?.url ?? '').pathname).toBe(path)
  })
})

const searches: Readonly<Record<string, (access: LookupAccess) => Promise<Lookup<object>>>> = {
  'semantic-scholar': (access) => searchSemanticScholar(access, { query: 'x' }),
  crossref: (access) => searchCrossref(access, { query: 'x' }),
  openalex: (access) => searchOpenAlex(access, { query: 'x' }),
}

describe.each(Object.keys(searches))('every answer of %s that is no success', (source) => {
  const search = searches[source] as (access: LookupAccess) => Promise<Lookup<object>>
  it.each<[string, string, number, string]>([
    [
      'a key that is refused',
      '{"message":"No."}',
      401,
      source === 'crossref' ? 'blocked' : 'unauthorized',
    ],
    ['too many requests', '{"error":"Slow."}', 429, 'rate_limited'],
    ['too many requests as status 403', '{"error":"Rate limit exceeded"}', 403, 'rate_limited'],
    ['nothing there', 'Resource not found.', 404, 'not_found'],
    ['a question it refuses', '{"error":"Bad."}', 400, 'refused'],
    ['an error', '<html>oops', 500, 'server_error'],
    ['a page', ' <!doctype html><p>Sorry', 200, 'maintenance'],
    ['half an answer', '{"data":[{"title":', 200, 'malformed'],
    ['another answer', '{"a":1}', 200, 'malformed'],
    ['what is too much', 'x'.repeat(16_000_001), 200, 'malformed'],
  ])('tells %s', async (_what, text, status, reason) => {
    const { access } = lookupsOver(answered(text, { status }))
    expect(await search(access)).toMatchObject({ ok: false, source, reason })
  })

  it('asks nobody for nothing', async () => {
    const { access, asked } = lookupsOver(answered('{}'))
    const nothing = { query: ' ' }
    const found = await Promise.all([
      searchSemanticScholar(access, nothing),
      searchCrossref(access, nothing),
      searchOpenAlex(access, nothing),
    ])
    expect(found.map((one) => !one.ok && one.reason)).toEqual(['refused', 'refused', 'refused'])
    expect(asked).toEqual([])
  })
})
