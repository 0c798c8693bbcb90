import { createRoute } from '@hono/zod-openapi'
import type { RunRecord } from '../kernel/run/run-store.ts'
import { removeRun } from './removed-runs.ts'
import { RequestError } from './request-error.ts'
import {
  askRequest,
  estimate,
  listQuery,
  runDetails,
  runPage,
  runParams,
  startRequest,
} from './run-schemas.ts'
import {
  type Api,
  describeRun,
  errors,
  findVisible,
  json,
  type RunSite,
  summarize,
} from './run-site.ts'
import { executeRequest, startFor, toAsk } from './start-run.ts'
import { labelsOf } from './tokens.ts'

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

const estimateAsk = createRoute({
  method: 'post',
  path: '/api/estimate',
  summary: 'What a question is expected to take, without asking it.',
  request: {
    body: { required: true, content: { 'application/json': { schema: askRequest } } },
  },
  responses: { 200: json(estimate, 'The least and the most that is expected.'), ...errors },
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

const remove = createRoute({
  method: 'delete',
  path: '/api/runs/{id}',
  summary:
    'Delete a run with everything that it recorded, unless it is executed or a fork needs it.',
  request: { params: runParams },
  responses: { 204: { description: 'The run is gone.' }, ...errors },
})

/** Adds the routes that start, list, show and delete runs. */
export function addRunRoutes(api: Api, site: RunSite): void {
  const { app, running, tokenRuns, form, owners } = site
  api.openapi(start, async (c) => {
    const request = c.req.valid('json')
    const principal = c.get('principal')
    if ('continue' in request && request.continue !== undefined)
      await findVisible(site, request.continue, principal)
    const startWith = (asked: typeof request) =>
      tokenRuns.start(principal, () =>
        running.start((execution) =>
          executeRequest({ ...site, principal }, asked, { ...execution, ...labelsOf(principal) }),
        ),
      )
    const { runId, isNew } = await startFor(site, principal, (isFresh) =>
      startWith(isFresh && request.workflow === 'papers' ? { ...request, fresh: true } : request),
    )
    const details = await describeRun(site, await app.showRun(runId))
    return c.json(details, isNew ? 202 : 200, { Location: `/api/runs/${runId}` })
  })
  api.openapi(estimateAsk, async (c) => {
    const request = c.req.valid('json')
    if (request.continue !== undefined)
      await findVisible(site, request.continue, c.get('principal'))
    return c.json(await app.estimate(toAsk(site.policy, request)), 200)
  })
  api.openapi(list, async (c) => {
    const { limit, cursor, workflow, status, text, from, to } = c.req.valid('query')
    const found = await owners.list(c.get('principal'), {
      limit: limit + 1,
      ...(cursor === undefined ? {} : { after: readCursor(cursor) }),
      ...(workflow === undefined ? {} : { workflow }),
      ...(status === undefined ? {} : { statuses: [status] }),
      ...(text === undefined ? {} : { text }),
      ...(from === undefined ? {} : { from: Date.parse(from) }),
      ...(to === undefined ? {} : { before: Date.parse(to) + dayMs }),
    })
    const runs = found.slice(0, limit)
    const last = found.length > limit ? runs.at(-1) : undefined
    const next = last && `${last.createdAt}.${last.runId}`
    return c.json(form.of({ runs: runs.map(summarize), ...(next && { next }) }), 200)
  })
  api.openapi(get, async (c) =>
    c.json(
      await describeRun(site, await findVisible(site, c.req.valid('param').id, c.get('principal'))),
      200,
    ),
  )
  api.openapi(remove, async (c) => {
    const principal = c.get('principal')
    const { runId } = await findVisible(site, c.req.valid('param').id, principal)
    await removeRun(site, runId, principal)
    return c.body(null, 204)
  })
}

const dayMs = 86_400_000

function readCursor(cursor: string): Pick<RunRecord, 'createdAt' | 'runId'> {
  const [, createdAt, runId] = /^(\d{1,15})\.([A-Za-z0-9][A-Za-z0-9._-]{0,127})$/.exec(cursor) ?? []
  if (createdAt !== undefined && runId !== undefined) return { createdAt: Number(createdAt), runId }
  throw new RequestError(
    'malformed',
    'This is no cursor of a list of runs.',
    'Take `next` of a page.',
  )
}
