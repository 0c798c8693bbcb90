import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { verifyBundle } from '../../src/index.ts'
import { hits, pageOf } from './services.ts'
import {
  calling,
  eventsOf,
  question,
  resultsOfResearcher,
  sentence,
  WebWorld,
} from './web-world.ts'

const world = new WebWorld()
beforeAll(() => world.open())
afterEach(() => world.reset())
afterAll(() => world.close())

const searchThenRead = calling(
  ['search_web', { query: 'glimmerstone' }],
  ['read_page', { result: 1 }],
)

/** Asks with the web on, and gives what the models were asked meanwhile. */
async function ask(researcher = searchThenRead, asked = question, app = world.app()) {
  world.say({ researcher })
  const before = world.modelRequests.length
  const answer = await app.ask({ question: asked, web: true })
  return { app, answer, requests: world.modelRequests.slice(before) }
}

describe('a question that may go to the web', () => {
  it('is answered from a page that was searched, read and cited, with address, reference and verdict', async () => {
    const { answer, requests } = await ask()
    expect(answer).toMatchObject({ status: 'answered', gaps: [] })
    expect(answer.citations).toEqual([
      {
        n: 1,
        sourceId: expect.any(String),
        title: 'Glimmerstone',
        url: world.pageUrl,
        csl: expect.objectContaining({
          title: 'Glimmerstone',
          URL: world.pageUrl,
          accessed: { 'date-parts': [[2026, 1, 1]] },
        }),
      },
    ])
    expect(answer.claims).toMatchObject([
      { citations: [1], verdict: 'verbatim', evidence: [{ n: 1, quote: `${sentence}.` }] },
    ])
    const seen = JSON.stringify(requests.map(({ body }) => body))
    expect(seen).not.toContain(world.service('pages').origin)
    expect(seen).toContain('All about glimmerstone')
  })

  it('is replayed without a request, and gives the same', async () => {
    const { app, answer } = await ask()
    const count = () => [...world.services.values()].flatMap(({ requests }) => requests).length
    const before = [count(), world.modelRequests.length]
    const replay = await world.offline('home').replay(answer.runId)
    expect(replay).toMatchObject({ isIdentical: true, unclaimed: [] })
    expect([count(), world.modelRequests.length]).toEqual(before)
    await app.close()
  })

  it('is exported with the page as it was read, and the bundle is sound', async () => {
    const { app, answer } = await ask()
    const { path, sources } = await app.exportRun(answer.runId, {
      file: join(world.folder, 'run.scholium'),
    })
    expect(sources).toBe(1)
    world.answers = {
      pages: () => ({ body: pageOf('Glimmerstone', 'Now it says something else.') }),
    }
    expect(await verifyBundle(path)).toMatchObject({ isSound: true })
  })

  it('keeps the key of a search out of the log and from models, also where a service says it back', async () => {
    world.answers = {
      tavily: ({ headers }) => ({
        body: hits(['A page', world.pageUrl, `You said ${headers.authorization}`]),
      }),
    }
    const { app, answer, requests } = await ask()
    expect(world.service('tavily').requests.at(-1)?.headers.authorization).toContain('tvly-secret')
    const log = JSON.stringify(await eventsOf(app, answer))
    expect(log).toContain('You said Bearer')
    expect(log + JSON.stringify(requests.map(({ body }) => body))).not.toContain('tvly-secret')
  })

  it('leaves what it read out of the searches of other questions', async () => {
    const { app } = await ask()
    expect(await app.listLibrary()).toEqual([])
    expect(await app.searchLibrary({ query: 'glimmerstone', limit: 5 })).toEqual([])
    expect(await app.removeFromLibrary(world.pageUrl)).toBe(1)
  })

  it('cites nothing that a search only showed', async () => {
    const words = `${sentence} [1].`
    const onlySearched = calling(['search_web', { query: 'glimmerstone' }])
    world.answers = { tavily: () => ({ body: hits(['A', world.pageUrl, sentence]) }) }
    world.say({
      researcher: (seen, call) =>
        call === 1 ? onlySearched(seen, call) : { json: { result: words } },
      expert: { json: { expert_answer: words, reasoning_trace: 'x' } },
      finalizer: { json: { final_answer: words, final_reasoning_trace: 'x' } },
    })
    const answer = await world.app().ask({ question, web: true })
    expect(answer).toMatchObject({ status: 'unanswered', citations: [] })
  })
})

