import { createRoute, z } from '@hono/zod-openapi'
import type { RunEvent } from '../kernel/run/event.ts'
import { type LogEntry, toLogEntry } from '../observe/log-entry.ts'
import { placesOf } from './recorded-run.ts'
import { runId, runParams } from './run-schemas.ts'
import { type Api, errors, findVisible, json, type RunSite } from './run-site.ts'

const logEntry = z
  .object({
    seq: z.int(),
    ts: z.int().openapi({ description: 'Milliseconds since 1970.' }),
    type: z.string(),
    key: z.string(),
    kind: z.string().optional(),
    name: z.string().optional(),
    startedAt: z.int().optional(),
    role: z.string().optional(),
    model: z.string().optional(),
    inputTokens: z.int().optional(),
    outputTokens: z.int().optional(),
    costUsd: z.number().optional().openapi({ description: 'Absent if it is unknown.' }),
    isPause: z.literal(true).optional(),
    text: z.string().optional().openapi({ description: 'A failure, a notice, or a status.' }),
  })
  .openapi('LogEntry')

const logPage = z
  .object({
    events: z.array(logEntry),
    next: z.int().optional().openapi({ description: 'What `after` is for the next page.' }),
  })
  .openapi('LogPage')

const logQuery = z.strictObject({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  limit: z.coerce.number().int().min(1).max(5_000).default(1_000),
})

const eventDetails = z
  .object({
    event: z.looseObject({ seq: z.int(), type: z.string(), key: z.string() }),
    input: z.unknown().optional().openapi({ description: 'What a step worked on.' }),
    messages: z
      .array(z.object({ role: z.string(), parts: z.unknown() }))
      .optional()
      .openapi({ description: 'What a model call was sent.' }),
    missing: z
      .int()
      .optional()
      .openapi({ description: 'How many of its messages only their steps have.' }),
  })
  .openapi('LogEvent')

const list = createRoute({
  method: 'get',
  path: '/api/runs/{id}/log',
  summary: "A page of a run's events, without inputs and outputs.",
  request: { params: runParams, query: logQuery },
  responses: { 200: json(logPage, 'The events.'), ...errors },
})

const get = createRoute({
  method: 'get',
  path: '/api/runs/{id}/log/{seq}',
  summary: 'An event with its input and output; a model call with the messages that were sent.',
  request: {
    params: z.object({ id: runId, seq: z.coerce.number().int().min(1).max(1e15) }),
  },
  responses: { 200: json(eventDetails, 'The event.'), ...errors },
})

/** Adds the routes that show a run's log. */
export function addLogRoutes(api: Api, site: RunSite): void {
  const { app } = site
  api.openapi(list, async (c) => {
    const run = await findVisible(site, c.req.valid('param').id, c.get('principal'))
    const { after, limit } = c.req.valid('query')
    const events = await readPage(site, run.runId, after, limit)
    const last = events.at(-1)?.seq ?? after
    const form = site.form.with(await placesOf(app, run.runId))
    const next = events.length === limit && last < run.lastSeq ? { next: last } : {}
    return c.json(form.of({ events, ...next }), 200)
  })
  api.openapi(get, async (c) => {
    const { id, seq } = c.req.valid('param')
    const { runId } = await findVisible(site, id, c.get('principal'))
    const form = site.form.with(await placesOf(app, runId))
    const { event, messages, ...rest } = await app.readEvent(runId, seq)
    const body: z.infer<typeof eventDetails> = {
      ...rest,
      event: { ...event },
      ...(messages && { messages: [...messages] }),
    }
    return c.json(form.of(body), 200)
  })
}

/** Only starts of steps are read with their outputs, which say what model is called. */
async function readPage(
  { app }: RunSite,
  runId: string,
  afterSeq: number,
  limit: number,
): Promise<LogEntry[]> {
  const events: RunEvent[] = []
  for await (const event of app.events(runId, { afterSeq, withOutput: false }))
    if (events.push(event) >= limit) break
  const last = events.at(-1)?.seq ?? 0
  const places = new Map(events.map(({ seq }, index) => [seq, index]))
  for await (const event of app.events(runId, { afterSeq, types: ['step.started'] })) {
    if (event.seq > last) break
    events[places.get(event.seq) ?? 0] = event
  }
  return events.map(toLogEntry)
}
