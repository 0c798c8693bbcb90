import type { LookupAccess } from '../access.ts'
import type { LookupFailure } from '../outcome.ts'
import type { LookupSourceName } from '../sources.ts'
import { brave } from './brave.ts'
import { duckduckgo } from './duckduckgo.ts'
import { searxng } from './searxng.ts'
import { serper } from './serper.ts'
import { tavily } from './tavily.ts'
import type { SearchHit, WebQuery, WebSearch } from './web-search.ts'

/** All web search engines, in the order in which they are tried. */
export const webSearches: readonly WebSearch[] = [tavily, searxng, brave, serper, duckduckgo]

/** The results of a web search, and the engines that failed before. */
export interface WebResults {
  readonly hits: readonly SearchHit[]
  /** The engine with these hits; absent if all engines that answered had none. */
  readonly source?: LookupSourceName
  /** Engines that answered without hits. */
  readonly empty: readonly LookupSourceName[]
  readonly failures: readonly LookupFailure[]
}

/** Every engine failed, each with its reason. */
export interface NoWebResults {
  readonly ok: false
  readonly detail: string
  readonly hint: string
  readonly failures: readonly LookupFailure[]
}

/**
 * Tries one engine after another until one has hits. Earlier failures are part of the result; if all engines that
 * answered had no hits, the result is empty.
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
