import type { LookupAccess } from '../access.ts'
import type { LookupFailure } from '../outcome.ts'
import type { LookupSourceName } from '../sources.ts'
import { brave } from './brave.ts'
import { duckduckgo } from './duckduckgo.ts'
import { searxng } from './searxng.ts'
import { serper } from './serper.ts'
import { tavily } from './tavily.ts'
import type { SearchHit, WebQuery, WebSearch } from './web-search.ts'

/** Every web search, in the order in which they are tried. */
export const webSearches: readonly WebSearch[] = [tavily, searxng, brave, serper, duckduckgo]

/** What a web search gave, and which engines were of no use before. */
export interface WebResults {
  readonly hits: readonly SearchHit[]
  /** The engine whose hits these are; absent where all that answered had none. */
  readonly source?: LookupSourceName
  /** Engines that answered and found nothing. */
  readonly empty: readonly LookupSourceName[]
  readonly failures: readonly LookupFailure[]
}

/** That no engine answered, and why not, one by one. */
export interface NoWebResults {
  readonly ok: false
  readonly detail: string
  readonly hint: string
  readonly failures: readonly LookupFailure[]
}

/**
 * Asks one engine after the other until one finds something. What failed before is told with the result; where every engine
 * that answered found nothing, that is the result.
 */
export async function searchWeb(
  access: LookupAccess,
  engines: readonly WebSearch[],
  query: WebQuery,
): Promise<({ readonly ok: true } & WebResults) | NoWebResults> {
  const failures: LookupFailure[] = []
  const empty: LookupSourceName[] = []
  for (const engine of query.query.trim() === '' ? [] : engines) {
    const found = await engine.search(access, query)
    if (!found.ok) failures.push(found)
    else if (found.hits.length === 0) empty.push(engine.name)
    else return { ok: true, hits: found.hits, source: engine.name, empty, failures }
  }
  if (empty.length > 0) return { ok: true, hits: [], empty, failures }
  const told = failures.map(({ source, reason, detail }) => `${source}: ${reason} (${detail})`)
  return {
    ok: false,
    detail: told.length === 0 ? 'There is no search service or no query.' : told.join('; '),
    hint:
      failures.map(({ hint }) => hint)[0] ??
      'Configure a web search, and give words to search for.',
    failures,
  }
}
