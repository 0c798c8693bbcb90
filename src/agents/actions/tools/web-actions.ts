import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import { refusedParam, type ToolAction, unusedParam } from '../action.ts'
import { fetchFailed } from './http-actions.ts'
import { needed, notDone, type ToolActionServices, toolAction } from './tool-action.ts'

const maxCharacters = 200_000
const noBrowser = 'pages are read without a browser'
const ownEngines = 'the engines are those that the operator has set up'

/** Searches the web and reads pages of it. */
export function webActions(services: ToolActionServices): readonly ToolAction[] {
  return [scrapeAction(services), searchAction(services)]
}

const scrapeInput = z.strictObject({
  url: z.string().min(1).max(8_000).describe('An http or https address of the public web.'),
  formats: z
    .array(z.enum(['markdown', 'text', 'html', 'links', 'screenshot', 'extract']))
    .default(['markdown'])
    .describe(
      'What is wanted of the page. Its text is given as markdown; other forms are named in missing_formats.',
    ),
  only_main_content: unusedParam('menus and advertisements are always left out'),
  timeout: z
    .number()
    .min(1)
    .max(100_000)
    .default(30_000)
    .describe('Milliseconds for the fetch, at most 100,000; 30,000 by default.'),
  wait_for: unusedParam(noBrowser),
  mobile: unusedParam(noBrowser),
  include_tags: unusedParam('the main text is found without'),
  exclude_tags: unusedParam('the main text is found without'),
  actions: refusedParam('it would need a browser'),
  extract_schema: refusedParam('use llm.call with a response_format on the markdown'),
  extract_prompt: refusedParam('use llm.call on the markdown'),
})

function scrapeAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'web.scrape',
    description:
      'Reads a page, a PDF or a text of the public web: its main text without menus and advertisements.',
    input: scrapeInput,
    effect: 'read',
    untrusted: 'results',
    reaches: ({ url }) => ({ address: url, saysMore: false }),
    timeoutMs: 120_000,
    result:
      '{success, url, markdown, truncated, metadata: {title, author, language, published}, missing_formats (where others are wanted)}, or {error, success: false, error_type}; at most 200,000 characters',
    async execute({ url, timeout, formats }, { signal }): Promise<Json> {
      const { pages, clock, reader } = needed(services, 'web')()
      const asked = { accessedAt: clock.now(), reader, signal, timeoutMs: timeout }
      const { fetchPage } = await import('../../../sources/web/fetch-page.ts')
      const outcome = await fetchPage(pages, url, asked)
      signal.throwIfAborted()
      if (!outcome.ok) return fetchFailed(outcome.failure)
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
          ...(csl.issued === undefined ? {} : { published: csl.issued as unknown as Json }),
        },
      }
    },
  })
}

function searchAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'web.search',
    description:
      'Searches the web with the engines that the operator has set up, one after the other until one finds something.',
    input: z.strictObject({
      query: z.string().trim().min(1).max(400).describe('What to look for, in a few words.'),
      num_results: z
        .int()
        .min(1)
        .max(20)
        .default(10)
        .describe('How many results, 1 to 20; 10 by default.'),
      model: unusedParam(ownEngines),
      timeout: unusedParam(ownEngines),
    }),
    effect: 'read',
    untrusted: 'results',
    timeoutMs: 100_000,
    result:
      '{success, results: [{title, url, snippet, position, published}], query, total_results}, or {error, success: false, error_type}. No model answers the question',
    async execute({ query, num_results: limit }, { signal }): Promise<Json> {
      const web = needed(services, 'web')()
      const { searchWeb } = await import('../../../sources/lookup/search/search-web.ts')
      const { findUnavailable } = await import('../../../tools/web/unavailable.ts')
      const { configuredEngines, lookupAccess } = await import('../../../tools/web/web-sources.ts')
      const found = await searchWeb(lookupAccess(web, signal), configuredEngines(web), {
        query,
        limit,
      })
      signal.throwIfAborted()
      const unavailable = findUnavailable(found.failures) as unknown as Json
      if (!found.ok)
        return notDone(found.detail, 'search_failed', { hint: found.hint, unavailable })
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
