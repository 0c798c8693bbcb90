import * as z from 'zod'
import type { CslItem } from '../../../citations/source.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { LookupFailure } from '../../../sources/lookup/outcome.ts'
import type { FoundWork } from '../../../sources/lookup/papers/found-work.ts'
import type { lookupAccess } from '../../../tools/web/web-sources.ts'
import type { ToolAction } from '../action.ts'
import {
  defineToolAction,
  failedResult,
  requireService,
  type ToolActionServices,
} from './tool-action.ts'

const query = z.string().trim().min(1).max(300).optional().describe('Search terms.')
const maxResults = z
  .int()
  .min(1)
  .max(50)
  .default(5)
  .describe('Maximum number of works, 1 to 50; 5 by default.')
const timeout = z.number().min(1).max(60).default(30).describe('Seconds, 1 to 60; 30 by default.')
const result =
  '{success, results, query, total_results}, or {error, success: false, error_code}; each result with title, authors, abstract, published, doi, url'

/** Searches catalogs of scholarly works. */
export function academicActions(services: ToolActionServices): readonly ToolAction[] {
  return [arxivAction(services), crossrefAction(services)]
}

const arxivInput = z
  .strictObject({
    query,
    arxiv_id: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('An id such as 2301.00001 or 2301.00001v2.'),
    max_results: maxResults,
    sort_by: z
      .enum(['relevance', 'date'])
      .default('relevance')
      .describe('The order of the results.'),
    timeout,
  })
  .refine(
    ({ query, arxiv_id: id }) => query !== undefined || id !== undefined,
    'Give query or arxiv_id.',
  )

function arxivAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'academic.arxiv',
    description: 'Searches arXiv preprints, or reads one by its id.',
    input: arxivInput,
    effect: 'read',
    untrusted: 'results',
    timeoutMs: 90_000,
    result: `${result}, arxiv_id, categories, updated, pdf_url`,
    async execute(
      { query, arxiv_id: id, max_results: limit, sort_by: sortBy, timeout },
      { signal },
    ): Promise<Json> {
      const { readArxivPapers, searchArxiv } = await import(
        '../../../sources/lookup/papers/arxiv.ts'
      )
      const found = await withTimeout(services, timeout, signal, (access) =>
        id === undefined
          ? searchArxiv(access, {
              query: query ?? '',
              limit,
              sortBy: sortBy === 'date' ? 'submittedDate' : 'relevance',
            })
          : readArxivPapers(access, [id]),
      )
      if (found === undefined) return createTimeoutResult(timeout)
      if (!found.ok) return failLookup(found)
      const results = found.works.map((work) => ({
        ...toWork(work),
        arxiv_id: work.sourceId ?? null,
        categories: work.categories,
        updated: work.updatedAt ?? null,
      }))
      if (id !== undefined && results.length === 0)
        return { error: `arXiv has no ${id}.`, success: false, error_code: 'not_found' }
      return {
        success: true,
        results,
        query: query ?? id ?? '',
        total_results: found.total ?? results.length,
      }
    },
  })
}

function crossrefAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'academic.crossref',
    description: 'Searches works in Crossref, or reads one by its DOI.',
    input: z
      .strictObject({
        query,
        doi: z
          .string()
          .trim()
          .min(1)
          .max(300)
          .optional()
          .describe('A DOI such as 10.1038/171737a0.'),
        max_results: maxResults,
        timeout,
      })
      .refine(({ query, doi }) => query !== undefined || doi !== undefined, 'Give query or doi.'),
    effect: 'read',
    untrusted: 'results',
    timeoutMs: 90_000,
    result: `${result}, journal, citation_count`,
    async execute({ query, doi, max_results: limit, timeout }, { signal }): Promise<Json> {
      const { readCrossrefWork, searchCrossref } = await import(
        '../../../sources/lookup/papers/crossref.ts'
      )
      const found = await withTimeout(services, timeout, signal, async (access) => {
        if (doi === undefined) return searchCrossref(access, { query: query ?? '', limit })
        const read = await readCrossrefWork(access, doi)
        return read.ok ? { ok: true as const, works: [read.work], total: 1, leftOut: 0 } : read
      })
      if (found === undefined) return createTimeoutResult(timeout)
      if (!found.ok) return failLookup(found)
      const results = found.works.map((work) => ({
        ...toWork(work),
        journal: work.record.item['container-title'] ?? null,
        citation_count: work.citationCount ?? null,
      }))
      return {
        success: true,
        results,
        query: query ?? doi ?? '',
        total_results: found.total ?? results.length,
      }
    },
  })
}

/** A lookup with a time limit in seconds; `undefined` when it expires. */
async function withTimeout<Found>(
  services: ToolActionServices,
  timeoutSeconds: number,
  signal: AbortSignal,
  look: (access: ReturnType<typeof lookupAccess>) => Promise<Found>,
): Promise<Found | undefined> {
  const { lookupAccess } = await import('../../../tools/web/web-sources.ts')
  const late = AbortSignal.timeout(timeoutSeconds * 1_000)
  const found = await look(
    lookupAccess(requireService(services, 'web')(), AbortSignal.any([signal, late])),
  )
  signal.throwIfAborted()
  return late.aborted ? undefined : found
}

function createTimeoutResult(timeoutSeconds: number): JsonObject {
  return {
    error: `No answer came within ${timeoutSeconds} s.`,
    success: false,
    error_code: 'timeout',
  }
}

const errorCodes: { readonly [reason: string]: string } = {
  rate_limited: 'rate_limit',
  refused: 'empty_query',
  unreachable: 'network',
  not_found: 'not_found',
}

function failLookup({ reason, detail, hint }: LookupFailure): JsonObject {
  const { error, success } = failedResult(detail, reason)
  return {
    error,
    success,
    error_code: errorCodes[reason] ?? 'api_error',
    reason,
    hint,
  } as JsonObject
}

function toWork({ record: { item }, url, pdfUrl }: FoundWork): JsonObject {
  return {
    title: item.title ?? '',
    authors: (item.author ?? []).map(
      ({ literal, given, family }) => literal ?? [given, family].filter(Boolean).join(' '),
    ),
    abstract: item.abstract ?? '',
    published: formatDate(item),
    doi: item.DOI ?? null,
    url: url ?? null,
    pdf_url: pdfUrl ?? null,
  }
}

/** Formats a date as far as it is known: `2023-01-05`. */
function formatDate({ issued }: CslItem): string | null {
  const [parts] = issued?.['date-parts'] ?? []
  if (parts === undefined) return null
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-')
}
