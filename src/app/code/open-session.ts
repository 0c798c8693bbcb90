import { resolve } from 'node:path'
import { requireRules } from '../../code/rules.ts'
import { type CodeInput, type CodeSettings, defaultSettings } from '../../code/settings.ts'
import type { Tool } from '../../kernel/agent/tool.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Limits } from '../../kernel/limits/limits.ts'
import type { LiveEvent } from '../../kernel/run/event.ts'
import { forkRun } from '../../kernel/run/fork.ts'
import { resumeRun, startRun } from '../../kernel/run/run.ts'
import { ownToolsServer } from '../../tools/mcp/own-tools.ts'
import type { AppParts } from '../app-parts.ts'
import { requirePrices } from '../models/require-prices.ts'
import { recordedConditions } from '../runs/recorded-conditions.ts'
import { newRunId } from '../runs/run-id.ts'
import { modelsOfFork, modelsOfRun } from '../runs/run-models.ts'
import { type CodeAnswer, presentResult } from '../runs/run-result.ts'
import type { RunLabels } from '../runs/trace-labels.ts'
import type { Right } from '../trust/right.ts'
import { requireGranted } from '../trust/rights.ts'
import { askTrust, readKeptTrust, type TrustAsked } from './ask-trust.ts'
import { bindCode } from './code-definition.ts'
import { CodeSession, type SessionListeners } from './code-session.ts'
import { findSession } from './find-session.ts'
import { hasEnded, placeAfter } from './session-place.ts'

/** A session that is to be opened. */
export interface CodeRequest {
  /** The folder in which it works. Default: that of the app. Of a resumed session: its own, and no other may be named. */
  readonly workspace?: string
  /** The session to go on with: a run's id, a part of it, or `last` for the newest of the workspace. One that was ended goes on as another run that shares it. */
  readonly resume?: string
  /** The session from which another one goes on, and after which of its turns. Default: the last. */
  readonly fork?: { readonly run: string; readonly turn?: number }
  /** What is set up otherwise than by default. Of a resumed session, what it may do without asking of what it might before. */
  readonly settings?: Partial<CodeSettings>
  /** MCP servers that may be used, of those that the operator has set up: all, none or these. Default: those of the app's settings. */
  readonly mcp?: boolean | readonly string[]
  /** Your own tools; a call that may change something is asked about. A resumed session needs those with which it began. */
  readonly tools?: readonly Tool[]
  /** Whether addresses may be fetched; of a resumed session, one that might before. Default false. */
  readonly web?: boolean
  /** What a resumed session may keep of what it had, in addition to what `settings` and `web` say. Its record alone gives it nothing. */
  readonly grants?: readonly Right[]
  /** Folders of skills in addition to those of the project and the home. Of a resumed session: its own. */
  readonly skills?: readonly string[]
  /** Whether what the folder tells models counts as the person's own instructions. Default: where they trust it, or say so when they are asked. Of a resumed session, one that began with it. */
  readonly isTrusted?: boolean
  /** The id of one that begins, as `SessionReader.newId` gives it. Default: a new one. */
  readonly runId?: string
  /** What it is listed as. */
  readonly title?: string
}

/** How a session is driven. */
export interface SessionOptions extends SessionListeners, RunLabels {
  /** Interrupts the run, which can be resumed. */
  readonly signal?: AbortSignal
  readonly limits?: Limits
  /** Hears the events of the run's log, and what is told beside it. */
  readonly onLog?: (event: LiveEvent) => void
}

/** How a session is driven that goes on, and what it may have. */
type GrantedOptions = SessionOptions &
  Pick<TrustAsked, 'isTrusted'> & {
    readonly grants: readonly Right[]
    readonly tools?: readonly Tool[]
  }

/** @see App.code */
export async function openSession(
  parts: AppParts,
  request: CodeRequest,
  options: SessionOptions,
): Promise<CodeSession> {
  requireRules(request.settings ?? {})
  const { resume, fork, workspace } = request
  const { tools } = request
  const grants = grantedBy(request)
  const granted = { ...options, grants, isTrusted: request.isTrusted, ...(tools && { tools }) }
  if (fork !== undefined) {
    const { runId } = await findSession(parts, fork.run, workspace)
    return forkSession(parts, runId, granted, fork.turn)
  }
  if (resume === undefined) return startSession(parts, request, options)
  const { runId } = await findSession(parts, resume, workspace)
  const { status } = await parts.store.get(runId)
  return hasEnded(status)
    ? forkSession(parts, runId, granted)
    : resumeSession(parts, runId, granted)
}

