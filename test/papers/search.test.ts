import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PaperPlace, PaperQuery, PlaceOutcome } from '../../src/papers/paper.ts'
import { arxivPlace } from '../../src/papers/places/arxiv-place.ts'
import { indexesPlace } from '../../src/papers/places/indexes-place.ts'
import { findPapers } from '../../src/papers/retrieve.ts'
import { createQuickClock } from '../../src/testing/index.ts'
import { PaperServer } from './paper-server.ts'
import { unending, webOver } from './paper-world.ts'
import { type ServedPaper, sparseAttentionPapers } from './served-papers.ts'

let server: PaperServer
beforeAll(async () => {
  server = await PaperServer.start()
})
afterEach(() => {
  server.reset()
  server.papers = sparseAttentionPapers
})
afterAll(() => server.close())

const query: PaperQuery = { query: 'sparse attention', limit: 4 }
const arxiv = () => arxivPlace(webOver(server))
const indexes = () => indexesPlace(webOver(server))
const titles = (outcome: PlaceOutcome) => {
  if (!outcome.ok) throw new Error(outcome.detail)
  return outcome.papers.map(({ title }) => title)
}
/** What arXiv was asked, in its own language. */
const asked = () => server.requests.map(({ url }) => url.searchParams.get('search_query'))

/** Papers on owls, as many as a test needs. */
function owls(count: number): readonly ServedPaper[] {
  return Array.from({ length: count }, (_, at) => ({
    ...(sparseAttentionPapers[0] as ServedPaper),
    arxivId: `2408.${String(at + 10_000)}v1`,
    title: `Owls of island number ${at}`,
    abstract: 'On owls.',
  }))
}

describe('arXiv', () => {
  it('gives papers with all that is known of them', async () => {
    const outcome = await arxiv().search(query, unending)
    expect(titles(outcome)).toHaveLength(4)
    expect(outcome.ok && outcome.papers[0]).toMatchObject({
      id: 'arxiv:2401.00011',
      arxivId: '2401.00011v2',
      authors: ['Ada Quill', 'Bruno Hatherley'],
      published: '2024-01-05',
      categories: ['cs.CL', 'cs.LG'],
      url: 'https://arxiv.org/abs/2401.00011v2',
      pdfUrl: `${server.origin('files')}/pdf/2401.00011v2`,
      foundBy: ['arXiv'],
    })
  })

  it('is asked for a category, and for none where all are wanted', async () => {
    const inSky = await arxiv().search({ ...query, category: 'cs.CV' }, unending)
    expect(titles(inSky)).toEqual(['Sparse Attention in Images of the Night Sky'])
    await arxiv().search({ ...query, category: 'All' }, unending)
    expect(asked()).toEqual([
      'all:sparse AND all:attention AND (cat:cs.CV)',
      'all:sparse AND all:attention',
    ])
  })

  it('gives its own address where an entry links no PDF', async () => {
    const [first] = sparseAttentionPapers
    server.papers = [{ ...(first as ServedPaper), hasPdfLink: false }]
    const outcome = await arxiv().search(query, unending)
    expect(outcome.ok && outcome.papers[0]?.pdfUrl).toBe('https://arxiv.org/pdf/2401.00011v2')
  })

  it('is asked page after page until there are enough that can be used, three seconds apart', async () => {
    const good = owls(20)
    server.papers = good.map((paper, at) => (at % 4 === 3 ? paper : { ...paper, title: ' ' }))
    const clock = createQuickClock()
    const outcome = await arxivPlace(webOver(server, clock)).search(
      { query: 'owls', limit: 5 },
      unending,
    )
    expect(titles(outcome)).toHaveLength(5)
    expect(server.requests.map(({ url }) => url.searchParams.get('start'))).toEqual(['0', '10'])
    expect(outcome.ok && outcome.notes?.join()).toContain('15 entries were left out')
    expect(clock.waitsMs.some((waitMs) => waitMs > 2_900)).toBe(true)
  })

  it('is asked for papers with some of the words where none has all', async () => {
    const question = { query: 'What does sparse attention mean for zebras?', limit: 3 }
    const outcome = await arxiv().search(question, unending)
    expect(titles(outcome)).toHaveLength(3)
    expect(outcome.ok && outcome.notes).toEqual([
      'No paper contains all words of the query; these contain some of them.',
    ])
    expect(asked()).toEqual([
      'all:sparse AND all:attention AND all:mean AND all:zebras',
      '(all:sparse OR all:attention OR all:mean OR all:zebras)',
    ])
  })

  it('waits as long as a 429 asks, and takes resets and slow answers', async () => {
    server.fault(
      'arxiv',
      { kind: 'status', status: 429, retryAfterSeconds: 3 },
      { kind: 'reset' },
      { kind: 'slow', pieceBytes: 2_000, gapMs: 5 },
    )
    const clock = createQuickClock()
    expect(titles(await arxivPlace(webOver(server, clock)).search(query, unending))).toHaveLength(4)
    expect(Math.max(...clock.waitsMs)).toBeGreaterThanOrEqual(3_000)
    expect(server.count('arxiv')).toBe(3)
  })

  it.each([
    ['rate_limited', { kind: 'status', status: 429, retryAfterSeconds: 600 }],
    ['rate_limited', { kind: 'body', text: 'Rate exceeded.' }],
    ['maintenance', { kind: 'page', title: 'arXiv is down for maintenance' }],
    ['maintenance', { kind: 'status', status: 503 }],
    ['unreachable', { kind: 'reset' }],
    ['malformed', { kind: 'body', text: '<feed><entry>', type: 'application/atom+xml' }],
  ] as const)('fails as %s over %j, in words', async (reason, fault) => {
    server.always('arxiv', fault)
    const outcome = await arxiv().search(query, unending)
    expect(outcome).toMatchObject({ ok: false, reason, hint: expect.any(String) })
    expect(!outcome.ok && outcome.detail).toMatch(/arXiv/)
  })

  it('gives what its first pages gave when a later one fails', async () => {
    server.papers = owls(30).map((paper, at) => (at % 5 === 4 ? paper : { ...paper, title: ' ' }))
    const later = { kind: 'status', status: 404 } as const
    server.fault('arxiv', { kind: 'slow', pieceBytes: 100_000, gapMs: 1 }, later)
    const outcome = await arxiv().search({ query: 'owls', limit: 5 }, unending)
    expect(titles(outcome)).toHaveLength(2)
    expect(outcome.ok && outcome.notes?.join(' ')).toContain('Further pages could not be loaded')
  })

  it('is left when the search is stopped', async () => {
    server.always('arxiv', { kind: 'hang' })
    const control = new AbortController()
    const searching = arxiv().search(query, control.signal)
    setTimeout(() => control.abort(new Error('enough')), 50)
    await expect(searching).rejects.toThrow('enough')
  })
})

