import type { HttpBindings } from '@hono/node-server'
import { createRoute } from '@hono/zod-openapi'
import type { LiveEvent } from '../kernel/run/event.ts'
import { createEventStream, toEventFrame } from './event-stream.ts'
import { endStatuses, followRun } from './follow-run.ts'
import { placesOf } from './recorded-run.ts'
import { RequestError } from './request-error.ts'
import { eventsQuery, runParams } from './run-schemas.ts'
import { type Api, errors, findVisible, type RunSite } from './run-site.ts'
import type { Principal } from './tokens.ts'

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

/** Adds the route of a run's events. */
export function addEventRoutes(api: Api, site: RunSite): void {
  api.openapi(events, async (c) => {
    const run = await findVisible(site, c.req.valid('param').id, c.get('principal'))
    const seen = c.req.header('last-event-id')
    const after = seen === undefined ? (c.req.valid('query').after ?? 0) : readSeq(seen)
    if (endStatuses.has(run.status) && run.lastSeq <= after) return c.body(null, 204)
    const connection = c.env.outgoing
    const asked = { runId: run.runId, after, connection, principal: c.get('principal') }
    const stream = await openStream(site, asked)
    return c.body(stream, 200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    })
  })
}

interface AskedStream {
  readonly runId: string
  readonly after: number
  /** Where the stream goes, if a server of Node's answers. */
  readonly connection: HttpBindings['outgoing'] | undefined
  readonly principal: Principal
}

/** The events of a run as server-sent events. @throws `too_many_requests` while as many streams as allowed are open */
async function openStream(
  { app, running, form, streams, onFailure }: RunSite,
  { runId, after, connection, principal }: AskedStream,
): Promise<ReadableStream<Uint8Array>> {
  const runForm = form.with(await placesOf(app, runId))
  const control = new AbortController()
  const free = streams.take(principal)
  return createEventStream(followRun({ app, running, runId, after, signal: control.signal }), {
    toFrame: (event: LiveEvent) => toEventFrame(event, runForm.text(event)),
    slowReaderMs: streams.slowReaderMs,
    ...(connection && { disconnect: () => connection.destroy() }),
    onEnd: (error) => {
      free()
      control.abort()
      if (error !== undefined) onFailure(error)
    },
  })
}

function readSeq(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new RequestError('malformed', 'Last-Event-ID has to be the id of an event.')
}
