import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hits, type Reply, type Seen } from './services.ts'
import {
  type Call,
  calling,
  question,
  resultsOfResearcher,
  sentence,
  WebWorld,
} from './web-world.ts'

const world = new WebWorld()
beforeAll(() => world.open())
afterEach(() => world.reset())
afterAll(() => world.close())

/** Asks with a researcher that makes these calls. */
async function ask(...calls: readonly Call[]) {
  world.say({ researcher: calling(...calls) })
  const before = world.modelRequests.length
  const answer = await world.app().ask({ question, web: true })
  return { answer, results: resultsOfResearcher(world.modelRequests.slice(before)) }
}

describe('Wikipedia', () => {
  const article = `Glimmerstone is a mineral.\n\n== Properties ==\n${sentence}. It is green.\n\n== Uses ==\nIt is used in lamps.`
  const wikipedia = ({ url }: Seen): Reply =>
    url.searchParams.get('list') === 'search'
      ? { body: { query: { search: [{ title: 'Glimmerstone', snippet: 'a <b>mineral</b>' }] } } }
      : {
          body: {
            query: {
              pages: {
                7: {
                  pageid: 7,
                  title: 'Glimmerstone',
                  extract: article,
                  revisions: [{ revid: 9, timestamp: '2025-03-04T05:06:07Z' }],
                },
              },
            },
          },
        }

  it.each([
    ['by the number of a result', { result: 1, section: 'properties' }],
    ['by its title', { title: 'Glimmerstone', section: 'Properties' }],
  ])('is searched and read %s, from a section on', async (_how, input) => {
    world.answers = { wikipedia }
    const { answer, results } = await ask(
      ['search_wikipedia', { query: 'glimmerstone' }],
      ['read_wikipedia', input],
    )
    expect(results[0]?.results).toMatchObject([
      { result: 1, title: 'Glimmerstone', snippet: 'a mineral' },
    ])
    expect(results[1]?.text).toMatch(
      /^\[1\] Glimmerstone\n\n<passage [^>]*>\n[^<]*Properties[\s\S]*<passage [^>]*>\n[^<]*Uses/,
    )
    expect(results[1]?.text).toContain('{"sections":["Properties","Uses"]}')
    expect(answer).toMatchObject({
      status: 'answered',
      citations: [
        {
          url: `${world.service('wikipedia').origin}/wiki/Glimmerstone`,
          csl: {
            type: 'entry-encyclopedia',
            'container-title': 'Wikipedia',
            issued: { 'date-parts': [[2025, 3, 4]] },
          },
        },
      ],
      claims: [{ verdict: 'verbatim', evidence: [{ section: 'Properties' }] }],
    })
  })

  it('gives the headings where a section is asked for that there is not', async () => {
    world.answers = { wikipedia }
    const { results } = await ask(['read_wikipedia', { title: 'Glimmerstone', section: 'History' }])
    expect(results[0]?.error).toBe('There is no section "History".\nSections: Properties, Uses.')
  })

  it('has no such article, which is no gap of the source', async () => {
    world.answers = {
      wikipedia: () => ({ body: { query: { pages: { '-1': { title: 'X', missing: '' } } } } }),
    }
    const { answer, results } = await ask(['read_wikipedia', { title: 'X' }])
    expect(results[0]?.error).toMatch(/has no article "X"/)
    expect(answer.gaps.map(({ kind }) => kind)).toEqual(['no_evidence'])
  })
})

describe('a video', () => {
  const address = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
  const found = { tavily: () => ({ body: hits(['A talk', address, 'Ada Quill talks.']) }) }
  const player = {
    playabilityStatus: { status: 'OK' },
    videoDetails: {
      videoId: 'dQw4w9WgXcQ',
      title: 'A talk',
      author: 'Ada Quill',
      lengthSeconds: '65',
    },
    captions: {
      playerCaptionsTracklistRenderer: {
        captionTracks: [{ languageCode: 'en', baseUrl: '/api/timedtext?v=dQw4w9WgXcQ&lang=en' }],
      },
    },
  }
  const youtube = ({ url }: Seen): Reply => {
    if (url.pathname === '/watch')
      return { body: `<script>ytInitialPlayerResponse = ${JSON.stringify(player)}</script>` }
    if (url.pathname === '/api/timedtext')
      return { body: { events: [{ tStartMs: 0, segs: [{ utf8: `${sentence}.` }] }] } }
    return { body: player }
  }
  const searchThenListen = [
    ['search_web', { query: 'talk on glimmerstone' }],
    ['read_transcript', { result: 1 }],
  ] as const

  it('that a search found is read as what is said in it, with title, channel and length', async () => {
    world.answers = { ...found, youtube }
    const { answer, results } = await ask(...searchThenListen)
    expect(results[1]?.passages).toMatchObject([{ title: 'A talk' }])
    expect(results[1]?.text).toContain('"channel":"Ada Quill"')
    expect(results[1]?.text).toContain('"durationSeconds":65')
    expect(answer).toMatchObject({
      status: 'answered',
      citations: [{ title: 'A talk', url: address, csl: { author: [{ literal: 'Ada Quill' }] } }],
    })
  })

  it.each<[string, string, () => Reply]>([
    [
      'consent_required',
      'YouTube transcripts',
      () => ({
        body: '<form action="https://consent.youtube.com/save">Before you continue</form>',
      }),
    ],
    ['blocked', 'YouTube transcripts', () => ({ body: '<div class="g-recaptcha"></div>' })],
    [
      'transcripts_disabled',
      address,
      () => ({
        body: `<script>ytInitialPlayerResponse = ${JSON.stringify({ ...player, captions: {} })}</script>`,
      }),
    ],
  ])('that cannot be read is a gap with its reason: %s', async (reason, source, watchPage) => {
    const disabled = { ...player, captions: {} }
    world.answers = {
      ...found,
      youtube: ({ url }) => {
        if (url.pathname === '/watch') return watchPage()
        return reason === 'transcripts_disabled' ? { body: disabled } : { status: 403, body: {} }
      },
    }
    const { answer } = await ask(...searchThenListen)
    expect(answer.gaps).toContainEqual({
      kind: 'source_unavailable',
      source,
      reason,
      detail: expect.stringContaining(`(${reason})`),
    })
  })

  it('is not read as a page, and a page not as a video', async () => {
    world.answers = {
      tavily: () => ({ body: hits(['A talk', address, ''], ['A page', world.pageUrl, '']) }),
    }
    const { results } = await ask(
      ['search_web', { query: 'x' }],
      ['read_page', { result: 1 }],
      ['read_transcript', { result: 2 }],
      ['read_wikipedia', { result: 2 }],
    )
    expect(results.slice(1).map(({ error }) => error?.split('\n')[0])).toEqual([
      'This is a video.',
      'This is not a YouTube video.',
      'This is not a Wikipedia article.',
    ])
  })
})