/** What a request grants a resumed session. */
function grantedBy({ settings, web, grants = [] }: CodeRequest): readonly Right[] {
  const { allow = [], isYolo } = settings ?? {}
  return [
    ...grants,
    ...allow.map((value): Right => ({ kind: 'allow', value })),
    ...(isYolo === true ? [{ kind: 'yolo', value: '' } as const] : []),
    ...(web === true ? [{ kind: 'web', value: '' } as const] : []),
  ]
}

async function startSession(
  parts: AppParts,
  request: CodeRequest,
  options: SessionOptions,
): Promise<CodeSession> {
  const given = toCodeInput(parts, request)
  parts.requirePath(given.workspace)
  const { onPermission, signal = new AbortController().signal } = options
  const isTrusted = request.isTrusted ?? (await askTrust(parts, given, onPermission, signal))
  const input: CodeInput = isTrusted ? { ...given, isTrusted } : given
  const id = request.runId ?? newRunId(parts.clock.now())
  const session = new CodeSession(parts, id, options, options.signal)
  const bound = bindCode(parts, session.driver, undefined, request.tools)
  const execution = parts.execution(executionOptions(session, options), parts.modelSource, bound)
  requirePrices(execution.limits ?? {}, parts.modelSource)
  const { runId } = session
  const run = startRun(await bound.workflow(), input as unknown as JsonObject, runId, execution)
  session.drive(
    run.then(({ result }) => presentResult(parts, runId, result)) as Promise<CodeAnswer>,
  )
  return session
}

function toCodeInput(parts: AppParts, request: CodeRequest): CodeInput {
  const { workspace = '.', settings = {}, web = false, title, skills = [], tools = [] } = request
  const folders = skills.map((folder) => resolve(parts.folder, folder))
  for (const folder of folders) parts.requirePath(folder)
  return {
    workspace: resolve(parts.folder, workspace),
    settings: { ...defaultSettings, ...settings } as CodeInput['settings'],
    mcp: [...parts.mcp.namesFor(request.mcp), ...(tools.length === 0 ? [] : [ownToolsServer])],
    web,
    ...(folders.length === 0 ? {} : { skills: folders }),
    ...(title === undefined ? {} : { title }),
  }
}

async function resumeSession(
  parts: AppParts,
  runId: string,
  options: GrantedOptions,
): Promise<CodeSession> {
  await requireGranted(parts, runId, options)
  const grants = [...options.grants, ...(await readKeptTrust(parts, runId, options))]
  const session = new CodeSession(parts, runId, options, options.signal)
  const bound = bindCode(parts, session.driver, grants, options.tools)
  const models = await modelsOfRun(parts, runId)
  const recorded = await recordedConditions(parts.store, runId)
  const { baseUrls } = recorded
  const given = executionOptions(session, options)
  const execution = parts.execution(given, models, { ...bound, baseUrls })
  requirePrices({ ...recorded.limits, ...execution.limits }, models)
  const resumed = resumeRun(await bound.workflow(), runId, execution)
  session.drive(
    resumed.then(({ result }) => presentResult(parts, runId, result)) as Promise<CodeAnswer>,
  )
  return session
}

/** Goes on from a session as another run, which shares what was done and leaves the first as it is. */
async function forkSession(
  parts: AppParts,
  parentId: string,
  options: GrantedOptions,
  turn?: number,
): Promise<CodeSession> {
  const place = await placeAfter(parts.store, parentId, turn)
  await requireGranted(parts, parentId, options, {})
  const grants = [...options.grants, ...(await readKeptTrust(parts, parentId, options))]
  const session = new CodeSession(parts, newRunId(parts.clock.now()), options, options.signal)
  const bound = bindCode(parts, session.driver, grants, options.tools)
  const models = await modelsOfFork(parts, parentId)
  const { limits } = await recordedConditions(parts.store, parentId)
  const execution = parts.execution(executionOptions(session, options), models, bound)
  requirePrices({ ...limits, ...execution.limits }, models)
  const { runId } = session
  const forked = forkRun(await bound.workflow(), { parentId, place, fields: {} }, runId, execution)
  session.drive(
    forked.then(({ result }) => presentResult(parts, runId, result)) as Promise<CodeAnswer>,
  )
  return session
}

function executionOptions(session: CodeSession, options: SessionOptions) {
  const { onLog, onEvent: _heard, onPermission: _asked, ...others } = options
  const onEvent = (event: LiveEvent) => {
    session.hearLog(event)
    onLog?.(event)
  }
  return { ...others, onEvent, signal: session.signal, answer: session.answer }
}
