import * as z from 'zod'
import { defineTool, type Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import { searchWeb } from '../../sources/lookup/search/search-web.ts'
import { lookupSources } from '../../sources/lookup/sources.ts'
import { searchWikipedia } from '../../sources/lookup/wikipedia/search-wikipedia.ts'
import type { FoundPlace } from './places.ts'
import { findUnavailable, lookupFailed, nothingFound } from './unavailable.ts'
import { configuredEngines, lookupAccess, type WebSources } from './web-sources.ts'

/** Time limit for all engines together. */
const searchTimeoutMs = 100_000

const query = z.string().trim().min(1).max(400).describe('Search terms.')
const limit = z.number().int().min(1).max(20).optional().describe('How many results; 8 by default.')

/** Searches the web with the configured engines, one after another until one has results. */
export function searchWebTool(web: WebSources): Tool {
  return defineTool({
    name: 'search_web',
    description:
      'Searches the web. Gives results under numbers, each with some of its words. A result is not a source: read it with read_page before you use it.',
    input: z.strictObject({ query, limit }),
    effect: 'read',
    untrusted: 'results',
    timeoutMs: searchTimeoutMs,
    async execute({ query, limit = 8 }, { signal }): Promise<Json> {
      const engines = configuredEngines(web)
      const found = await searchWeb(lookupAccess(web, signal), engines, { query, limit })
      signal.throwIfAborted()
      if (!found.ok) return nothingFound(found.detail, found.hint, findUnavailable(found.failures))
      const { hits, source, failures } = found
      const results = hits.map(({ title, url, snippet, publishedAt }): FoundPlace => {
        const day = publishedAt === undefined ? {} : { publishedAt }
        return { place: { url, title }, title, snippet, ...day }
      })
      return {
        query,
        ...(source === undefined ? {} : { engine: lookupSources[source].title }),
        results,
        unavailable: findUnavailable(failures) as unknown as Json,
      }
    },
  })
}

/** A Wikipedia's language code. */
export const language = z
  .string()
  .regex(/^[a-z]{2,12}(?:-[a-z0-9]{1,12}){0,3}$/)
  .optional()
  .describe('The language of the Wikipedia, such as "en" or "de"; "en" by default.')

/** Searches the articles of a Wikipedia. */
export function searchWikipediaTool(web: WebSources): Tool {
  return defineTool({
    name: 'search_wikipedia',
    description:
      'Searches the articles of Wikipedia. Gives results under numbers. A result is not a source: read it with read_wikipedia before you use it.',
    input: z.strictObject({ query, language, limit }),
    effect: 'read',
    untrusted: 'results',
    timeoutMs: searchTimeoutMs,
    async execute({ query, language = 'en', limit = 8 }, { signal }): Promise<Json> {
      const found = await searchWikipedia(lookupAccess(web, signal), { query, language, limit })
      signal.throwIfAborted()
      if (!found.ok) return lookupFailed(found)
      const results = found.hits.map(({ title, url, snippet }): FoundPlace => {
        return { place: { url, title, wikipedia: language }, title, snippet }
      })
      const { suggestion } = found
      return { query, results, ...(suggestion === undefined ? {} : { suggestion }) }
    },
  })
}

/** @throws `tool_failed` for a call of a tool that cannot be used */
export function refuse(message: string, hint: string): never {
  throw new ScholiumError('tool_failed', message, { hint })
}
