import {
  type CallToolResult,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Failure, fromFailure, ScholiumError, toFailure } from '../../kernel/errors.ts'
import type { RunRecord } from '../../kernel/run/run-store.ts'
import { endStatuses } from '../follow-run.ts'
import { checkMayChange } from '../guard.ts'
import { checkElsewhere, recordInterruption } from '../interrupt-run.ts'
import { toErrorAnswer } from '../request-error.ts'
import { findVisible } from '../run-site.ts'
import { continues } from '../running-runs.ts'
import { requestedBy } from '../tokens.ts'
import {
  type Driven,
  drivenWorkflows,
  driveRun,
  type RunDriver,
  type WantedRun,
} from './drive-run.ts'
import { capabilitiesOf, type McpRequest, type McpSite } from './mcp-site.ts'
import { describeRun } from './run-output.ts'
import { describeProgress } from './run-progress.ts'
import { answerFrom, questionsOf } from './run-questions.ts'
import { answerRequest, answerWithRun, failedCall } from './tool-answer.ts'

/** The extension in which a call is answered with a handle at once. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

const pollIntervalMs = 1_000

/** Whether a request may be answered with a task. */
export function takesTasks(request: McpRequest): boolean {
  return capabilitiesOf(request).extensions?.[tasksExtension] !== undefined
}

/** Starts a run as a task: its handle is the run's id, and everything else about it is in the log. */
export async function startTask(site: McpSite, wanted: WantedRun): Promise<CallToolResult> {
  const { runId } = await driveTask(site, wanted)
  const record = await site.app.showRun(runId)
  const { content, structuredContent = {} } = answerWithRun(await describeRun(site, record))
  return { resultType: 'task', ...describeTask(record, 'working'), content, structuredContent }
}

/**
 * Adds `tasks/get`, `tasks/update` and `tasks/cancel`.
 * @see https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html
 */
export function addTasks({ server }: McpServer, site: McpSite): void {
  const params = z.looseObject({ taskId: z.string().max(128) })
  server.setRequestHandler('tasks/get', { params }, ({ taskId }, request) =>
    answerRequest(site, async () => getTask(site, await findTask(site, taskId, request))),
  )
  server.setRequestHandler('tasks/update', { params }, ({ taskId }, request) =>
    answerRequest(site, async () => {
      const record = await findTask(site, taskId, request)
      checkMayChange(site.principal)
      const { inputResponses = {} } = request.mcpReq
      if (record.status === 'waiting' && !site.running.has(record.runId))
        await driveTask(site, goOn(record), { answer: answerFrom(inputResponses) })
      return {}
    }),
  )
  server.setRequestHandler('tasks/cancel', { params }, ({ taskId }, request) =>
    answerRequest(site, async () => {
      const record = await findTask(site, taskId, request)
      checkMayChange(site.principal)
      await cancelTask(site, record)
      return {}
    }),
  )
}

/** Interrupts the run of a task, until somebody resumes it. One that has ended stays as it is. */
async function cancelTask(site: McpSite, record: RunRecord): Promise<void> {
  const { principal, running } = site
  if (await running.cancel(record.runId, requestedBy(principal))) return
  if (endStatuses.has(record.status)) return
  checkElsewhere(record)
  if (record.status === 'waiting' || (await goesOn(site, record.runId)))
    await recordInterruption(site, record, principal)
}

/** The run of a task. @throws the protocol's errors for a client without the extension, and for an unknown task */
async function findTask(
  site: McpSite,
  taskId: string,
  request: McpRequest,
): Promise<RunRecord & { readonly workflow: Driven }> {
  if (!takesTasks(request))
    throw new MissingRequiredClientCapabilityError({
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    })
  const record = await findVisible(site, taskId, site.principal).catch((error: unknown) => {
    if (toFailure(error).code !== 'run_not_found') throw error
  })
  const workflow = drivenWorkflows.find((name) => name === record?.workflow)
  if (record !== undefined && workflow !== undefined) return { ...record, workflow }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task ${taskId}.`)
}

/** A task as it is now. One that nobody executes any more, since its process ended, goes on. */
async function getTask(site: McpSite, record: RunRecord & { readonly workflow: Driven }) {
  const { runId, status } = record
  if (site.running.has(runId) || status === 'running') {
    const statusMessage = site.told.get(runId)
    return { ...describeTask(record, 'working'), ...(statusMessage && { statusMessage }) }
  }
  if (endStatuses.has(status))
    return completed(record, answerWithRun(await describeRun(site, record)))
  if (status === 'waiting') {
    const inputRequests = await questionsOf(site, runId)
    return { ...describeTask(record, 'input_required'), inputRequests: inputRequests ?? {} }
  }
  const queue = site.running.placeInQueue(runId)
  if (queue !== undefined)
    return {
      ...describeTask(record, 'working'),
      statusMessage: `It waits for its turn; its place in the queue is ${queue}.`,
    }
  const failure = await lastFailure(site, runId)
  const note = `Continue run ${runId} with {"resume": "${runId}"}.`
  if (failure !== undefined && failure.code !== 'cancelled')
    return completed(record, failedCall(site, fromFailure(failure), note))
  if (!isLeft(failure)) return describeTask(record, 'cancelled')
  try {
    await driveTask(site, goOn(record))
  } catch (error) {
    // While the server is busy, the next request tries again.
    if (!toErrorAnswer(error).body.error.retryable)
      return completed(record, failedCall(site, error, note))
  }
  return describeTask(record, 'working')
}

function goOn({ runId, workflow }: RunRecord & { readonly workflow: Driven }): WantedRun {
  const begin = () => Promise.reject(new ScholiumError('internal', 'The run has begun already.'))
  return { workflow, resume: runId, begin }
}

/** Executes a run without waiting for its end; its log tells that. */
async function driveTask(
  site: McpSite,
  wanted: WantedRun,
  { answer }: Pick<RunDriver, 'answer'> = {},
) {
  let lastSaid: string | undefined
  let runId: string | undefined
  const driven = await driveRun(site, wanted, {
    isTask: true,
    hear: (event) => {
      lastSaid = describeProgress(event) ?? lastSaid
      if (!('transient' in event)) runId = event.runId
      if (runId !== undefined && lastSaid !== undefined) site.told.set(runId, lastSaid)
    },
    ...(answer === undefined ? {} : { answer }),
  })
  // What ends a run is in its log; other failures are told by whoever executes the runs.
  driven.result.catch(() => {}).finally(() => site.told.delete(driven.runId))
  return driven
}

/** Whether nobody wanted the interruption of a run: its process ended. */
function isLeft(failure: Failure | undefined): boolean {
  return failure === undefined || failure.details?.continues === continues.continues
}

async function goesOn(site: McpSite, runId: string): Promise<boolean> {
  return isLeft(await lastFailure(site, runId))
}

/** What the log says of the interruption of a run; `undefined` if its process was killed. */
async function lastFailure({ app }: McpSite, runId: string): Promise<Failure | undefined> {
  let failure: Failure | undefined
  const types = ['run.started', 'run.resumed', 'run.suspended'] as const
  for await (const event of app.events(runId, { types, withOutput: false }))
    failure = event.type === 'run.suspended' ? event.data.failure : undefined
  return failure
}

function describeTask({ runId, createdAt, updatedAt }: RunRecord, status: string) {
  return {
    taskId: runId,
    status,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: null,
    pollIntervalMs,
  }
}

function completed(record: RunRecord, result: CallToolResult) {
  return { ...describeTask(record, 'completed'), result: { resultType: 'complete', ...result } }
}
