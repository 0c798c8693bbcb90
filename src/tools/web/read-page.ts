import * as z from 'zod'
import type { SourceId } from '../../citations/source.ts'
import { defineTool, type Tool } from '../../kernel/agent/tool.ts'
import type { Json } from '../../kernel/json.ts'
import type { Library } from '../../retrieval/library.ts'
import { parseVideoId } from '../../sources/lookup/youtube/video-id.ts'
import { fetchPage, type PageFailure, type WebDocument } from '../../sources/web/fetch-page.ts'
import { keepDocument, readKept } from './keep-document.ts'
import type { WebPlace } from './places.ts'
import { refuse } from './search-tools.ts'
import { nothingFound, unavailablePage } from './unavailable.ts'
import type { WebSources } from './web-sources.ts'

/** What the reading tools need from a run: its library, and what its numbers stand for. */
export interface WebScope {
  readonly web: WebSources
  readonly library: Library
  /**
   * The place of a result's number.
   * @throws `invalid_input` for an unknown number
   */
  placeOf(n: number): WebPlace
  /**
   * The source of a citation number.
   * @throws `invalid_input` for an unknown number
   */
  sourceOf(n: number): SourceId
  /** The valid results, as a sentence. */
  rangeText(): string
}

/** The number of a search result. */
export const result = z.number().int().describe('The number of a result of a search.')
/** What a reading should be about. */
export const about = z
  .string()
  .trim()
  .min(1)
  .max(400)
  .optional()
  .describe('What you want to know from it: gives the passages that say most of it.')

/** Reads a page that a search found or the user named, by its number only. */
export function readPageTool(scope: WebScope): Tool {
  return defineTool({
    name: 'read_page',
    description:
      'Reads a page or a paper under the number of a result; its passages then have a citation number. With the citation number of a source that was read, reads that again. Takes no addresses. Read on with read_source.',
    input: z.strictObject({
      result: result.optional(),
      citation: z.number().int().optional().describe('The number of a source that was read.'),
      about,
    }),
    effect: 'read',
    untrusted: 'results',
    timeoutMs: 110_000,
    async execute({ result, citation, about }, { signal }): Promise<Json> {
      if (citation !== undefined)
        return readKept(scope.library, scope.sourceOf(citation), { about })
      if (result === undefined)
        return refuse('No page is named.', `Give the number of a result. ${scope.rangeText()}`)
      const place = scope.placeOf(result)
      if (parseVideoId(place.url) !== undefined)
        return refuse('This is a video.', 'Read what is said in it with read_transcript.')
      const read = await readPlace(scope.web, place, signal)
      signal.throwIfAborted()
      if ('failures' in read) return pageFailed(read.failures)
      return keepDocument(scope.library, read.page, read.page.url, { about })
    },
  })
}

function pageFailed(failures: readonly PageFailure[]): Json {
  const error = `It could not be read: ${failures.map(({ detail }) => detail).join(' ')}`
  return nothingFound(error, 'Read another result.', failures.map(unavailablePage))
}

/** The page of a place; for a paper its full text, else its landing page. */
async function readPlace(
  { pages, clock, reader }: WebSources,
  { url, pdfUrl, csl }: WebPlace,
  signal: AbortSignal,
): Promise<{ readonly page: WebDocument } | { readonly failures: readonly PageFailure[] }> {
  const failures: PageFailure[] = []
  for (const address of new Set(pdfUrl === undefined ? [url] : [pdfUrl, url])) {
    const options = { accessedAt: clock.now(), reader, signal }
    const outcome = await fetchPage(pages, address, options)
    if (outcome.ok) return { page: withReference(outcome.page, csl) }
    failures.push(outcome.failure)
  }
  return { failures }
}

/** A paper is cited as in catalogues, not as in its file. */
function withReference(page: WebDocument, csl: WebPlace['csl']): WebDocument {
  if (csl === undefined) return page
  const { id, accessed, URL: own } = page.csl
  const reference = { ...csl, id, URL: csl.URL ?? own ?? page.url }
  return {
    ...page,
    title: csl.title ?? page.title,
    csl: accessed === undefined ? reference : { ...reference, accessed },
  }
}