describe('Semantic Scholar and OpenAlex', () => {
  it('give each work once, with what both know of it', async () => {
    const outcome = await indexes().search(query, unending)
    expect(titles(outcome)).toHaveLength(4)
    expect(outcome.ok && outcome.papers[0]).toMatchObject({
      id: 'arxiv:2401.00011',
      citationCount: 42,
      abstract: sparseAttentionPapers[0]?.abstract,
      pdfUrl: `${server.origin('files')}/pdf/2401.00011`,
      foundBy: ['Semantic Scholar', 'OpenAlex'],
    })
  })

  it('are enough each by itself; the other’s failure is said', async () => {
    server.always('semantic-scholar', { kind: 'status', status: 429 })
    const outcome = await indexes().search(query, unending)
    expect(titles(outcome)).toHaveLength(4)
    expect(outcome.ok && outcome.unanswered?.join()).toMatch(/Semantic Scholar answered 429/)
    expect(outcome.ok && outcome.papers[0]?.foundBy).toEqual(['OpenAlex'])
  })

  it('fail together with the words of both', async () => {
    server.always('semantic-scholar', { kind: 'status', status: 429 })
    server.always('openalex', { kind: 'body', text: '{"results": 1}', type: 'application/json' })
    const outcome = await indexes().search(query, unending)
    expect(outcome).toMatchObject({ ok: false, reason: 'rate_limited' })
    expect(!outcome.ok && outcome.detail).toMatch(/429.*no list of works/)
  })

  it('say once what can be done where both are silent', async () => {
    server.always('semantic-scholar', { kind: 'status', status: 503 })
    server.always('openalex', { kind: 'status', status: 503 })
    const outcome = await indexes().search(query, unending)
    expect(outcome).toMatchObject({ ok: false, hint: 'Try again later, or use another source.' })
  })

  it('are asked for the field of a category, which is said; what is no category is not used', async () => {
    const outcome = await indexes().search({ ...query, category: 'cs.CL' }, unending)
    expect(outcome.ok && outcome.notes?.join()).toContain('field of computer science')
    const parameters = server.requests.map(({ url }) => url.searchParams)
    expect(parameters.flatMap((one) => one.get('fieldsOfStudy') ?? [])).toEqual([
      'Computer Science,Linguistics',
    ])
    expect(parameters.flatMap((one) => one.get('filter') ?? [])).toEqual(['topics.field.id:17'])
    const other = await indexes().search({ ...query, category: 'owls' }, unending)
    expect(other.ok && other.notes?.join()).toContain('was not used')
  })
})

describe('tiers of places', () => {
  const search = (place: PaperPlace, wanted: PaperQuery) => place.search(wanted, unending)

  it('fall back from arXiv to the indexes, and say it', async () => {
    server.always('arxiv', { kind: 'page', title: 'Maintenance' })
    const { papers, searched } = await findPapers([[arxiv()], [indexes()]], query, search)
    expect(papers).toHaveLength(4)
    expect(searched.map(({ place, outcome }) => [place, outcome])).toEqual([
      ['arXiv', 'failed'],
      ['Semantic Scholar and OpenAlex', 'used'],
    ])
  })

  it('make one paper of what arXiv and the indexes both know, with its version', async () => {
    const { papers } = await findPapers([[arxiv(), indexes()]], query, search)
    expect(papers).toHaveLength(4)
    expect(papers[0]).toMatchObject({
      arxivId: '2401.00011v2',
      citationCount: 42,
      foundBy: ['arXiv', 'Semantic Scholar', 'OpenAlex'],
    })
  })

  it('ask no index where arXiv has papers', async () => {
    await findPapers([[arxiv()], [indexes()]], query, search)
    expect(server.count('semantic-scholar') + server.count('openalex')).toBe(0)
  })
})
