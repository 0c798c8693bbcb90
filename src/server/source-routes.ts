import { basename } from 'node:path'
import { createRoute, z } from '@hono/zod-openapi'
import type { Source } from '../citations/source.ts'
import { passage, source, sourceId } from './library-schemas.ts'
import { LibraryView } from './library-view.ts'
import { RequestError } from './request-error.ts'
import { runId } from './run-schemas.ts'
import { type Api, errors, findVisible, json, type RunSite } from './run-site.ts'
import { SourceFiles } from './source-file.ts'
import type { Principal } from './tokens.ts'

/** In UTF-16 code units. */
const maxTextChars = 100_000
const maxAroundChars = 10_000

const params = z.object({ id: sourceId })

const viewQuery = z.strictObject({
  run: runId
    .optional()
    .openapi({ description: 'A run that cites the source: whoever sees the run may read it.' }),
})

const get = createRoute({
  method: 'get',
  path: '/api/sources/{id}',
  summary:
    'Get what is known of a source of the library, or of one that a run cites. Admins see all.',
  request: { params, query: viewQuery },
  responses: { 200: json(source, 'The source.'), ...errors },
})

const passagesPage = z
  .object({
    passages: z.array(passage),
    next: z.string().optional().openapi({ description: 'The cursor of the next page.' }),
  })
  .openapi('PassagesPage')

const listPassages = createRoute({
  method: 'get',
  path: '/api/sources/{id}/passages',
  summary: 'List the passages of a source in reading order.',
  request: {
    params,
    query: viewQuery.extend({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(100).optional(),
    }),
  },
  responses: { 200: json(passagesPage, 'A page of passages.'), ...errors },
})

const textQuery = viewQuery.extend({
  start: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .openapi({ description: 'In UTF-16 code units. Default: 0.' }),
  chars: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxTextChars)
    .optional()
    .openapi({ description: 'How many code units. Default: 10,000.' }),
  passage: z
    .string()
    .regex(/^[0-9a-f]{16}:\d{1,12}-\d{1,12}$/)
    .optional()
    .openapi({ description: 'The id of a passage, instead of `start` and `chars`.' }),
  around: z.coerce
    .number()
    .int()
    .min(0)
    .max(maxAroundChars)
    .optional()
    .openapi({ description: 'Code units before and after the passage. Default: 1,000.' }),
})

const sourceText = z
  .object({
    start: z.int().openapi({ description: 'Where the text begins in the text of the source.' }),
    end: z.int(),
    totalChars: z.int(),
    text: z.string(),
  })
  .openapi('SourceText')

const readText = createRoute({
  method: 'get',
  path: '/api/sources/{id}/text',
  summary: 'Read a part of the text of a source, as it was read, or what surrounds a passage.',
  request: { params, query: textQuery },
  responses: { 200: json(sourceText, 'The text.'), ...errors },
})

const bytes = { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } as const

const getFile = createRoute({
  method: 'get',
  path: '/api/sources/{id}/file',
  summary: 'Get the file of a source, while it is the one that was read. Ranges can be asked for.',
  request: { params, query: viewQuery },
  responses: {
    200: { description: 'The file.', ...bytes },
    206: { description: 'The range that was asked for.', ...bytes },
    ...errors,
  },
})

/** Adds the routes that show a source: its passages, its text and its file. */
export function addSourceRoutes(api: Api, site: RunSite): void {
  const { app, form } = site
  api.openapi(get, async (c) => {
    const shown = await findSource(
      site,
      { ...c.req.valid('param'), ...c.req.valid('query') },
      c.get('principal'),
    )
    const body: z.infer<typeof source> = form.of({ ...shown })
    return c.json(body, 200)
  })
  api.openapi(listPassages, async (c) => {
    const { limit, cursor } = c.req.valid('query')
    const { id } = await findSource(
      site,
      { ...c.req.valid('param'), ...c.req.valid('query') },
      c.get('principal'),
    )
    const all = await (await app.sources()).passages(id)
    const last = cursor === undefined ? -1 : all.findIndex((one) => one.id === cursor)
    if (cursor !== undefined && last < 0)
      throw new RequestError('malformed', 'The source has no passage with the id of the cursor.')
    const shown = all.slice(last + 1, last + 1 + limit)
    const isEnd = last + 1 + limit >= all.length
    // Texts are told as they are: offsets count their characters.
    const body: z.infer<typeof passagesPage> = {
      passages: shown.map(({ sourceId: _, ...one }) => ({ ...one, text: one.text.toWellFormed() })),
      ...(isEnd ? {} : { next: shown.at(-1)?.id ?? '' }),
    }
    return c.json(body, 200)
  })
  api.openapi(readText, async (c) => {
    const { id } = await findSource(
      site,
      { ...c.req.valid('param'), ...c.req.valid('query') },
      c.get('principal'),
    )
    const text = (await (await app.sources()).read(id))?.text ?? ''
    const span = readSpan(c.req.valid('query'), id, text.length)
    const [start, end] = [wholeCharacter(text, span.start, -1), wholeCharacter(text, span.end, 1)]
    const shown = text.slice(start, end).toWellFormed()
    return c.json({ start, end, totalChars: text.length, text: shown }, 200)
  })
  addFileRoute(api, site)
}

