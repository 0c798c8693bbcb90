import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  parseWikipediaHits,
  searchWikipedia,
} from '../../../src/sources/lookup/wikipedia/search-wikipedia.ts'
import {
  parseWikipediaPage,
  readWikipediaPage,
  sectionWithParts,
} from '../../../src/sources/lookup/wikipedia/wikipedia-page.ts'
import { parseAnswer } from '../../../src/sources/lookup/wikipedia/wikipedia-request.ts'
import { answered, lookupsOver } from './lookup-world.ts'
import { PythonLiterals } from './python-literal.ts'
import { recordedFiles } from './recordings.ts'

const site = 'https://en.wikipedia.org'
const article = `A varnel is a bird.

== Life ==
It eats.

=== Young ===
They wait.

== Names ==
Many.
`

function pageAnswer(page: object, more: object = {}) {
  return JSON.stringify({ batchcomplete: '', query: { ...more, pages: { '7': page } } })
}

describe('searchWikipedia', () => {
  it('asks the Wikipedia of a language, under the name of the program', async () => {
    const { access, asked } = lookupsOver(answered('{"query":{"search":[]}}'))
    const found = await searchWikipedia(access, { query: 'Vögel', language: 'de', limit: 500 })
    expect(found).toEqual({ ok: true, hits: [] })
    const url = new URL(asked[0]?.url ?? '')
    expect(url.origin + url.pathname).toBe('https://de.wikipedia.org/w/api.php')
    expect(url.searchParams.get('srsearch')).toBe('Vögel')
    expect(url.searchParams.get('srlimit')).toBe('50')
    expect(asked[0]?.headers?.['user-agent']).toMatch(/^scholium-test/)
  })

  it('gives snippets as text, a proposal, and where to continue', async () => {
    const search = [
      { title: 'A/B: C?', snippet: 'x &lt;b&gt; <span class="searchmatch">y</span> &quot;z&quot;' },
      { title: 7, snippet: [] },
      { snippet: 'without a title' },
      null,
    ]
    const text = JSON.stringify({
      continue: { sroffset: 10 },
      query: { searchinfo: { totalhits: 45, suggestion: 'abc' }, search },
    })
    expect(await searchWikipedia(lookupsOver(answered(text)).access, { query: 'abd' })).toEqual({
      ok: true,
      total: 45,
      suggestion: 'abc',
      nextOffset: 10,
      hits: [
        { title: 'A/B: C?', url: `${site}/wiki/A/B:_C%3F`, snippet: 'x <b> y "z"' },
        { title: '7', url: `${site}/wiki/7`, snippet: '' },
      ],
    })
  })

  it.each<[string, string, number, string]>([
    [
      'an error of the API',
      '{"error":{"code":"search-title-disabled","info":"No."}}',
      200,
      'refused',
    ],
    ['an API that is busy', '{"error":{"code":"maxlag","info":"Wait."}}', 200, 'server_error'],
    ['too many questions', '{"error":{"code":"ratelimited","info":"Slow."}}', 200, 'rate_limited'],
    ['status 429', '', 429, 'rate_limited'],
    ['status 403, as without a name', 'Please set a user-agent', 403, 'blocked'],
    ['a page', '<!DOCTYPE html><p>Wikimedia Error', 200, 'maintenance'],
    ['half an answer', '{"query":{"sea', 200, 'malformed'],
    ['another answer', '{"query":{"pages":{}}}', 200, 'malformed'],
    ['a list', '[]', 200, 'malformed'],
  ])('tells %s', async (_what, text, status, reason) => {
    const { access } = lookupsOver(answered(text, { status }))
    const found = await searchWikipedia(access, { query: 'x' })
    expect(found).toMatchObject({ ok: false, source: 'wikipedia', reason })
  })

  it('asks nobody for nothing, or in what is no language', async () => {
    const { access, asked } = lookupsOver(answered('{}'))
    expect(await searchWikipedia(access, { query: ' ' })).toMatchObject({ reason: 'refused' })
    const elsewhere = { query: 'x', language: 'evil.test/#' }
    expect(await searchWikipedia(access, elsewhere)).toMatchObject({ reason: 'refused' })
    expect(asked).toEqual([])
  })
})