describe('a question that may not', () => {
  it('offers its models no tool that leaves the machine, and asks nobody', async () => {
    world.say({})
    const before = [...world.services.values()].flatMap(({ requests }) => requests).length
    const from = world.modelRequests.length
    await world.app('plain').ask({ question })
    const tools = world.modelRequests
      .slice(from)
      .flatMap(({ body }) => (body.tools ?? []) as { function: { name: string } }[])
    expect(tools.map((tool) => tool.function.name)).not.toContain('search_web')
    expect([...world.services.values()].flatMap(({ requests }) => requests)).toHaveLength(before)
  })
})

describe('the extractive engine', () => {
  it('asks nobody on the web, also where it may, and says so', async () => {
    const before = [...world.services.values()].flatMap(({ requests }) => requests).length
    const app = world.app('extractive', { models: {} })
    const told: string[] = []
    const answer = await app.ask(
      { question: 'What is CRISPR?', web: true },
      { onEvent: (event) => told.push(JSON.stringify(event)) },
    )
    expect(answer.status).toBe('answered')
    expect(told.join()).toContain('The built-in engine does not use the web')
    expect([...world.services.values()].flatMap(({ requests }) => requests)).toHaveLength(before)
  })
})

describe('a source that cannot be had', () => {
  it('is a named gap, and the next one is asked', async () => {
    world.answers = {
      tavily: () => ({
        status: 429,
        headers: { 'retry-after': '900' },
        body: { error: 'Slow down' },
      }),
    }
    const { answer, app, requests } = await ask()
    expect(answer).toMatchObject({ status: 'answered', citations: [{ url: world.pageUrl }] })
    expect(answer.gaps).toEqual([
      {
        kind: 'source_unavailable',
        source: 'Tavily',
        reason: 'rate_limited',
        detail: expect.stringMatching(/^Not available \(rate_limited\): Tavily answered 429/),
      },
    ])
    expect(resultsOfResearcher(requests)[0]).toMatchObject({
      engine: 'SearXNG',
      unavailable: ['Tavily: rate_limited'],
    })
    const notices = (await eventsOf(app, answer)).filter((event) => event.type === 'notice')
    expect(notices.map(({ data }) => data.text)).toContainEqual(
      expect.stringContaining('Tavily: Not available'),
    )
  })

  it('rests for all questions of a process', async () => {
    world.answers = {
      tavily: () => ({
        status: 429,
        headers: { 'retry-after': '900' },
        body: { error: 'Slow down' },
      }),
    }
    const app = world.app()
    await ask(searchThenRead, question, app)
    const before = world.service('tavily').requests.length
    const { answer } = await ask(searchThenRead, question, app)
    expect(world.service('tavily').requests).toHaveLength(before)
    expect(answer.gaps).toMatchObject([{ kind: 'source_unavailable', source: 'Tavily' }])
  })

  it('is told where no engine answers, and the answer is not called whole', async () => {
    const down = () => ({ status: 500, body: { error: 'down' } })
    world.answers = { tavily: down, searxng: down, duckduckgo: down }
    const { answer } = await ask(calling(['search_web', { query: 'glimmerstone' }]))
    expect(answer).toMatchObject({ status: 'unanswered', citations: [] })
    expect(answer.gaps.filter(({ kind }) => kind === 'source_unavailable')).toMatchObject([
      { source: 'Tavily' },
      { source: 'SearXNG' },
      { source: 'DuckDuckGo' },
    ])
    expect(answer.gaps).toContainEqual(expect.objectContaining({ kind: 'tool_failed' }))
  })

  it('is told of a page that is gone, once', async () => {
    world.answers = { pages: () => ({ status: 404, body: 'gone' }) }
    const { answer, requests } = await ask(
      calling(
        ['search_web', { query: 'glimmerstone' }],
        ['read_page', { result: 1 }],
        ['read_page', { result: 1 }],
      ),
    )
    expect(answer.gaps.filter(({ kind }) => kind === 'source_unavailable')).toEqual([
      expect.objectContaining({ source: world.pageUrl, detail: expect.stringContaining('404') }),
    ])
    expect(JSON.stringify(resultsOfResearcher(requests))).not.toContain(world.pageUrl)
  })
})

