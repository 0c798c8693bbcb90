import type { HttpBindings } from '@hono/node-server'
import { createRoute, type OpenAPIHono, type z } from '@hono/zod-openapi'
import type { App } from '../app.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { LiveEvent } from '../kernel/run/event.ts'
import type { RunRecord } from '../kernel/run/run-store.ts'
import { createEventStream } from './event-stream.ts'
import { endStatuses, followRun } from './follow-run.ts'
import type { PublicForm } from './public-form.ts'
import { findRun, lastQuestion, placesOf } from './recorded-run.ts'
import { RequestError } from './request-error.ts'
import {
  errorBody,
  eventsQuery,
  listQuery,
  runDetails,
  runPage,
  runParams,
  type runSummary,
  startRequest,
} from './run-schemas.ts'
import type { RunningRuns } from './running-runs.ts'
import type { RunPolicy } from './server-options.ts'
import { executeRequest } from './start-run.ts'

/** What Node's server adds to a request. */
export type ApiEnvironment = { readonly Bindings: Partial<HttpBindings> }

/** The API, to which routes are added. */
export type Api = OpenAPIHono<ApiEnvironment>

/** What the routes of runs work with. */
export interface RunSite {
  readonly app: App
  readonly policy: RunPolicy
  readonly running: RunningRuns
  readonly form: PublicForm
  readonly streams: StreamSlots
  /** Called with a failure that no answer tells. */
  readonly onFailure: (error: unknown) => void
}

/** The streams of a server. */
export class StreamSlots {
  /** Milliseconds after which a reader that takes nothing is cut off. */
  readonly slowReaderMs: number
  private readonly maxStreams: number
  private open = 0

  constructor(maxStreams: number, slowReaderMs: number) {
    this.maxStreams = maxStreams
    this.slowReaderMs = slowReaderMs
  }

  /** Takes a slot, which `free` gives back. @throws `too_many_requests` while all are taken */
  take(): void {
    if (this.open >= this.maxStreams)
      throw new RequestError(
        'too_many_requests',
        `There are ${this.maxStreams} streams already.`,
        'Close one, or try again later.',
      )
    this.open++
  }

  free(): void {
    this.open--
  }
}

const errors = {
  default: {
    description: 'An error: what happened, why, and what to do.',
    content: { 'application/json': { schema: errorBody } },
  },
} as const

const json = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  ({ description, content: { 'application/json': { schema } } }) as const

const start = createRoute({
  method: 'post',
  path: '/api/runs',
  summary: 'Start a run: a question, a review of papers, or an agent file of the operator.',
  request: {
    body: { required: true, content: { 'application/json': { schema: startRequest } } },
  },
  responses: {
    200: json(runDetails, 'The same was asked before: that run, with its result.'),
    202: json(runDetails, 'The run was started.'),
    ...errors,
  },
})

const list = createRoute({
  method: 'get',
  path: '/api/runs',
  summary: 'List runs, newest first.',
  request: { query: listQuery },
  responses: { 200: json(runPage, 'A page of runs.'), ...errors },
})

const get = createRoute({
  method: 'get',
  path: '/api/runs/{id}',
  summary: 'Get a run, with its result if it has ended, or its question if it waits.',
  request: { params: runParams },
  responses: { 200: json(runDetails, 'The run.'), ...errors },
})