describe('readWikipediaPage', () => {
  it('gives text, sections, version and reference, and says where the title led', async () => {
    const text = pageAnswer(
      {
        pageid: 7,
        title: 'Varnel (bird)',
        extract: article,
        revisions: [{ revid: 99, timestamp: '2026-03-25T15:46:00Z' }],
        fullurl: 'https://evil.test/wiki/x',
      },
      { redirects: [{ from: 'Varnels', to: 'Varnel (bird)' }] },
    )
    const found = await readWikipediaPage(lookupsOver(answered(text)).access, { title: 'Varnels' })
    if (!found.ok) throw new Error(found.detail)
    const { page } = found
    expect(page).toMatchObject({
      title: 'Varnel (bird)',
      redirectedFrom: 'Varnels',
      revisionId: 99,
      isDisambiguation: false,
    })
    expect(page.sections.map(({ level, title, text: own }) => [level, title, own])).toEqual([
      [1, '', 'A varnel is a bird.'],
      [2, 'Life', 'It eats.'],
      [3, 'Young', 'They wait.'],
      [2, 'Names', 'Many.'],
    ])
    expect(page.sections.map(({ start, end }) => page.text.slice(start, end)).join('')).toBe(
      article,
    )
    expect(sectionWithParts(page.sections, 'life').map(({ title }) => title)).toEqual([
      'Life',
      'Young',
    ])
    expect(sectionWithParts(page.sections, 'Death')).toEqual([])
    expect(page.item).toEqual({
      id: 'wikipedia:en:Varnel (bird)',
      type: 'entry-encyclopedia',
      title: 'Varnel (bird)',
      'container-title': 'Wikipedia',
      language: 'en',
      URL: `${site}/wiki/Varnel_(bird)`,
      issued: { 'date-parts': [[2026, 3, 25]] },
      accessed: { 'date-parts': [[2026, 11, 20]] },
    })
  })

  it('names what a page of meanings leads to', async () => {
    const { access, asked } = lookupsOver(async ({ url }) =>
      answered(
        url.includes('prop=links')
          ? pageAnswer({ title: 'Ram', links: [{ title: 'Ram (sheep)' }, { title: 'Ram Trucks' }] })
          : pageAnswer({ title: 'Ram', extract: 'Ram may be:', pageprops: { disambiguation: '' } }),
      ),
    )
    expect(await readWikipediaPage(access, { title: 'Ram' })).toMatchObject({
      ok: true,
      page: { isDisambiguation: true, meanings: ['Ram (sheep)', 'Ram Trucks'] },
    })
    expect(asked).toHaveLength(2)
  })

  it('tells a missing page, and a title that none can have', async () => {
    const { access, asked } = lookupsOver(answered(pageAnswer({ title: 'Zzz', missing: '' })))
    expect(await readWikipediaPage(access, { title: 'Zzz' })).toMatchObject({
      reason: 'not_found',
      detail: 'The Wikipedia in "en" has no article "Zzz".',
    })
    expect(await readWikipediaPage(access, { title: 'a|b' })).toMatchObject({ reason: 'refused' })
    expect(asked).toHaveLength(1)
  })
})

describe.skipIf(!process.env.SCHOLIUM_DATA)('recorded answers (needs SCHOLIUM_DATA)', () => {
  let answers: readonly Answer[] = []
  beforeAll(() => {
    answers = [...liveAnswers(), ...goldsmithAnswers(), ...mockedAnswers()]
  })

  it('of searches are all read', () => {
    const searches = answers.filter(({ query }) => Array.isArray(query?.search))
    const found = searches.map((answer) => parseWikipediaHits(answer, site))
    expect(found.filter(({ ok }) => !ok)).toEqual([])
    const hits = found.flatMap((one) => (one.ok ? one.hits : []))
    const recorded = searches.flatMap(({ query }) => query?.search ?? [])
    expect([searches.length, hits.length]).toEqual([18, recorded.length])
    expect(hits.filter(({ snippet }) => /<span|&quot;/.test(snippet))).toEqual([])
    expect(found.filter((one) => one.ok && one.suggestion !== undefined).length).toBe(3)
  })

  it('of articles are all read, missing ones too', () => {
    const pages = answers.filter(({ query }) => {
      const text = JSON.stringify(query?.pages ?? {})
      const isOne = Object.keys(query?.pages ?? {}).length === 1
      return isOne && /"extract"|"missing"/.test(text) && !text.includes('"imageinfo"')
    })
    const found = pages.map((answer) => parseWikipediaPage(answer, 'en', site))
    const reasons = found.map((one) => (one.ok ? 'read' : one.reason))
    expect(count(reasons)).toEqual({ read: 15, not_found: 13 })
    const python = found.flatMap((one) => (one.ok ? [one.page] : []))[0]
    expect(python?.title).toBe('Python (programming language)')
    expect(python?.sections.length).toBeGreaterThan(20)
  })

  it('of errors are told, and none is mistaken for an article', () => {
    const reasons = answers.map((answer) => parseAnswer(answer)).filter((one) => 'reason' in one)
    expect(reasons).toMatchObject([
      { reason: 'refused', detail: expect.stringMatching(/disabled/) },
    ])
  })
})

type Answer = { readonly query?: { readonly search?: unknown; readonly pages?: object } }

function liveAnswers(): readonly Answer[] {
  return recordedFiles('wikipedia-api', '.json').map((path) =>
    JSON.parse(readFileSync(path, 'utf8')),
  )
}

function goldsmithAnswers(): readonly Answer[] {
  const [path = ''] = recordedFiles('wikipedia-goldsmith', '.py.txt')
  const text = readFileSync(path, 'utf8')
  const start = text.indexOf('{', text.indexOf('mock_data'))
  const all = new PythonLiterals(text, start).read() as Record<string, [unknown, Answer][]>
  return (all['_wiki_request calls'] ?? []).map(([, answer]) => answer)
}

function mockedAnswers(): readonly Answer[] {
  const [path = ''] = recordedFiles('wikipedia-api', 'mock_data.py.txt')
  const text = readFileSync(path, 'utf8')
  const start = text.indexOf('{', text.indexOf('_MOCK_DATA = '))
  return Object.values(new PythonLiterals(text, start).read() as Record<string, Answer>)
}

function count(values: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
