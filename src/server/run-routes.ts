import { createRoute } from '@hono/zod-openapi'
import type { RunFilter } from '../app.ts'
import { toFailure } from '../kernel/errors.ts'
import type { RunRecord } from '../kernel/run/run-store.ts'
import { removeRun } from './removed-runs.ts'
import { RequestError } from './request-error.ts'
import type { Figures } from './run-figures.ts'
import {
  askRequest,
  estimate,
  figureList,
  figuresQuery,
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
import { labelsOf, type Principal } from './tokens.ts'

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

const figures = createRoute({
  method: 'get',
  path: '/api/run-figures',
  summary:
    'What runs took and cost, and how their claims stand. Those that are not there are left out.',
  request: { query: figuresQuery },
  responses: { 200: json(figureList, 'The figures.'), ...errors },
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
  const { app, running, tokenRuns, form } = site
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
    const { limit, cursor, workflow, status, text, from, to, minCostUsd } = c.req.valid('query')
    const filter = {
      ...(cursor === undefined ? {} : { after: readCursor(cursor) }),
      ...(workflow === undefined ? {} : { workflow }),
      ...(status === undefined ? {} : { statuses: [status] }),
      ...(text === undefined ? {} : { text }),
      ...(from === undefined ? {} : { from: Date.parse(from) }),
      ...(to === undefined ? {} : { before: Date.parse(to) + dayMs }),
    }
    const principal = c.get('principal')
    const { runs, last } =
      minCostUsd === undefined
        ? await listRuns(site, principal, filter, limit)
        : await listCostly(site, principal, filter, { limit, minCostUsd })
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

/** Adds the route of what runs took. */
export function addFigureRoutes(api: Api, site: RunSite): void {
  api.openapi(figures, async (c) => {
    const found: Figures[] = []
    for (const id of c.req.valid('query').runs) {
      const run = await findVisible(site, id, c.get('principal')).catch((error: unknown) => {
        if (toFailure(error).code !== 'run_not_found') throw error
      })
      if (run !== undefined) found.push(await site.figures.of(run))
    }
    return c.json({ figures: found }, 200)
  })
}

/** Some runs of a list, and the last one that was looked at if others may follow. */
interface ListedRuns {
  readonly runs: readonly RunRecord[]
  readonly last: RunRecord | undefined
}

async function listRuns(
  { owners }: RunSite,
  principal: Principal,
  filter: RunFilter,
  limit: number,
): Promise<ListedRuns> {
  const found = await owners.list(principal, { ...filter, limit: limit + 1 })
  const runs = found.slice(0, limit)
  return { runs, last: found.length > limit ? runs.at(-1) : undefined }
}

/** Runs whose costs are added up for one page at most. */
const maxCounted = 1_000

/** Runs that cost at least so much. */
async function listCostly(
  site: RunSite,
  principal: Principal,
  filter: RunFilter,
  { limit, minCostUsd }: { readonly limit: number; readonly minCostUsd: number },
): Promise<ListedRuns> {
  const runs: RunRecord[] = []
  let { after } = filter
  for (let counted = 0; counted < maxCounted; ) {
    const page = await listRuns(site, principal, { ...filter, ...(after && { after }) }, limit)
    for (const run of page.runs) {
      counted++
      const { costUsd = 0 } = await site.figures.of(run)
      if (costUsd >= minCostUsd && runs.push(run) >= limit) return { runs, last: run }
    }
    if (page.last === undefined) return { runs, last: undefined }
    after = page.last
  }
  return { runs, last: after as RunRecord }
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
