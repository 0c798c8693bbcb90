/** The sources that can be looked up, by the names that settings and failures use. */
export type LookupSourceName =
  | 'tavily'
  | 'searxng'
  | 'brave'
  | 'serper'
  | 'duckduckgo'
  | 'wikipedia'
  | 'youtube'
  | 'arxiv'
  | 'semantic-scholar'
  | 'crossref'
  | 'openalex'

/** What is known of a source before it is asked. */
export interface LookupSourceInfo {
  readonly name: LookupSourceName
  readonly title: string
  readonly kind: 'web' | 'encyclopedia' | 'video' | 'papers'
  /** Without a slash at its end; absent where the operator has to name a server. `{language}` stands for a language code. */
  readonly baseUrl?: string
  /** The environment variable with the address of the operator's own server. */
  readonly baseUrlVariable?: string
  /** The environment variable with the key; absent where there are no keys. */
  readonly keyVariable?: string
  readonly isKeyRequired: boolean
  /** How far apart requests have to be, as the source asks for it. */
  readonly intervalMs: number
  /**
   * Whether its answers as the live service gave them were read by this adapter, from recordings. Where not, it was made from
   * documentation and is to be shown as "not tried against the live service".
   */
  readonly isTriedLive: boolean
  /** What of it was not tried, where the rest was. */
  readonly untried?: string
}

/**
 * Every source, web searches in the order in which they are tried.
 * @see https://info.arxiv.org/help/api/tou.html (3 s)
 * @see https://www.semanticscholar.org/product/api (1 request a second)
 * @see https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/ (1 list a second)
 * @see https://developers.openalex.org/api-reference/authentication
 */
export const lookupSources: Readonly<Record<LookupSourceName, LookupSourceInfo>> = {
  tavily: {
    name: 'tavily',
    title: 'Tavily',
    kind: 'web',
    baseUrl: 'https://api.tavily.com',
    keyVariable: 'TAVILY_API_KEY',
    isKeyRequired: true,
    intervalMs: 0,
    isTriedLive: true,
    untried: 'its failures',
  },
  searxng: {
    name: 'searxng',
    title: 'SearXNG',
    kind: 'web',
    baseUrlVariable: 'SEARXNG_URL',
    isKeyRequired: false,
    intervalMs: 0,
    isTriedLive: false,
  },
  brave: {
    name: 'brave',
    title: 'Brave Search',
    kind: 'web',
    baseUrl: 'https://api.search.brave.com',
    keyVariable: 'BRAVE_SEARCH_API_KEY',
    isKeyRequired: true,
    intervalMs: 1_000,
    isTriedLive: false,
  },
  serper: {
    name: 'serper',
    title: 'Serper',
    kind: 'web',
    baseUrl: 'https://google.serper.dev',
    keyVariable: 'SERPER_API_KEY',
    isKeyRequired: true,
    intervalMs: 0,
    isTriedLive: false,
  },
  duckduckgo: {
    name: 'duckduckgo',
    title: 'DuckDuckGo',
    kind: 'web',
    baseUrl: 'https://html.duckduckgo.com',
    isKeyRequired: false,
    intervalMs: 2_000,
    isTriedLive: false,
  },
  wikipedia: {
    name: 'wikipedia',
    title: 'Wikipedia',
    kind: 'encyclopedia',
    baseUrl: 'https://{language}.wikipedia.org',
    isKeyRequired: false,
    intervalMs: 0,
    isTriedLive: true,
  },
  youtube: {
    name: 'youtube',
    title: 'YouTube transcripts',
    kind: 'video',
    baseUrl: 'https://www.youtube.com',
    isKeyRequired: false,
    intervalMs: 1_000,
    isTriedLive: true,
    untried:
      'a watch page with a player, videos that cannot be played, and the transcripts themselves',
  },
  arxiv: {
    name: 'arxiv',
    title: 'arXiv',
    kind: 'papers',
    baseUrl: 'https://export.arxiv.org',
    isKeyRequired: false,
    intervalMs: 3_000,
    isTriedLive: true,
  },
  'semantic-scholar': {
    name: 'semantic-scholar',
    title: 'Semantic Scholar',
    kind: 'papers',
    baseUrl: 'https://api.semanticscholar.org',
    keyVariable: 'SEMANTIC_SCHOLAR_API_KEY',
    isKeyRequired: false,
    intervalMs: 1_000,
    isTriedLive: true,
  },
  crossref: {
    name: 'crossref',
    title: 'Crossref',
    kind: 'papers',
    baseUrl: 'https://api.crossref.org',
    isKeyRequired: false,
    intervalMs: 1_000,
    isTriedLive: true,
  },
  openalex: {
    name: 'openalex',
    title: 'OpenAlex',
    kind: 'papers',
    baseUrl: 'https://api.openalex.org',
    keyVariable: 'OPENALEX_API_KEY',
    isKeyRequired: false,
    intervalMs: 100,
    isTriedLive: true,
    untried: 'its failures',
  },
}

/** The environment variables with the keys of sources. */
export const lookupKeyVariables: readonly string[] = Object.values(lookupSources).flatMap(
  ({ keyVariable }) => keyVariable ?? [],
)

/** The environment variables with the addresses of an operator's own servers. */
export const lookupAddressVariables: readonly string[] = Object.values(lookupSources).flatMap(
  ({ baseUrlVariable }) => baseUrlVariable ?? [],
)
