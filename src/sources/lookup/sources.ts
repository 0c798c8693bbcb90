/** The services for look-ups, by their names in settings and failures. */
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

/** A service's description. */
export interface LookupSourceInfo {
  readonly name: LookupSourceName
  readonly title: string
  readonly kind: 'web' | 'encyclopedia' | 'video' | 'papers'
  /** Without a trailing slash; absent if the operator must name a server. `{language}` stands for a language code. */
  readonly baseUrl?: string
  /** The environment variable with the operator's own server. */
  readonly baseUrlVariable?: string
  /** The environment variable with the key; absent if there are no keys. */
  readonly keyVariable?: string
  readonly isKeyRequired: boolean
  /** Minimum interval between requests that the service asks for. */
  readonly intervalMs: number
  /**
   * Whether the adapter was tested with recorded responses of the live service. If not, it was written from
   * documentation and is shown as "not tried against the live service".
   */
  readonly isTriedLive: boolean
  /** What was not tried, if the rest was. */
  readonly untried?: string
}

/**
 * All services; web searches in the order in which they are tried.
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
    untried: 'watch pages with a player, unplayable videos and the transcripts themselves',
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

/** The environment variables with services' keys. */
export const lookupKeyVariables: readonly string[] = Object.values(lookupSources).flatMap(
  ({ keyVariable }) => keyVariable ?? [],
)

/** The environment variables with the operator's own servers. */
export const lookupAddressVariables: readonly string[] = Object.values(lookupSources).flatMap(
  ({ baseUrlVariable }) => baseUrlVariable ?? [],
)