const events = createRoute({
  method: 'get',
  path: '/api/runs/{id}/events',
  summary: "Stream a run's events: those in its log, then those to come, until it has ended.",
  description:
    'Server-sent events. `id` is the sequence number: after a lost connection, send the last one as `Last-Event-ID` or `?after=`, and each stored event comes exactly once. Tokens and progress have no `id`, are marked `transient`, and are superseded by the event that ends their step.',
  request: { params: runParams, query: eventsQuery },
  responses: {
    200: {
      description: 'The events.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    204: { description: 'The run has ended, and has no event after this one.' },
    ...errors,
  },
})

const cancel = createRoute({
  method: 'post',
  path: '/api/runs/{id}/cancel',
  summary: 'Interrupt a run, which can be resumed. A run that is not executed stays as it is.',
  request: { params: runParams },
  responses: { 200: json(runDetails, 'The run.'), ...errors },
})

/** Adds the routes of runs: every answer is read from the log. */
export function addRunRoutes(api: Api, site: RunSite): void {
  const { app, running, form } = site
  api.openapi(start, async (c) => {
    const request = c.req.valid('json')
    if ('continue' in request && request.continue !== undefined)
      await findRun(app, request.continue)
    const { runId, isNew } = await running.start((execution) =>
      executeRequest(app, site.policy, request, execution),
    )
    const details = await describeRun(site, await app.showRun(runId))
    return c.json(details, isNew ? 202 : 200, { Location: `/api/runs/${runId}` })
  })
  api.openapi(list, async (c) => {
    const { limit, cursor, workflow, status } = c.req.valid('query')
    const found = await app.listRuns({
      limit: limit + 1,
      ...(cursor === undefined ? {} : { after: readCursor(cursor) }),
      ...(workflow === undefined ? {} : { workflow }),
      ...(status === undefined ? {} : { statuses: [status] }),
    })
    const runs = found.slice(0, limit)
    const last = found.length > limit ? runs.at(-1) : undefined
    const next = last && `${last.createdAt}.${last.runId}`
    return c.json(form.of({ runs: runs.map(summarize), ...(next && { next }) }), 200)
  })
  api.openapi(get, async (c) =>
    c.json(await describeRun(site, await findRun(app, c.req.valid('param').id)), 200),
  )
  api.openapi(events, async (c) => {
    const run = await findRun(app, c.req.valid('param').id)
    const seen = c.req.header('last-event-id')
    const after = seen === undefined ? (c.req.valid('query').after ?? 0) : readSeq(seen)
    if (endStatuses.has(run.status) && run.lastSeq <= after) return c.body(null, 204)
    const connection = c.env.outgoing
    const stream = await openStream(site, { runId: run.runId, after, connection })
    return c.body(stream, 200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    })
  })
  api.openapi(cancel, async (c) => {
    const run = await findRun(app, c.req.valid('param').id)
    if (!(await running.cancel(run.runId)) && run.status === 'running')
      throw new ScholiumError('run_busy', `Run ${run.runId} is executed by another process.`, {
        hint: 'Interrupt it there.',
      })
    return c.json(await describeRun(site, await app.showRun(run.runId)), 200)
  })
}

function summarize(run: RunRecord): z.infer<typeof runSummary> {
  const { epoch: _, ...summary } = run
  return summary
}

async function describeRun(
  { app, form }: RunSite,
  run: RunRecord,
): Promise<z.infer<typeof runDetails>> {
  const { runId, status } = run
  const result = endStatuses.has(status) ? await app.recordedAnswer(runId) : undefined
  const asked = status === 'waiting' ? await lastQuestion(app, runId) : undefined
  const places = await placesOf(app, runId)
  return form.with(places).of({
    ...summarize(run),
    ...(result === undefined ? {} : { result: { ...result } }),
    ...(asked === undefined ? {} : { question: asked }),
  })
}

interface AskedStream {
  readonly runId: string
  readonly after: number
  /** Where the stream goes, if a server of Node's answers. */
  readonly connection: HttpBindings['outgoing'] | undefined
}

/** The events of a run as server-sent events. @throws `too_many_requests` while as many streams as allowed are open */
async function openStream(
  { app, running, form, streams, onFailure }: RunSite,
  { runId, after, connection }: AskedStream,
): Promise<ReadableStream<Uint8Array>> {
  const runForm = form.with(await placesOf(app, runId))
  const control = new AbortController()
  streams.take()
  return createEventStream(followRun({ app, running, runId, after, signal: control.signal }), {
    toText: (event: LiveEvent) => runForm.text(event),
    slowReaderMs: streams.slowReaderMs,
    ...(connection && { disconnect: () => connection.destroy() }),
    onEnd: (error) => {
      streams.free()
      control.abort()
      if (error !== undefined) onFailure(error)
    },
  })
}

function readCursor(cursor: string): Pick<RunRecord, 'createdAt' | 'runId'> {
  const [, createdAt, runId] = /^(\d{1,15})\.([A-Za-z0-9][A-Za-z0-9._-]{0,127})$/.exec(cursor) ?? []
  if (createdAt !== undefined && runId !== undefined) return { createdAt: Number(createdAt), runId }
  throw new RequestError(
    'malformed',
    'This is no cursor of a list of runs.',
    'Take `next` of a page.',
  )
}

function readSeq(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new RequestError('malformed', 'Last-Event-ID has to be the id of an event.')
}
