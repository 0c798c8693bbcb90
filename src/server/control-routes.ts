import { createRoute } from '@hono/zod-openapi'
import type { ExecutionOptions, Question } from '../app.ts'
import type { ScholiumError } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RunRecord } from '../kernel/run/run-store.ts'
import { endStatuses } from './follow-run.ts'
import { toFork } from './fork-request.ts'
import { checkElsewhere, interruptRun } from './interrupt-run.ts'
import { lastQuestion } from './recorded-run.ts'
import { RequestError } from './request-error.ts'
import {
  answerRequest,
  forkRequest,
  replayReport,
  resumeRequest,
  runDetails,
  runParams,
} from './run-schemas.ts'
import { type Api, describeRun, errors, findVisible, json, type RunSite } from './run-site.ts'
import { executionFor } from './start-run.ts'
import { labelsOf, type Principal, requestedBy } from './tokens.ts'

const run = (does: string, summary: string) =>
  ({
    method: 'post',
    path: `/api/runs/{id}/${does}`,
    summary,
    request: { params: runParams },
    responses: { 200: json(runDetails, 'The run.'), ...errors },
  }) as const

const cancel = createRoute(
  run(
    'cancel',
    'Interrupt a run, which can be resumed. A run that is not executed stays as it is.',
  ),
)

const finish = createRoute(
  run('finish', 'End a run at once with what it has: a partial answer with its citations.'),
)

const started = {
  200: json(runDetails, 'The run has ended already.'),
  202: json(runDetails, 'The run continues.'),
  ...errors,
} as const

const resume = createRoute({
  ...run('resume', 'Resume an interrupted, waiting or temporarily failed run.'),
  request: {
    params: runParams,
    body: { content: { 'application/json': { schema: resumeRequest } } },
  },
  responses: { 202: json(runDetails, 'The run continues.'), ...errors },
})

const answer = createRoute({
  ...run('answer', 'Answer what a waiting run asks, and resume it.'),
  request: {
    params: runParams,
    body: { required: true, content: { 'application/json': { schema: answerRequest } } },
  },
  responses: started,
})

const fork = createRoute({
  ...run('fork', 'Start a new run from a step of this one. What comes before the step is shared.'),
  request: {
    params: runParams,
    body: { required: true, content: { 'application/json': { schema: forkRequest } } },
  },
  responses: { 202: json(runDetails, 'The fork was started.'), ...errors },
})

const replay = createRoute({
  ...run('replay', 'Execute a run again from its log alone, and compare the results.'),
  responses: { 200: json(replayReport, 'How the replay compares.'), ...errors },
})

/** Adds the routes that interrupt runs and end them early. */
export function addControlRoutes(api: Api, site: RunSite): void {
  const { running } = site
  api.openapi(cancel, async (c) => {
    const principal = c.get('principal')
    const record = await findDriven(site, c.req.valid('param').id, principal)
    checkNotEnded(record)
    await interruptRun(site, record.runId, principal)
    return c.json(await detailsOf(site, record), 200)
  })
  api.openapi(finish, async (c) => {
    const principal = c.get('principal')
    const record = await findDriven(site, c.req.valid('param').id, principal)
    const reason = requestedBy(principal)
    checkNotEnded(record)
    if (!(await running.finish(record.runId, reason))) {
      checkElsewhere(record)
      await endEarly(site, record, principal, reason)
    }
    return c.json(await detailsOf(site, record), 200)
  })
}

