import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createRoute, type z } from '@hono/zod-openapi'
import { type PapersForm, type RunResult, renderAnswerAs, renderPapersAs } from '../app.ts'
import { exportTraces } from '../observe/export-traces.ts'
import { placesOf } from './recorded-run.ts'
import { RequestError } from './request-error.ts'
import {
  diffQuery,
  referencesQuery,
  reportQuery,
  runDiff,
  runGraph,
  runParams,
  traceQuery,
} from './run-schemas.ts'
import { type Api, errors, findVisible, json, type RunSite } from './run-site.ts'

const types = {
  bibtex: 'application/x-bibtex',
  csl: 'application/vnd.citationstyles.csl+json',
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  markdown: 'text/markdown; charset=utf-8',
  ris: 'application/x-research-info-systems',
  text: 'text/plain; charset=utf-8',
  zip: 'application/zip',
} as const

const file = <Query extends z.ZodObject>(name: string, summary: string, query: Query) =>
  ({
    method: 'get',
    path: `/api/runs/{id}/${name}`,
    summary,
    request: { params: runParams, query },
    responses: {
      200: { description: 'The file.', content: { '*/*': { schema: { type: 'string' } } } },
      ...errors,
    },
  }) as const

const report = createRoute(
  file(
    'report',
    'An answer as a self-contained page or as Markdown; a review of papers also as a table.',
    reportQuery,
  ),
)

const references = createRoute(
  file('references', 'The references of an answer, in a style or as data.', referencesQuery),
)

const trace = createRoute(
  file('trace', 'Where a run spent time and money: its spans, or one line.', traceQuery),
)

const bundle = createRoute({
  method: 'get',
  path: '/api/runs/{id}/bundle',
  summary: 'A run with all its sources in one file, which `scholium verify` checks.',
  request: { params: runParams },
  responses: {
    200: { description: 'The bundle.', content: { [types.zip]: { schema: { type: 'string' } } } },
    ...errors,
  },
})

const diff = createRoute({
  method: 'get',
  path: '/api/runs/{id}/diff',
  summary: 'Compare the answers of two runs, claim by claim.',
  request: { params: runParams, query: diffQuery },
  responses: { 200: json(runDiff, 'What differs.'), ...errors },
})

const graph = createRoute({
  method: 'get',
  path: '/api/runs/{id}/graph',
  summary: "A run's graph, and the way that it took.",
  request: { params: runParams },
  responses: { 200: json(runGraph, 'The graph.'), ...errors },
})

/** Adds the routes of what a run came to, as files. */
export function addFileRoutes(api: Api, site: RunSite): void {
  const { app } = site
  api.openapi(report, async (c) => {
    const { runId } = await findVisible(site, c.req.valid('param').id, c.get('principal'))
    const { format } = c.req.valid('query')
    const result = await app.recordedAnswer(runId)
    const text = result && (await toReport(result, format))
    if (text === undefined)
      throw new RequestError(
        'conflict',
        `Run ${runId} has no report in this form.`,
        'Reviews of papers have one, and answers as html or markdown.',
      )
    // What the page contains may not do anything in the name of this server.
    if (format === 'html') c.header('Content-Security-Policy', pagePolicy)
    return c.body(await withoutPlaces(site, runId, text), 200, { 'Content-Type': types[format] })
  })
  api.openapi(references, async (c) => {
    const { runId } = await findVisible(site, c.req.valid('param').id, c.get('principal'))
    const { format, style } = c.req.valid('query')
    const { text } = await app.references(runId, { format, ...(style && { style }) })
    return c.body(await withoutPlaces(site, runId, text), 200, { 'Content-Type': types[format] })
  })
  api.openapi(trace, async (c) => {
    const { runId } = await findVisible(site, c.req.valid('param').id, c.get('principal'))
    const { format } = c.req.valid('query')
    const pieces = await Array.fromAsync(exportTraces(app.traces, { runId }, format))
    const text = await withoutPlaces(site, runId, pieces.join(''))
    return c.body(text, 200, { 'Content-Type': types[format] })
  })
  api.openapi(bundle, async (c) => {
    const { runId } = await findVisible(site, c.req.valid('param').id, c.get('principal'))
    const content = await writeBundle(site, runId)
    const body = await site.streams.guard(content, c.get('principal'), c.env.outgoing)
    return c.body(body, 200, {
      'Content-Type': types.zip,
      'Content-Disposition': `attachment; filename="${runId}.scholium"`,
    })
  })
}

/** Adds the routes of a run's graph, and of the comparison of two. */
export function addGraphRoutes(api: Api, site: RunSite): void {
  const { app } = site
  api.openapi(graph, async (c) => {
    const { runId } = await findVisible(site, c.req.valid('param').id, c.get('principal'))
    const form = site.form.with(await placesOf(app, runId))
    const drawn = await app.runGraph(runId)
    const body: z.infer<typeof runGraph> = {
      ...drawn,
      nodes: [...drawn.nodes],
      edges: [...drawn.edges],
      way: [...drawn.way],
    }
    return c.json(form.of(body), 200)
  })
  api.openapi(diff, async (c) => {
    const first = await findVisible(site, c.req.valid('param').id, c.get('principal'))
    const second = await findVisible(site, c.req.valid('query').with, c.get('principal'))
    const compared = await app.diff(first.runId, second.runId)
    const form = site.form.with([
      ...(await placesOf(app, first.runId)),
      ...(await placesOf(app, second.runId)),
    ])
    const body: z.infer<typeof runDiff> = form.of({ ...compared })
    return c.json(body, 200)
  })
}

const reportForms = {
  html: 'html',
  markdown: 'markdown',
  csv: 'matrix',
} as const satisfies Readonly<Record<string, PapersForm>>

/** A result as a report; `undefined` if it has none of this form. */
async function toReport(
  result: RunResult,
  format: keyof typeof reportForms,
): Promise<string | undefined> {
  if (result.schema === 'scholium.papers/1') return renderPapersAs(result, reportForms[format])
  if (result.schema !== 'scholium.answer/1' || format === 'csv') return undefined
  return renderAnswerAs(result, format)
}

const pagePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"

async function withoutPlaces({ app, form }: RunSite, runId: string, text: string): Promise<string> {
  return form.with(await placesOf(app, runId)).plain(text)
}

/** A run's bundle, from a file that is deleted when it was sent, or its reader leaves. */
async function writeBundle(
  { app, onFailure }: RunSite,
  runId: string,
): Promise<ReadableStream<Uint8Array>> {
  const folder = await mkdtemp(join(tmpdir(), 'scholium-server-bundle-'))
  const remove = () => rm(folder, { recursive: true, force: true }).catch(onFailure)
  try {
    const { path } = await app.exportRun(runId, { file: join(folder, 'run.scholium') })
    const content = createReadStream(path).on('close', remove)
    return Readable.toWeb(content) as ReadableStream<Uint8Array>
  } catch (error) {
    await remove()
    throw error
  }
}
