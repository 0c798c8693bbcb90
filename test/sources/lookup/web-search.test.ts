import { describe, expect, it } from 'vitest'
import { parseDuckduckgoHits } from '../../../src/sources/lookup/search/duckduckgo.ts'
import { searchWeb, webSearches } from '../../../src/sources/lookup/search/search-web.ts'
import { type WebSearch, webPageItem } from '../../../src/sources/lookup/search/web-search.ts'
import { lookupSources } from '../../../src/sources/lookup/sources.ts'
import { answered, lookupsOver, replays } from './lookup-world.ts'
import { cassettes } from './recordings.ts'

const keys = {
  TAVILY_API_KEY: 'key-of-tavily',
  BRAVE_SEARCH_API_KEY: 'key-of-brave',
  SERPER_API_KEY: 'key-of-serper',
}
const baseUrls = { searxng: 'http://searx.test:8888/' }
const engine = (name: string): WebSearch => {
  const found = webSearches.find((one) => one.name === name)
  if (found === undefined) throw new Error(name)
  return found
}

function ddg(results: string): string {
  return `<!DOCTYPE html><html><body><div class="serp__results"><div id="links" class="results">${results}</div></div></body></html>`
}
function ddgResult(href: string, title: string, snippet: string, more = ''): string {
  return `<div class="result results_links results_links_deep web-result ${more}"><div class="links_main links_deep result__body">
    <h2 class="result__title"><a rel="nofollow" class="result__a" href="${href}">${title}</a></h2>
    <a class="result__snippet" href="${href}">${snippet}</a></div></div>`
}

/** For each engine an answer with two pages, the first of them twice. */
const answers: Readonly<Record<string, string>> = {
  tavily: JSON.stringify({
    results: [
      {
        title: 'Var  nels',
        url: 'https://a.test/x?utm_source=t',
        content: 'They',
        published_date: 'Thu, 05 Mar 2026 10:00:00 GMT',
      },
      { title: 'Again', url: 'https://a.test/x', content: 'They sing.' },
      { title: '', url: 'https://b.test/', content: null, score: 0.1 },
      { title: 'No', url: 'javascript:alert(1)', content: 'no' },
    ],
  }),
  searxng: JSON.stringify({
    results: [
      {
        title: 'Var nels',
        url: 'https://a.test/x?utm_source=t',
        content: 'They',
        publishedDate: '2026-03-05T00:00:00',
      },
      { title: 'Again', url: 'https://a.test/x', content: 'They sing.' },
      { url: 'https://b.test/' },
      { title: 'No address' },
    ],
    unresponsive_engines: [['x', 'timeout']],
  }),
  brave: JSON.stringify({
    query: {},
    web: {
      results: [
        {
          title: '<strong>Var</strong> nels',
          url: 'https://a.test/x?utm_source=t',
          description: 'They',
          page_age: '2026-03-05T10:00:00',
          age: 'x',
        },
        { title: 'Again', url: 'https://a.test/x', description: 'They <strong>sing</strong>.' },
        { url: 'https://b.test/', description: [] },
      ],
    },
  }),
  serper: JSON.stringify({
    organic: [
      {
        title: 'Var nels',
        link: 'https://a.test/x?utm_source=t',
        snippet: 'They',
        date: 'Mar 5, 2026',
      },
      { title: 'Again', link: 'https://a.test/x', snippet: 'They sing.', date: '3 days ago' },
      { link: 'https://b.test/', date: '3 days ago' },
      null,
    ],
  }),
  duckduckgo: ddg(
    ddgResult('https://duckduckgo.com/y.js?ad_domain=ad.test', 'Buy', 'now', 'result--ad') +
      ddgResult('https://ad.test/', 'Buy here', 'now', 'result--ad') +
      ddgResult(
        '//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.test%2Fx%3Futm_source%3Dt&rut=1',
        'Var\n <b>nels</b>',
        'They',
      ) +
      ddgResult('https://a.test/x', 'Again', 'They\n   <b>sing</b>.') +
      ddgResult('//duckduckgo.com/l/?uddg=https%3A%2F%2Fb.test%2F', '', '') +
      ddgResult('//duckduckgo.com/l/?uddg=file%3A%2F%2F%2Fetc', 'No', 'no'),
  ),
}

