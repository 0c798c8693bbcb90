import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import { ignoredParam, refusedParam, type ToolAction } from '../action.ts'
import { failFetch } from './http-actions.ts'
import {
  defineToolAction,
  failedResult,
  requireService,
  type ToolActionServices,
} from './tool-action.ts'

const maxCharacters = 200_000
const noBrowser = 'pages are read without a browser'
const ownEngines = 'search engines are configured by the operator'

/** Searches the web and reads its pages. */
export function webActions(services: ToolActionServices): readonly ToolAction[] {
  return [scrapeAction(services), searchAction(services)]
}

const scrapeInput = z.strictObject({
  url: z.string().min(1).max(8_000).describe('An http or https address on the public web.'),
  formats: z
    .array(z.enum(['markdown', 'text', 'html', 'links', 'screenshot', 'extract']))
    .default(['markdown'])
    .describe(
      'The wanted formats. The text is returned as markdown; other formats are listed in missing_formats.',
    ),
  only_main_content: ignoredParam('menus and advertisements are always removed'),
  timeout: z
    .number()
    .min(1)
    .max(100_000)
    .default(30_000)
    .describe('Milliseconds for the fetch, at most 100,000; 30,000 by default.'),
  wait_for: ignoredParam(noBrowser),
  mobile: ignoredParam(noBrowser),
  include_tags: ignoredParam('the main text is found without it'),
  exclude_tags: ignoredParam('the main text is found without it'),
  actions: refusedParam('it would need a browser'),
  extract_schema: refusedParam('use llm.call with a response_format on the markdown'),
  extract_prompt: refusedParam('use llm.call on the markdown'),
})

function scrapeAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'web.scrape',
    description:
      'Reads the main text of a public web page, PDF or text, without menus and advertisements.',
    input: scrapeInput,
    effect: 'read',
    untrusted: 'results',
    reaches: ({ url }) => ({ address: url, saysMore: false }),
    timeoutMs: 120_000,
    result:
      '{success, url, markdown, truncated, metadata: {title, author, language, published}, missing_formats (if others were requested)}, or {error, success: false, error_type}; at most 200,000 characters',
    async execute({ url, timeout, formats }, { signal }): Promise<Json> {
      const { pages, clock, reader } = requireService(services, 'web')()
      const asked = { accessedAt: clock.now(), reader, signal, timeoutMs: timeout }
      const { fetchPage } = await import('../../../sources/web/fetch-page.ts')
      const outcome = await fetchPage(pages, url, asked)
      signal.throwIfAborted()
      if (!outcome.ok) return failFetch(outcome.failure)
      const { title, text, csl, url: found } = outcome.page
      const missing = formats.filter((format) => format !== 'markdown' && format !== 'text')
      const authors = (csl.author ?? []).map(
        ({ literal, given, family }) => literal ?? [given, family].filter(Boolean).join(' '),
      )
      return {
        success: true,
        url: found,
        markdown: text.slice(0, maxCharacters),
        truncated: text.length > maxCharacters,
        ...(missing.length === 0 ? {} : { missing_formats: missing }),
        metadata: {
          title,
          ...(authors.length === 0 ? {} : { author: authors.join(', ') }),
          ...(csl.language === undefined ? {} : { language: csl.language }),
          ...(csl.issued === undefined ? {} : { published: csl.issued }),
        },
      }
    },
  })
}

function searchAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'web.search',
    description:
      'Searches the web with the configured engines, one after the other until one finds something.',
    input: z.strictObject({
      query: z.string().trim().min(1).max(400).describe('Search terms.'),
      num_results: z
        .int()
        .min(1)
        .max(20)
        .default(10)
        .describe('Maximum number of results, 1 to 20; 10 by default.'),
      model: ignoredParam(ownEngines),
      timeout: ignoredParam(ownEngines),
    }),
    effect: 'read',
    untrusted: 'results',
    timeoutMs: 100_000,
    result:
      '{success, results: [{title, url, snippet, position, published}], query, total_results}, or {error, success: false, error_type}. No model answers the question',
    async execute({ query, num_results: limit }, { signal }): Promise<Json> {
      const web = requireService(services, 'web')()
      const { searchWeb } = await import('../../../sources/lookup/search/search-web.ts')
      const { findUnavailable } = await import('../../../tools/web/unavailable.ts')
      const { configuredEngines, lookupAccess } = await import('../../../tools/web/web-sources.ts')
      const found = await searchWeb(lookupAccess(web, signal), configuredEngines(web), {
        query,
        limit,
      })
      signal.throwIfAborted()
      const unavailable = findUnavailable(found.failures)
      if (!found.ok)
        return failedResult(found.detail, 'search_failed', { hint: found.hint, unavailable })
      const results = found.hits.map(({ title, url, snippet, publishedAt }, index) => ({
        title,
        url,
        snippet,
        position: index + 1,
        ...(publishedAt === undefined ? {} : { published: publishedAt }),
      }))
      return { success: true, results, query, total_results: results.length, unavailable }
    },
  })
}
