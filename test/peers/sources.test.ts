/* What people report of research agents: pages that fill the context, sources that are down and nobody says so. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findRole, type ModelRequestSeen } from '../../src/testing/index.ts'
import { hits, pageOf, type Reply } from '../web/services.ts'
import { calling, question, resultsOfResearcher, sentence, WebWorld } from '../web/web-world.ts'
import { pdfOf } from './pdf-of.ts'

const world = new WebWorld()
beforeAll(() => world.open())
afterEach(() => world.reset())
afterAll(() => world.close())

const down = (): Reply => ({ status: 500, body: { error: 'down' } })
const slowDown = (): Reply => ({
  status: 429,
  headers: { 'retry-after': '900' },
  body: { error: 'Slow down' },
})
const searchThenRead = calling(
  ['search_web', { query: 'glimmerstone' }],
  ['read_page', { result: 1, about: 'At what temperature does glimmerstone melt?' }],
)

/** The size of the largest request that the models got. */
const largestBytes = (requests: readonly ModelRequestSeen[]) =>
  Math.max(...requests.map(({ body }) => Buffer.byteLength(JSON.stringify(body))))

/** Asks with the web on; the outcome, and what the models were sent. */
async function ask(
  researcher: ReturnType<typeof calling>,
  steps = ['What is glimmerstone?'],
  sequential = false,
) {
  const needs = steps.map(() => [])
  world.say({
    planner: { json: { research_steps: steps, needs, expert_steps: ['Answer.'] } },
    researcher,
  })
  const before = world.modelRequests.length
  const answer = await world.app().ask({ question, web: true, sequential, depth: 'thorough' })
  return { answer, requests: world.modelRequests.slice(before) }
}

describe('“one long page and the context overflows” (row 9)', () => {
  const filler =
    'The harbour of Harrowmere was built of grey rock, and its boats went out for herring. '
  const paragraphs = Array.from({ length: 2_400 }, (_, index) =>
    index === 1_700 ? `${sentence}.` : `${index}. ${filler.repeat(10)}`,
  )

  it.each<[string, () => Reply]>([
    ['page', () => ({ body: pageOf('Glimmerstone', ...paragraphs) })],
    [
      'PDF',
      () => ({
        headers: { 'content-type': 'application/pdf' },
        body: pdfOf(paragraphs),
      }),
    ],
  ])(
    'shows a model numbered passages of a %s of 2 MB, a few kilobytes in each request',
    async (_kind, page) => {
      const { body } = page()
      expect(String(body).length).toBeGreaterThan(2_000_000)
      world.answers = { pages: page }
      const { answer, requests } = await ask(searchThenRead)
      expect(largestBytes(requests)).toBeLessThan(24_000)
      const shown = resultsOfResearcher(requests)[1]?.passages ?? []
      expect(shown.some(({ n, text }) => n === 1 && text.includes(sentence))).toBe(true)
      expect(answer).toMatchObject({
        status: 'answered',
        citations: [{ n: 1, url: world.pageUrl }],
        claims: [{ verdict: 'verbatim' }],
      })
    },
  )

  it('asks no model for more than 100 kB at once where it reads on and on, ten times over', async () => {
    world.answers = { pages: () => ({ body: pageOf('Glimmerstone', ...paragraphs) }) }
    const readOn = Array.from({ length: 8 }, (_, index) => {
      return ['read_source', { citation: 1, after: 1_000 * index }] as const
    })
    const { requests } = await ask(
      calling(['search_web', { query: 'glimmerstone' }], ['read_page', { result: 1 }], ...readOn),
    )
    expect(resultsOfResearcher(requests).length).toBeGreaterThan(8)
    expect(largestBytes(requests)).toBeLessThan(100_000)
  })
})

describe('“a source was down, and the report says nothing of it” (row 10)', () => {
  const steps = ['One?', 'Two?', 'Three?', 'Four?']
  const asked = (name: Parameters<typeof world.service>[0]) => world.service(name).requests.length

  it.each([
    ['no second agent asks it again', true, 1],
    ['of agents at once none that comes later asks it again', false, 2],
  ])(
    'names a search that is too busy, asks the next one, and %s',
    async (_what, sequential, most) => {
      world.answers = { tavily: slowDown }
      const [tavily, searxng] = [asked('tavily'), asked('searxng')]
      const { answer, requests } = await ask(searchThenRead, steps, sequential)
      expect(requests.filter((seen) => findRole(seen) === 'critic_researcher')).toHaveLength(4)
      expect(asked('searxng') - searxng).toBe(4)
      expect(asked('tavily') - tavily).toBeGreaterThan(0)
      expect(asked('tavily') - tavily).toBeLessThanOrEqual(most)
      expect(answer).toMatchObject({ status: 'answered', citations: [{ url: world.pageUrl }] })
      expect(answer.gaps).toMatchObject([
        { kind: 'source_unavailable', source: 'Tavily', reason: 'rate_limited' },
      ])
    },
  )

  it('names a video behind a page of consent, once for all agents, and says what it answers without it', async () => {
    const video = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
    const consent = '<form action="https://consent.youtube.com/save">Before you continue</form>'
    world.answers = {
      tavily: () => ({ body: hits(['A talk', video, 'Talks.'], ['A page', world.pageUrl, 'x']) }),
      youtube: ({ url }) =>
        url.pathname === '/watch' ? { body: consent } : { status: 403, body: {} },
    }
    const { answer } = await ask(
      calling(
        ['search_web', { query: 'glimmerstone' }],
        ['read_transcript', { result: 1 }],
        ['read_page', { result: 2 }],
      ),
      steps,
    )
    expect(answer).toMatchObject({ status: 'answered', citations: [{ url: world.pageUrl }] })
    expect(answer.gaps).toEqual([
      {
        kind: 'source_unavailable',
        source: 'YouTube transcripts',
        reason: 'consent_required',
        detail: expect.stringContaining('(consent_required)'),
      },
    ])
  })

  it('names every search where all are down, and answers nothing rather than something', async () => {
    world.answers = {
      tavily: down,
      searxng: slowDown,
      duckduckgo: () => ({ status: 403, body: 'No.' }),
    }
    const { answer } = await ask(calling(['search_web', { query: 'glimmerstone' }]))
    expect(answer).toMatchObject({ status: 'unanswered', stopReason: 'no_evidence', citations: [] })
    const missing = answer.gaps.filter(({ kind }) => kind === 'source_unavailable')
    expect(missing.map(({ source, reason }) => [source, reason])).toEqual([
      ['Tavily', 'server_error'],
      ['SearXNG', 'rate_limited'],
      ['DuckDuckGo', 'blocked'],
    ])
  })

  it('names a catalogue of papers that is too busy, and finds the paper in another one', async () => {
    const paper = {
      paperId: 'p1',
      title: 'On the melting of glimmerstone',
      year: 2019,
      authors: [{ name: 'Ada Quill' }],
      openAccessPdf: { url: world.pageUrl },
    }
    world.answers = {
      arxiv: slowDown,
      openalex: down,
      'semantic-scholar': () => ({ body: { total: 1, data: [paper] } }),
    }
    const papers = calling(
      ['search_papers', { query: 'glimmerstone' }],
      ['read_page', { result: 1 }],
    )
    const { answer } = await ask(papers)
    expect(answer).toMatchObject({ status: 'answered', citations: [{ url: world.pageUrl }] })
    const missing = answer.gaps.map(({ kind, source, reason }) => [kind, source, reason])
    expect(missing).toEqual([
      ['source_unavailable', 'arXiv', 'rate_limited'],
      ['source_unavailable', 'OpenAlex', 'server_error'],
    ])
  })
})
