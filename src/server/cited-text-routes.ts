import { createRoute, z } from '@hono/zod-openapi'
import { RequestError } from './request-error.ts'
import { runParams } from './run-schemas.ts'
import { type Api, errors, findVisible, json, type RunSite } from './run-site.ts'

/** In UTF-16 code units. */
const maxTextChars = 100_000

const params = runParams.extend({
  n: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .openapi({
      description: 'Its number in the answer.',
      param: { name: 'n', in: 'path' },
    }),
})

const query = z.strictObject({
  start: z.coerce.number().int().min(0).max(1e9).default(0),
  chars: z.coerce.number().int().min(1).max(maxTextChars).default(4_000),
})

const citedText = z
  .object({
    n: z.int(),
    title: z.string(),
    kind: z.string().openapi({ description: 'What was read: `pdf`, `markdown`, `html` …' }),
    url: z.string().optional(),
    start: z.int().openapi({ description: 'In UTF-16 code units, as of the evidence of claims.' }),
    text: z.string(),
    totalChars: z.int(),
  })
  .openapi('CitedText')

const read = createRoute({
  method: 'get',
  path: '/api/runs/{id}/sources/{n}',
  summary: 'Read a source that an answer cites, as it was when it was read.',
  request: { params, query },
  responses: { 200: json(citedText, 'A part of its text.'), ...errors },
})

/** Adds the route that shows what surrounds a quotation. */
export function addCitedTextRoutes(api: Api, site: RunSite): void {
  const { app, form } = site
  api.openapi(read, async (c) => {
    const { id, n } = c.req.valid('param')
    const { start, chars } = c.req.valid('query')
    const { runId } = await findVisible(site, id, c.get('principal'))
    const result = await app.recordedAnswer(runId)
    const cited =
      result !== undefined && 'citations' in result
        ? result.citations.find((source) => source.n === n)
        : undefined
    const found = cited && (await (await app.sources()).read(cited.sourceId))
    if (cited === undefined || found === undefined)
      throw new RequestError('not_found', `The text of source ${n} cannot be read any more.`)
    const { title, url } = cited
    const text = found.text.slice(start, start + chars).toWellFormed()
    const totalChars = found.text.length
    const { kind } = found.source
    const described = form.of({ n, title, kind, ...(url && { url }) })
    // The text is told as it is: offsets count its characters.
    return c.json({ ...described, start, text, totalChars }, 200)
  })
}
