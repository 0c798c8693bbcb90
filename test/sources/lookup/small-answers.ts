import type { LookupAccess } from '../../../src/sources/lookup/access.ts'
import type { Lookup } from '../../../src/sources/lookup/outcome.ts'
import { searchArxiv } from '../../../src/sources/lookup/papers/arxiv.ts'
import { searchCrossref } from '../../../src/sources/lookup/papers/crossref.ts'
import { searchOpenAlex } from '../../../src/sources/lookup/papers/openalex.ts'
import { searchSemanticScholar } from '../../../src/sources/lookup/papers/semantic-scholar.ts'
import { webSearches } from '../../../src/sources/lookup/search/search-web.ts'
import type { LookupSourceName } from '../../../src/sources/lookup/sources.ts'
import { searchWikipedia } from '../../../src/sources/lookup/wikipedia/search-wikipedia.ts'
import { readTranscript } from '../../../src/sources/lookup/youtube/read-transcript.ts'

type Ask = (access: LookupAccess) => Promise<Lookup<object>>

/** A question for each source. */
export const questions: Readonly<Record<LookupSourceName, Ask>> = {
  tavily: (access) => engine('tavily', access),
  searxng: (access) => engine('searxng', access),
  brave: (access) => engine('brave', access),
  serper: (access) => engine('serper', access),
  duckduckgo: (access) => engine('duckduckgo', access),
  wikipedia: (access) => searchWikipedia(access, { query: 'varnel' }),
  youtube: (access) => readTranscript(access, { video: 'dQw4w9WgXcQ' }),
  arxiv: (access) => searchArxiv(access, { query: 'varnel' }),
  'semantic-scholar': (access) => searchSemanticScholar(access, { query: 'varnel' }),
  crossref: (access) => searchCrossref(access, { query: 'varnel' }),
  openalex: (access) => searchOpenAlex(access, { query: 'varnel' }),
}

function engine(name: LookupSourceName, access: LookupAccess): Promise<Lookup<object>> {
  const found = webSearches.find((one) => one.name === name)
  if (found === undefined) throw new Error(name)
  return found.search(access, { query: 'varnel' })
}

/** Keys that no service knows. */
export const keys = {
  TAVILY_API_KEY: 'no-key',
  BRAVE_SEARCH_API_KEY: 'no-key',
  SERPER_API_KEY: 'no-key',
}

const page = { title: 'On varnels', url: 'https://a.test/' }
const video = {
  playabilityStatus: { status: 'OK' },
  videoDetails: { videoId: 'dQw4w9WgXcQ', title: 'On varnels' },
  captions: {
    playerCaptionsTracklistRenderer: {
      captionTracks: [{ languageCode: 'en', baseUrl: '/api/timedtext?v=dQw4w9WgXcQ&lang=en' }],
    },
  },
}

/** What a source answers to its question, the last answer for the last request. */
export const smallAnswers: Readonly<Record<LookupSourceName, readonly string[]>> = {
  tavily: [JSON.stringify({ results: [{ ...page, content: 'They sing.' }] })],
  searxng: [JSON.stringify({ results: [{ ...page, content: 'They sing.' }] })],
  brave: [JSON.stringify({ web: { results: [{ ...page, description: 'They sing.' }] } })],
  serper: [JSON.stringify({ organic: [{ title: page.title, link: page.url }] })],
  duckduckgo: [
    `<html><body><div class="result"><a class="result__a" href="${page.url}">On varnels</a></div></body></html>`,
  ],
  wikipedia: [JSON.stringify({ query: { search: [{ title: 'Varnel', snippet: 'They sing.' }] } })],
  youtube: [
    `<script>ytInitialPlayerResponse = ${JSON.stringify(video)}</script>`,
    JSON.stringify(video),
    JSON.stringify({ events: [{ tStartMs: 0, segs: [{ utf8: 'They sing.' }] }] }),
  ],
  arxiv: [
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2301.00001v1</id><title>On varnels</title></entry></feed>',
  ],
  'semantic-scholar': [JSON.stringify({ total: 1, data: [{ paperId: 'a', title: 'On varnels' }] })],
  crossref: [JSON.stringify({ message: { items: [{ DOI: '10.1000/var' }] } })],
  openalex: [JSON.stringify({ results: [{ id: 'https://openalex.org/W1', title: 'On varnels' }] })],
}