/** Adds the routes that resume, answer, fork and replay runs. */
export function addContinueRoutes(api: Api, site: RunSite): void {
  const { app, resuming, running, tokenRuns } = site
  api.openapi(resume, async (c) => {
    const record = await findDriven(site, c.req.valid('param').id, c.get('principal'))
    const { limits } = c.req.valid('json') ?? {}
    const isNew = await goOn(site, record, c.get('principal'), {
      ...executionFor(app, site.policy, { limits }),
    })
    if (!isNew) checkNotEnded(record)
    return c.json(await detailsOf(site, record), 202)
  })
  api.openapi(answer, async (c) => {
    const record = await findDriven(site, c.req.valid('param').id, c.get('principal'))
    const { answer: given, key } = c.req.valid('json')
    const question = record.status === 'waiting' ? await lastQuestion(app, record.runId) : undefined
    if (question === undefined || (key !== undefined && key !== question.key))
      throw new RequestError(
        'conflict',
        `Run ${record.runId} does not wait for an answer${key === undefined ? '' : ' to this question'}.`,
      )
    const isNew = await goOn(site, record, c.get('principal'), {
      answer: async (_: Question, asked: string) =>
        asked === question.key ? (given as Json) : undefined,
    })
    return c.json(await detailsOf(site, record), isNew ? 202 : 200)
  })
  api.openapi(fork, async (c) => {
    const record = await findDriven(site, c.req.valid('param').id, c.get('principal'))
    const request = c.req.valid('json')
    const changes = await toFork(site, record, c.get('principal'), request)
    const options = {
      ...executionFor(app, site.policy, request),
      ...labelsOf(c.get('principal')),
    }
    const { runId } = await tokenRuns.start(c.get('principal'), () =>
      running.start(async (execution) => {
        const report = await resuming.fork(record.runId, changes, { ...execution, ...options })
        return report.answer
      }),
    )
    return c.json(await detailsOf(site, { runId }), 202, { Location: `/api/runs/${runId}` })
  })
  api.openapi(replay, async (c) => {
    const { runId } = await findVisible(site, c.req.valid('param').id, c.get('principal'))
    const { isIdentical, steps, unclaimed } = await resuming.replay(runId)
    return c.json({ runId, isIdentical, steps, unclaimed: [...unclaimed] }, 200)
  })
}

async function detailsOf(site: RunSite, { runId }: Pick<RunRecord, 'runId'>) {
  return describeRun(site, await site.app.showRun(runId))
}

/** Resumes a run; false if it had ended already, so that nothing was done. */
export async function goOn(
  { app, resuming, running, tokenRuns, policy }: RunSite,
  { runId }: Pick<RunRecord, 'runId'>,
  principal: Principal,
  given: ExecutionOptions,
): Promise<boolean> {
  const options = { ...executionFor(app, policy, {}), ...labelsOf(principal), ...given }
  const resume = (execution: ExecutionOptions) =>
    resuming.resume(runId, { ...execution, ...options })
  const start = await tokenRuns.start(principal, () => running.start(resume, runId), runId)
  return start.isNew
}

/** Resumes a run to end it with what it has. It calls no model, so that it does not wait for its turn. */
async function endEarly(
  { app, resuming, running, policy }: RunSite,
  { runId }: RunRecord,
  principal: Principal,
  reason: ScholiumError,
): Promise<void> {
  const finish = AbortSignal.abort(reason)
  const options = { ...executionFor(app, policy, {}), ...labelsOf(principal), finish }
  const resume = (execution: ExecutionOptions) =>
    resuming.resume(runId, { ...execution, ...options })
  await running.start(resume, runId, 'at_once')
  await running.settled(runId)
}

/** @throws `conflict` for a run that has ended */
function checkNotEnded({ runId, status }: RunRecord): void {
  if (!endStatuses.has(status)) return
  throw new RequestError(
    'conflict',
    `Run ${runId} has ended: ${status}.`,
    'A fork of it can be started.',
  )
}

/** A run that requests may change. @throws `forbidden` for a session of the coding agent */
async function findDriven(site: RunSite, id: string, principal: Principal): Promise<RunRecord> {
  const record = await findVisible(site, id, principal)
  if (record.workflow !== 'code') return record
  throw new RequestError(
    'forbidden',
    'Sessions of the coding agent can only be looked at.',
    'Continue it at the terminal: scholium code --resume RUN',
  )
}