describe('what a model names', () => {
  it.each<[string, object, RegExp]>([
    ['a number of no result', { result: 7 }, /There is no result 7\. Results go from 1 to 1\./],
    ['no number', {}, /Give the number of a result\.|No page is named/],
    [
      'an address',
      { url: 'https://example.org/' },
      /Unrecognized key.*It takes numbers, never addresses\. Results go from 1 to 1\./s,
    ],
    ['an address as a number', { result: 'https://example.org/' }, /Results go from 1 to 1\./],
    ['a citation number of nothing', { citation: 4 }, /The number 4 does not refer to a source\./],
  ])('%s is refused with what there is', async (_what, input, refusal) => {
    const { requests } = await ask(
      calling(['search_web', { query: 'glimmerstone' }], ['read_page', input]),
    )
    expect(resultsOfResearcher(requests)[1]?.error).toMatch(refusal)
    expect(world.service('pages').requests.filter(({ url }) => url.pathname === '/')).toEqual([])
  })

  it('is refused before any search, with the word that there are none', async () => {
    const { requests } = await ask(calling(['read_page', { result: 1 }]))
    expect(resultsOfResearcher(requests)[0]?.error).toMatch(
      /There are no results yet: search first/,
    )
  })

  it('reaches no private address, whoever found it', async () => {
    const secret = world.service('crossref').origin
    const app = world.app('private', {
      webServers: {
        ...world.servers,
        allowedOrigins: world.servers.allowedOrigins.filter((origin) => origin !== secret),
      },
    })
    world.answers = { tavily: () => ({ body: hits(['Metadata', `${secret}/latest`, 'x']) }) }
    const { answer, requests } = await ask(searchThenRead, question, app)
    expect(resultsOfResearcher(requests)[1]?.error).toMatch(/could not be read/)
    expect(answer.gaps).toContainEqual(
      expect.objectContaining({
        source: `${secret}/latest`,
        detail: expect.stringContaining('blocked_address'),
      }),
    )
    expect(
      world.service('crossref').requests.filter(({ url }) => url.pathname === '/latest'),
    ).toEqual([])
  })
})

describe("the operator's own SearXNG", () => {
  it('is searched on a private address, and no page is read there', async () => {
    const { origin } = world.service('searxng')
    const { searxng: _searxng, ...baseUrls } = world.servers.baseUrls
    const allowedOrigins = world.servers.allowedOrigins.filter((one) => one !== origin)
    const app = world.app('searxng', {
      environment: { OPENAI_BASE_URL: world.modelUrl, SEARXNG_URL: origin },
      webServers: { baseUrls, allowedOrigins },
    })
    world.answers = { searxng: () => ({ body: hits(['Its settings', `${origin}/config`, 'x']) }) }
    const { answer, requests } = await ask(searchThenRead, question, app)
    expect(resultsOfResearcher(requests)[0]).toMatchObject({ engine: 'SearXNG' })
    expect(answer.gaps).toContainEqual(
      expect.objectContaining({ source: `${origin}/config`, reason: 'blocked_address' }),
    )
    const asked = world.service('searxng').requests.map(({ url }) => url.pathname)
    expect(asked).not.toContain('/config')
  })
})

describe('a page that the person names', () => {
  it('is a number to every model, and can be read without a search', async () => {
    const asked = `Does ${world.pageUrl}?utm_source=mail say at what temperature it melts?`
    const { answer, requests } = await ask(calling(['read_page', { result: 1 }]), asked)
    expect(answer).toMatchObject({ question: asked, status: 'answered' })
    expect(answer.citations[0]?.url).toContain(world.pageUrl)
    const seen = JSON.stringify(requests.map(({ body }) => body))
    expect(seen).toContain('[result 1: 127.0.0.1]')
    expect(seen).not.toContain(world.pageUrl)
  })
})
