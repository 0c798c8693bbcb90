import { createRoute, z } from '@hono/zod-openapi'
import { passage, source, sourceId } from './library-schemas.ts'
import { LibraryView } from './library-view.ts'
import { RequestError } from './request-error.ts'
import { type Api, errors, json, type RunSite } from './run-site.ts'

const libraryPage = z
  .object({
    sources: z.array(source),
    next: z.string().optional().openapi({ description: 'The cursor of the next page.' }),
  })
  .openapi('LibraryPage')

const foundPassages = z
  .object({ hits: z.array(z.object({ score: z.number(), source, passage })) })
  .openapi('FoundPassages')

const list = createRoute({
  method: 'get',
  path: '/api/library',
  summary:
    'List the sources of the library that all share, and your own uploads, by title. Admins see all.',
  request: {
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: sourceId.optional(),
    }),
  },
  responses: { 200: json(libraryPage, 'A page of sources.'), ...errors },
})

const search = createRoute({
  method: 'get',
  path: '/api/library/search',
  summary:
    'Find the passages of the library, with your own uploads, that best match a query, by words.',
  request: {
    query: z.strictObject({
      q: z.string().trim().min(1).max(2_000),
      limit: z.coerce.number().int().min(1).max(100).default(10),
      perSource: z.coerce.number().int().min(1).max(100).optional(),
    }),
  },
  responses: { 200: json(foundPassages, 'The passages, best first.'), ...errors },
})

/** Adds the routes that list and search the library. */
export function addLibraryRoutes(api: Api, site: RunSite): void {
  const { app, form } = site
  api.openapi(list, async (c) => {
    const { limit, cursor } = c.req.valid('query')
    const all = await new LibraryView(app, c.get('principal')).list()
    const last = cursor === undefined ? -1 : all.findIndex(({ id }) => id === cursor)
    if (cursor !== undefined && last < 0)
      throw new RequestError(
        'malformed',
        'The source of this cursor is no longer in the library.',
        'List it from the beginning.',
      )
    const sources = all.slice(last + 1, last + 1 + limit)
    const isEnd = last + 1 + limit >= all.length
    const next = isEnd ? {} : { next: sources.at(-1)?.id ?? '' }
    const body: z.infer<typeof libraryPage> = form.of({ sources, ...next })
    return c.json(body, 200)
  })
  api.openapi(search, async (c) => {
    const { q: query, limit, perSource } = c.req.valid('query')
    const view = new LibraryView(app, c.get('principal'))
    const found = await view.search({ query, limit, ...(perSource && { perSource }) })
    const hits = found.map(({ score, source, passage: { sourceId: _, ...passage } }) => ({
      score,
      source: form.of({ ...source }),
      // Texts are told as they are: offsets count their characters.
      passage: { ...passage, text: passage.text.toWellFormed() },
    }))
    const body: z.infer<typeof foundPassages> = { hits }
    return c.json(body, 200)
  })
}
