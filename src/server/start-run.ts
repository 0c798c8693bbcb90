import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { z } from '@hono/zod-openapi'
import type { App, AskRequest, ExecutionOptions, PapersRequest, RunResult } from '../app.ts'
import { makeUserFolder } from '../files/user-folder.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { Limits } from '../kernel/limits/limits.ts'
import { findAgent } from './agent-files.ts'
import { ownSources } from './library-view.ts'
import { RequestError } from './request-error.ts'
import type { startRequest } from './run-schemas.ts'
import type { RunSite } from './run-site.ts'
import type { StartedRun } from './running-runs.ts'
import type { RunPolicy } from './server-options.ts'
import type { Principal } from './tokens.ts'

type StartRequest = z.infer<typeof startRequest>
type Requested<Name extends StartRequest['workflow']> = Extract<
  StartRequest,
  { readonly workflow: Name }
>

/** Where a request is executed, and for whom. */
export interface RequestSite {
  readonly app: App
  readonly policy: RunPolicy
  readonly principal: Principal
  /** Files and folders that came with the question. Default: none. */
  readonly files?: readonly string[]
}

/**
 * Executes what a request asks for, under the operator's policy. What somebody uploaded is searched with the library.
 * @throws `forbidden` for what the operator does not allow, and as the app's methods
 */
export async function executeRequest(
  { app, policy, principal, files = [] }: RequestSite,
  request: StartRequest,
  execution: ExecutionOptions,
): Promise<RunResult> {
  const options = { ...execution, ...executionFor(app, policy, request) }
  if (request.workflow === 'ask') {
    const asked = toAsk(policy, request)
    const sources = [...(asked.sources ?? []), ...files, ...(await ownSources(app, principal))]
    return app.ask({ ...asked, sources }, options)
  }
  if (request.workflow === 'papers') {
    const asked = toPapers(policy, request)
    const { web, add = [], continue: earlier } = asked
    const { sources = earlier || web ? [] : [libraryWord] } = asked
    const own = [...sources, ...add].includes(libraryWord) ? await ownSources(app, principal) : []
    return app.papers(
      own.length === 0 ? asked : { ...asked, sources: [...sources, ...own] },
      options,
    )
  }
  const file = await findAgent(policy, request.agent)
  const input = (request.input ?? {}) as JsonObject
  checkWeb(policy, request.web)
  const web = request.web ?? isWebAllowed(policy)
  const workspace = policy.filesFolder ?? makeWorkspace(app.home.path, execution.user)
  return app.runAgent(file, input, { ...options, web, workspace })
}

/** The folder in the home where agent files read and write for a user, where the operator opens no folder. */
function makeWorkspace(home: string, user = ''): string {
  const name = createHash('sha256').update(user).digest('hex').slice(0, 32)
  const folder = join(home, 'workspaces', name)
  makeUserFolder(folder)
  return folder
}

/**
 * Starts a run for somebody. A review that was made before is given again only if they may see it; else it is made anew.
 * @param start starts the run; `isFresh` says that no earlier result may be given
 */
export async function startFor<Started extends StartedRun>(
  { owners }: Pick<RunSite, 'owners'>,
  principal: Principal,
  start: (isFresh: boolean) => Promise<Started>,
): Promise<Started> {
  const started = await start(false)
  if (started.isNew || (await owners.isVisible(started, principal))) return started
  return start(true)
}

/** What a run is executed with by a request that asks for limits and labels, under the operator's policy. */
export function executionFor(
  app: App,
  policy: RunPolicy,
  { limits, session }: Pick<StartRequest, 'limits' | 'session'>,
): ExecutionOptions {
  return {
    ...(limits === undefined ? {} : { limits: withinLimits(app.limits, limits) }),
    ...(session === undefined ? {} : { session }),
    ...grantsOf(policy),
  }
}

/** A question under the operator's policy. @throws `forbidden` */
export function toAsk(policy: RunPolicy, request: Requested<'ask'>): AskRequest {
  const { workflow: _w, limits: _l, session: _s, sources, ...asked } = request
  checkWeb(policy, request.web)
  return {
    ...policy.defaults?.(request.continue !== undefined).ask,
    ...withoutAbsent(asked),
    question: request.question,
    ...(sources === undefined ? {} : toSources(policy, withoutLibrary(sources))),
  }
}

function toPapers(policy: RunPolicy, request: Requested<'papers'>): PapersRequest {
  const { workflow: _w, limits: _l, session: _s, sources, add, ...asked } = request
  checkWeb(policy, request.web)
  const { sources: added, ...root } = toSources(policy, add ?? [], [libraryWord])
  return {
    ...policy.defaults?.(request.continue !== undefined).papers,
    ...withoutAbsent(asked),
    ...(sources === undefined ? {} : toSources(policy, sources, [libraryWord])),
    ...(add === undefined ? {} : { add: added, ...root }),
  }
}

/** What the operator allows runs that are resumed or continued. */
export function grantsOf(policy: RunPolicy): Pick<ExecutionOptions, 'grants'> {
  return isWebAllowed(policy) ? { grants: [{ kind: 'web', value: '' }] } : {}
}

/** What stands for the library among sources. */
const libraryWord = 'library'

/** The sources of a question or a check, which search the library anyway. */
export function withoutLibrary(sources: readonly string[]): readonly string[] {
  return sources.filter((name) => name !== libraryWord)
}

type WithoutAbsent<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }

function withoutAbsent<T extends object>(value: T): WithoutAbsent<T> {
  const given = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(given) as WithoutAbsent<T>
}

/** Whether the operator allows the web. */
export function isWebAllowed({ defaults }: RunPolicy): boolean {
  return defaults?.(false).ask.web === true
}

function checkWeb(policy: RunPolicy, web: boolean | undefined): void {
  if (web !== true || isWebAllowed(policy)) return
  throw new RequestError(
    'forbidden',
    'This server does not use the web.',
    'The operator can allow it with the option --web.',
  )
}

/**
 * The sources that a request names, inside the operator's folder.
 * @param words what stands for no file
 * @throws `forbidden` for any others
 */
export function toSources(
  { filesFolder }: RunPolicy,
  names: readonly string[],
  words: readonly string[] = [],
): { readonly sources: readonly string[]; readonly sourcesRoot?: string } {
  const isFile = (name: string) => !words.includes(name)
  if (filesFolder === undefined) {
    if (!names.some(isFile)) return { sources: names }
    throw new RequestError(
      'forbidden',
      'Requests cannot name files at this server.',
      'The operator can open a folder: scholium serve --files DIR',
    )
  }
  const outside = names.find((name) => isFile(name) && !isInside(name))
  if (outside !== undefined)
    throw new RequestError(
      'forbidden',
      'A source lies outside of the folder of files.',
      "Give paths relative to the operator's folder, without `..`.",
    )
  const sources = names.map((name) => (isFile(name) ? join(filesFolder, name) : name))
  return { sources, sourcesRoot: filesFolder }
}

function isInside(name: string): boolean {
  const parts = name.split('/')
  return !/^\/|[\\\0]|^[A-Za-z]:/.test(name) && !parts.includes('..')
}

/** A request can lower the operator's limits, not raise them. */
function withinLimits(of: Limits, asked: NonNullable<StartRequest['limits']>): Limits {
  const { maxSeconds, ...others } = asked
  const given: Limits = {
    ...withoutAbsent(others),
    ...(maxSeconds === undefined ? {} : { maxWallMs: Math.ceil(maxSeconds * 1_000) }),
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      Math.min(value, of[name as keyof Limits] ?? Infinity),
    ]),
  )
}