describe.each(Object.keys(answers))('%s', (name) => {
  const ask = async (text: string, status = 200) => {
    const { access, asked } = lookupsOver(answered(text, { status }), { keys, baseUrls })
    const query = { query: ' varnel\nsong ', sites: ['a.test', 'b.test', 'x" OR y'] }
    return { found: await engine(name).search(access, query), asked }
  }

  it('gives pages once, as text, and only of the web', async () => {
    const { found } = await ask(answers[name] ?? '')
    const day = name === 'duckduckgo' ? {} : { publishedAt: '2026-03-05' }
    expect(found).toEqual({
      ok: true,
      hits: [
        {
          title: 'Var nels',
          url: 'https://a.test/x?utm_source=t',
          snippet: 'They sing.',
          ...day,
          source: name,
        },
        { title: 'b.test', url: 'https://b.test/', snippet: '', source: name },
      ],
    })
  })

  it('asks its own server, with its key where it has one', async () => {
    const { asked } = await ask(answers[name] ?? '')
    const { keyVariable, baseUrl = 'http://searx.test:8888' } = lookupSources[engine(name).name]
    expect(asked).toHaveLength(1)
    expect(asked[0]?.url.startsWith(`${baseUrl}/`)).toBe(true)
    const key = keys[keyVariable as keyof typeof keys]
    expect(
      Object.values(asked[0]?.headers ?? {})
        .join(' ')
        .includes(key ?? 'scholium-test'),
    ).toBe(true)
    const sent = decodeURIComponent(`${asked[0]?.url} ${asked[0]?.body}`).replaceAll('+', ' ')
    expect(sent).toContain('varnel song')
    expect(sent).toMatch(/site:a\.test OR site:b\.test|"include_domains":\["a\.test","b\.test"\]/)
    expect(sent).not.toContain('x" OR y')
  })

  it.each<[string, string, number, string]>([
    [
      'a key that is refused',
      '{"message":"No."}',
      401,
      name === 'searxng' ? 'refused' : name === 'duckduckgo' ? 'blocked' : 'unauthorized',
    ],
    ['too many requests', '{"detail":{"error":"Slow."}}', 429, 'rate_limited'],
    ['an error', 'oops', 502, 'server_error'],
    ['half an answer', '{"results":[{"title":', 200, 'malformed'],
    ['another answer', '{"a":1}', 200, 'malformed'],
    ['a list', '[]', 200, 'malformed'],
  ])('tells %s', async (_what, text, status, reason) => {
    const { found } = await ask(text, status)
    expect(found).toMatchObject({ ok: false, source: name, reason })
  })
})

describe('what only one engine says', () => {
  it.each<[string, string, number, string]>([
    ['tavily', '{"detail":{"error":"This request exceeds your plan"}}', 432, 'rate_limited'],
    ['serper', '{"message":"Not enough credits","statusCode":400}', 400, 'rate_limited'],
    [
      'brave',
      '{"error":{"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"The provided subscription token is invalid."}}',
      422,
      'unauthorized',
    ],
    ['searxng', '<!doctype html><title>403 Forbidden</title>', 403, 'refused'],
    [
      'searxng',
      '{"results":[],"unresponsive_engines":[["google","Suspended: CAPTCHA"]]}',
      200,
      'server_error',
    ],
    ['duckduckgo', '<div class="anomaly-modal__title">Unfortunately, bots', 202, 'blocked'],
    ['duckduckgo', ddg(''), 200, 'malformed'],
  ])('%s: %s', async (name, text, status, reason) => {
    const { access } = lookupsOver(answered(text, { status }), { keys, baseUrls })
    expect(await engine(name).search(access, { query: 'x' })).toMatchObject({ ok: false, reason })
  })

  it.each([
    ['tavily', '{"results":[]}'],
    ['searxng', '{"results":[],"unresponsive_engines":[]}'],
    ['brave', '{"query":{"original":"x"}}'],
    ['serper', '{"organic":[]}'],
    [
      'duckduckgo',
      ddg('<div class="result result--no-result"><div class="no-results">No results.</div></div>'),
    ],
  ])('%s finds nothing', async (name, text) => {
    const { access } = lookupsOver(answered(text), { keys, baseUrls })
    expect(await engine(name).search(access, { query: 'x' })).toEqual({ ok: true, hits: [] })
  })

  it('gives as many as were asked for', async () => {
    const many = Array.from({ length: 30 }, (_one, index) =>
      ddgResult(`https://a.test/${index}`, `No. ${index}`, 'x'),
    )
    const found = await parseDuckduckgoHits(ddg(many.join('')), 5)
    expect(found.ok && found.hits.map(({ title }) => title)).toEqual([
      'No. 0',
      'No. 1',
      'No. 2',
      'No. 3',
      'No. 4',
    ])
  })
})

