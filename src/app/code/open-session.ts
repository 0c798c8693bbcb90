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

/** A session to open. */
export interface CodeRequest {
  /** The folder in which it works. Default: the app's. A resumed session keeps its own. */
  readonly workspace?: string
  /** The session to resume: a run's id, a part of it, or `last` for the newest of the workspace. One that has ended is forked. */
  readonly resume?: string
  /** The session to fork, and the turn after which the fork starts. Default: the last. */
  readonly fork?: { readonly run: string; readonly turn?: number }
  /** Settings other than the defaults. For a resumed session: which of its permissions it keeps. */
  readonly settings?: Partial<CodeSettings>
  /** Which configured MCP servers may be used: all, none or these. Default: those of the app's settings. */
  readonly mcp?: boolean | readonly string[]
  /** Your own tools. The person is asked before a call that may change something. A resumed session needs them again. */
  readonly tools?: readonly Tool[]
  /** Whether web pages may be fetched. Default false. */
  readonly web?: boolean
  /** Further rights that a resumed session keeps, in addition to `settings` and `web`. Its record alone grants nothing. */
  readonly grants?: readonly Right[]
  /** Skill folders in addition to those of the project and the home. A resumed session keeps its own. */
  readonly skills?: readonly string[]
  /** Whether the folder's instructions count as the person's own. Default: if the person trusts the folder, or agrees when asked. */
  readonly isTrusted?: boolean
  /** The id of a new session, from `SessionReader.newId`. Default: a new one. */
  readonly runId?: string
  /** Title in lists. */
  readonly title?: string
}

/** Options of an open session. */
export interface SessionOptions extends SessionListeners, RunLabels {
  /** Interrupts the run, which can be resumed. */
  readonly signal?: AbortSignal
  readonly limits?: Limits
  /** Called with the events of the run's log, and with tokens and progress. */
  readonly onLog?: (event: LiveEvent) => void
}

/** How a resumed session is driven, and its rights. */
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

/** The rights that a request grants a resumed session. */
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
  await parts.readWindows(options, parts.modelSource, bound)
  const execution = parts.execution(executionOptions(session, options), parts.modelSource, bound)
  requirePrices(execution.limits ?? {}, parts.modelSource)
  const { runId } = session
  const run = startRun(await bound.workflow(), input as JsonObject, runId, execution)
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

/** Continues a session as another run, which shares the past and leaves the original unchanged. */
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
  await parts.readWindows(options, models, bound)
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