function addFileRoute(api: Api, site: RunSite): void {
  const files = new SourceFiles(site.streams)
  api.openapi(getFile, async (c) => {
    const principal = c.get('principal')
    const found = await findSource(
      site,
      { ...c.req.valid('param'), ...c.req.valid('query') },
      principal,
    )
    const etag = `"${found.id}"`
    const isSame = [undefined, etag].includes(c.req.header('if-range'))
    const range = isSame ? c.req.header('range') : undefined
    const connection = c.env.outgoing
    const leave = connection && { disconnect: () => connection.destroy() }
    const given = { principal: c.get('principal'), range, ...leave }
    const { sizeBytes, span, mediaType, body } = await files.send(found, given)
    if (span === undefined) c.header('Content-Range', `bytes */${sizeBytes}`)
    if (span === undefined)
      throw new RequestError('range_not_satisfiable', `The file has ${sizeBytes} bytes.`)
    if (c.req.method === 'HEAD') await body.cancel()
    const { start, end } = span
    const isPart = end - start < sizeBytes
    return c.body(body, isPart ? 206 : 200, {
      'Accept-Ranges': 'bytes',
      'Content-Disposition': attachmentName(found.path ?? ''),
      'Content-Length': String(end - start),
      // Whatever shows the file, it may do nothing in the name of this server.
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'Content-Type': mediaType,
      ETag: etag,
      ...(isPart ? { 'Content-Range': `bytes ${start}-${end - 1}/${sizeBytes}` } : {}),
    })
  })
}

interface AskedSource {
  readonly id: string
  /** A run that cites it. */
  readonly run?: string | undefined
}

/**
 * A source that somebody may see: one of the shared library or of their own uploads, one that a run of theirs cites, or for admins
 * any that was read.
 * @throws `not_found` for any other, `run_not_found`
 */
async function findSource(
  site: RunSite,
  { id, run }: AskedSource,
  principal: Principal,
): Promise<Source> {
  const reader = await site.app.sources()
  if (run !== undefined) {
    const { runId } = await findVisible(site, run, principal)
    const cited = await reader.findCited(runId, id)
    if (cited !== undefined) return cited
    throw new RequestError('not_found', 'The run does not cite this source.')
  }
  const seen = await new LibraryView(site.app, principal).find(id)
  if (seen !== undefined) return seen
  const read = principal.role === 'admin' ? await reader.read(id) : undefined
  if (read !== undefined) return read.source
  throw new RequestError('not_found', 'There is no such source.')
}

/** What of a text is asked for, inside of it. @throws `malformed`, `not_found` for a passage that is not of this source */
function readSpan(query: z.infer<typeof textQuery>, id: string, totalChars: number) {
  const { start = 0, chars = 10_000, passage, around = 1_000 } = query
  const within = (at: number) => Math.max(0, Math.min(totalChars, at))
  if (passage === undefined) return { start: within(start), end: within(start + chars) }
  if (query.start !== undefined || query.chars !== undefined)
    throw new RequestError('malformed', 'Give either `passage`, or `start` and `chars`.')
  const [from = 0, to = 0] = passage.slice(17).split('-').map(Number)
  if (!id.startsWith(passage.slice(0, 16)) || from > to || to > totalChars)
    throw new RequestError('not_found', 'There is no such passage in this source.')
  const begin = within(from - around)
  return { start: begin, end: Math.min(within(to + around), begin + maxTextChars) }
}

/** A place in a text, moved out of the middle of a character. */
function wholeCharacter(text: string, at: number, by: -1 | 1): number {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1)) ? at + by : at
}

/** The header that has a file saved under its name. @see https://www.rfc-editor.org/rfc/rfc6266 */
function attachmentName(path: string): string {
  const name = basename(path).toWellFormed()
  const ascii = name.replaceAll(/[^\w. -]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`
}