describe('papers', () => {
  const title = 'On the melting of glimmerstone'
  const works = {
    'semantic-scholar': () => ({
      body: {
        total: 1,
        data: [
          {
            paperId: 'p1',
            title,
            year: 2019,
            authors: [{ name: 'Ada Quill' }],
            externalIds: { DOI: '10.1000/glim' },
            openAccessPdf: { url: `${world.service('pages').origin}/paper` },
            citationCount: 12,
          },
        ],
      },
    }),
    crossref: () => ({
      body: {
        message: {
          items: [
            {
              DOI: '10.1000/GLIM',
              type: 'journal-article',
              title: [title],
              author: [{ family: 'Quill', given: 'Ada' }],
              'container-title': ['Stones'],
              issued: { 'date-parts': [[2019]] },
            },
          ],
        },
      },
    }),
  }

  it('that several sources know are one result, read where its text is free, cited as the catalogues know it', async () => {
    world.answers = works
    const { answer, results } = await ask(
      ['search_papers', { query: 'glimmerstone melting' }],
      ['read_page', { result: 1, about: 'melts' }],
    )
    expect(results[0]?.results).toMatchObject([
      {
        result: 1,
        title,
        year: 2019,
        sources: ['semantic-scholar', 'crossref'],
        citationCount: 12,
      },
    ])
    expect(answer).toMatchObject({
      status: 'answered',
      citations: [
        {
          title,
          csl: { DOI: '10.1000/glim', 'container-title': 'Stones', author: [{ family: 'Quill' }] },
        },
      ],
    })
    // arXiv and OpenAlex know of nothing here: they answer with another status, and are named.
    expect(answer.gaps.filter(({ kind }) => kind === 'source_unavailable')).toEqual([])
  })

  it('of which the free text is gone are read where they are described', async () => {
    world.answers = {
      ...works,
      'semantic-scholar': () => {
        const [paper] = works['semantic-scholar']().body.data
        const data = [{ ...paper, url: world.pageUrl, externalIds: {} }]
        return { body: { total: 1, data } }
      },
      pages: ({ url }) =>
        url.pathname === '/paper'
          ? { status: 403, body: 'no' }
          : { body: `<!doctype html><title>x</title><article><p>${sentence}.</p></article>` },
    }
    const { answer } = await ask(
      ['search_papers', { query: 'glimmerstone melting' }],
      ['read_page', { result: 1 }],
    )
    expect(answer).toMatchObject({ status: 'answered', citations: [{ url: world.pageUrl, title }] })
  })
})

describe('a researcher whose result is rejected', () => {
  it('still has the results that it found, under their numbers', async () => {
    const read = calling(['search_web', { query: 'x' }], ['read_page', { result: 1 }])
    const nothing = { json: { result: 'The sources do not say.' } }
    let hasGivenUp = false
    let rejections = 0
    world.say({
      researcher: (seen, call) => {
        const reply = read(seen, call)
        const isRead = 'toolCalls' in reply && JSON.stringify(reply.toolCalls).includes('read_page')
        if (!isRead || hasGivenUp) return reply
        hasGivenUp = true
        return nothing
      },
      critic_researcher: () => {
        const isFirst = rejections++ === 0
        return { json: { decision: isFirst ? 'reject' : 'approve', feedback: 'Read it.' } }
      },
    })
    const before = world.service('tavily').requests.length
    const answer = await world.app().ask({ question, web: true, depth: 'thorough' })
    expect(answer).toMatchObject({ status: 'answered', retries: { researcher: 1 } })
    expect(world.service('tavily').requests).toHaveLength(before + 1)
  })
})