describe('searchWeb', () => {
  const said = (name: WebSearch['name'], text: string, status = 200): WebSearch => ({
    name,
    search: (access, query) =>
      engine(name).search({ ...access, fetcher: async () => answered(text, { status }) }, query),
  })
  const { access } = lookupsOver(answered(''), { keys, baseUrls })
  const query = { query: 'varnel' }

  it('asks the next engine where one fails or has nothing, and says why', async () => {
    const engines = [
      said('tavily', 'Bad key-of-tavily', 401),
      said('searxng', '{"results":[]}'),
      said('brave', answers.brave ?? ''),
      said('serper', 'never asked', 500),
    ]
    expect(await searchWeb(access, engines, query)).toMatchObject({
      ok: true,
      source: 'brave',
      hits: [{ url: 'https://a.test/x?utm_source=t' }, { url: 'https://b.test/' }],
      empty: ['searxng'],
      failures: [
        {
          source: 'tavily',
          reason: 'unauthorized',
          detail: 'Tavily answered 401: Bad [key]',
          keyVariable: 'TAVILY_API_KEY',
        },
      ],
    })
  })

  it('has no hits where all that answered had none', async () => {
    const engines = [said('tavily', '', 429), said('searxng', '{"results":[]}')]
    expect(await searchWeb(access, engines, query)).toMatchObject({
      ok: true,
      hits: [],
      empty: ['searxng'],
      failures: [{ source: 'tavily', reason: 'rate_limited' }],
    })
  })

  it('tells of each engine why it failed, where all did', async () => {
    const bare = lookupsOver({ ok: false, reason: 'dns', detail: 'There is no such host.' })
    const found = await searchWeb(bare.access, webSearches, query)
    expect(
      found.failures.map(({ source, reason, keyVariable }) => [source, reason, keyVariable]),
    ).toEqual([
      ['tavily', 'unauthorized', 'TAVILY_API_KEY'],
      ['searxng', 'not_configured', undefined],
      ['brave', 'unauthorized', 'BRAVE_SEARCH_API_KEY'],
      ['serper', 'unauthorized', 'SERPER_API_KEY'],
      ['duckduckgo', 'unreachable', undefined],
    ])
    expect(!found.ok && found.detail).toContain(
      'DuckDuckGo could not be reached: There is no such host.',
    )
    expect(bare.asked).toHaveLength(1)
    expect(await searchWeb(access, [], query)).toMatchObject({ ok: false, failures: [] })
    expect(await searchWeb(access, webSearches, { query: ' ' })).toMatchObject({ ok: false })
  })

  it('leaves a source alone that has to rest', async () => {
    const resting = {
      ok: false,
      reason: 'cooling_down',
      detail: 'Left alone.',
      retryAfterMs: 5_000,
    } as const
    const found = await searchWeb(lookupsOver(resting).access, [engine('duckduckgo')], query)
    expect(found.failures).toMatchObject([{ reason: 'rate_limited', retryAfterMs: 5_000 }])
  })
})

describe('lookupSources', () => {
  it('has every web search, and says which was never tried', () => {
    const web = Object.values(lookupSources).filter(({ kind }) => kind === 'web')
    expect(web.map(({ name }) => name)).toEqual(webSearches.map(({ name }) => name))
    expect(web.filter(({ isTriedLive }) => isTriedLive).map(({ name }) => name)).toEqual(['tavily'])
    for (const [name, info] of Object.entries(lookupSources)) {
      expect(info.name).toBe(name)
      expect(info.baseUrl ?? info.baseUrlVariable).toMatch(/^(?:https:\/\/.*[^/]|[A-Z_]+_URL)$/)
      expect(info.isKeyRequired && info.keyVariable === undefined).toBe(false)
    }
  })
})

describe.skipIf(!process.env.SCHOLIUM_DATA)('recorded answers (needs SCHOLIUM_DATA)', () => {
  it('of Tavily are all read', async () => {
    const { answers: recorded, broken } = cassettes('search')
    expect([recorded.length, broken]).toEqual([2, []])
    for (const recording of recorded) {
      const { access } = lookupsOver(replays(recording), { keys })
      const found = await engine('tavily').search(access, { query: 'x' })
      if (!found.ok) throw new Error(found.detail)
      const listed = JSON.parse(recording.text).results.map(({ url }: { url: string }) => url)
      expect(found.hits.map(({ url }) => url)).toEqual(listed)
      for (const hit of found.hits) {
        expect(hit.snippet).not.toMatch(/[\n\r]/)
        expect(webPageItem(hit, access)).toMatchObject({
          type: 'webpage',
          title: hit.title,
          URL: hit.url,
          accessed: { 'date-parts': [[2026, 11, 20]] },
        })
      }
    }
  })
})
