import type { HttpBindings } from '@hono/node-server'
import { OpenAPIHono, type z } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { getPath } from 'hono/utils/url'
import { type App, originalsRoot, packageVersion } from '../app.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { addAgentRoutes } from './agent-routes.ts'
import { addCitedTextRoutes } from './cited-text-routes.ts'
import { addContinueRoutes, addControlRoutes } from './control-routes.ts'
import { addEventRoutes } from './event-routes.ts'
import { addFileRoutes, addGraphRoutes } from './file-routes.ts'
import {
  type Access,
  authenticate,
  carriesBundle,
  changesNothing,
  checkHost,
  checkMayChange,
  checkMediaType,
  checkOrigin,
} from './guard.ts'
import { addInvitationRoute, Invitations, invitationPath } from './invitations.ts'
import { checkLeft, findLeftRuns } from './left-runs.ts'
import { addLibraryChangeRoutes } from './library-change-routes.ts'
import { addLibraryRoutes } from './library-routes.ts'
import { addLogRoutes } from './log-routes.ts'
import { addMcpRoute, mcpPath } from './mcp-route.ts'
import {
  isOpenAiPath,
  maySendFiles,
  OpenAiRequestError,
  toOpenAiError,
} from './openai/openai-error.ts'
import { addOpenAiRoutes } from './openai/openai-routes.ts'
import { PageFiles } from './page-files.ts'
import { PublicForm } from './public-form.ts'
import { RequestError, toErrorAnswer } from './request-error.ts'
import { RunFigures } from './run-figures.ts'
import { RunOwners } from './run-owners.ts'
import { addFigureRoutes, addRunRoutes } from './run-routes.ts'
import type { Api, ApiEnvironment, RunSite } from './run-site.ts'
import { RunningRuns } from './running-runs.ts'
import { checkServedFolder } from './served-folders.ts'
import type { ExtendMcp, HandlerOptions } from './server-options.ts'
import { addSetUpRoutes } from './set-up-routes.ts'
import { addSourceRoutes } from './source-routes.ts'
import { executionFor } from './start-run.ts'
import { StreamSlots } from './stream-slots.ts'
import { checkOwnToken, homeToken } from './token.ts'
import { TokenRuns } from './token-runs.ts'
import { TokenStreams } from './token-streams.ts'
import { operator, type Principal, serverOrigin, TokenFile } from './tokens.ts'
import { isUpload, Uploads } from './uploads.ts'
import { addVerifyRoute } from './verify-route.ts'

/** Answers requests. */
export interface Handler {
  (request: Request): Promise<Response>
  /** The token that requests need. */
  readonly token: string
  /** A code that opens the page with this token, once and within two minutes: `#code=…` after the address. */
  invite(): string
  /**
   * Continues the runs that an earlier handler on this home left when it was closed or its process died, in their order; returns
   * their ids. A run that ended the process twice is left as it is.
   */
  continueRuns(): Promise<readonly string[]>
  /** Interrupts the runs that the handler executes, so that they can be resumed, and starts no more. The app stays open. */
  close(): Promise<void>
}

/**
 * The HTTP API of an app, for any server that speaks the web's `Request` and `Response`. It is a projection of the log: whatever
 * happens to the server, nothing of a run is lost.
 * @throws `invalid_configuration` for a token, an address or a folder that cannot be used
 */
export function createHandler(app: App, options: HandlerOptions = {}): Handler {
  return createExtendedHandler(app, options)
}

/** The same with more in its MCP server, which tests of the protocol call. */
export function createExtendedHandler(
  app: App,
  options: HandlerOptions,
  extendMcp?: ExtendMcp,
): Handler {
  const { maxRequests = 64, maxBodyBytes = 1e6 } = options
  const site = createSite(app, options)
  const { running, form, onFailure } = site
  const access = toAccess(app, options)
  const requests = new OpenRequests(maxRequests)
  const tokenStreams = new TokenStreams(access)
  const page = new PageFiles()
  const invitations = new Invitations(access.token)
  const api = createApi(form, onFailure, pathOf(options))
  api.use(async (c, next) => {
    for (const [name, value] of Object.entries(securityHeaders)) c.header(name, value)
    checkHost(c.req.raw, access)
    // Links of other sites may lead to the page: without a token it can do nothing.
    if (isReading(c.req.method) && page.has(c.req.path)) {
      const { content, headers } = page.read(c.req.path)
      return c.body(content, 200, headers)
    }
    checkOrigin(c.req.raw, access)
    const principal = isOpen(c.req.path) ? undefined : authenticate(c.req.raw, access)
    if (!carriesFile(c.req.path, c.req.raw)) checkMediaType(c.req.raw)
    if (principal === undefined) return next()
    // The tools of the MCP server check for themselves: reading ones are called by POST too.
    const mayRead = isReading(c.req.method) || changesNothing.has(c.req.path)
    if (!mayRead && c.req.path !== mcpPath) checkMayChange(principal)
    c.set('principal', principal)
    await requests.during(principal, next)
    // Nobody reads the body of an answer to HEAD. Routes that tell its length end it themselves: it would be lost here.
    if (c.req.method === 'HEAD' && !c.res.headers.has('content-length')) await c.res.body?.cancel()
    else if (principal !== operator) c.res = tokenStreams.guard(c.res, principal)
  })
  // Whoever has no token sends little.
  api.use(invitationPath, limitOf(Math.min(maxBodyBytes, 1_000)))
  limitBodies(api, maxBodyBytes)
  for (const addRoutes of routes) addRoutes(api, site)
  addOpenAiRoutes(api, site, options.publicUrl)
  addVerifyRoute(api, site, options.maxBundleBytes ?? 1e8)
  addInvitationRoute(api, invitations)
  const closeMcp = addMcpRoute(api, site, extendMcp)
  describeApi(api)
  const handler = async (request: Request, bindings?: Partial<HttpBindings>) =>
    api.fetch(request, bindings ?? {})
  return Object.assign(handler, {
    token: access.token,
    invite: () => invitations.create(),
    continueRuns: () => continueLeft(app, running),
    close: () => closeMcp().finally(() => running.close()),
  })
}

/** Whether a path is there for whoever has no token. */
function isOpen(path: string): boolean {
  return path === '/openapi.json' || path === invitationPath
}

/** What the routes work with. */
function createSite(app: App, options: HandlerOptions): RunSite {
  const { maxRuns = 4, maxStreams = 2_500, slowReaderMs = 30_000, resuming = app } = options
  const { maxRunsPerToken = 100, maxStreamsPerToken = 250 } = options
  const { onFailure = () => {}, filesFolder = '', agentsFolder = '' } = options
  for (const path of [filesFolder, agentsFolder])
    if (path !== '') checkServedFolder(path, app.home.path)
  const owners = new RunOwners(app)
  const running = new RunningRuns(maxRuns, onFailure, async (runId, execution) => {
    await checkLeft(app, runId)
    const user = await owners.ownerOf(runId)
    const labels = { origin: serverOrigin, ...(user && { user }) }
    return resuming.resume(runId, { ...execution, ...executionFor(app, options, {}), ...labels })
  })
  return {
    app,
    resuming,
    owners,
    figures: new RunFigures(app),
    policy: options,
    running,
    form: new PublicForm(
      [app.home.path, app.folder, filesFolder, agentsFolder],
      originalsRoot(app.home.path),
    ),
    streams: new StreamSlots({ maxStreams, maxStreamsPerToken, slowReaderMs }),
    uploads: new Uploads(app, options),
    tokenRuns: new TokenRuns(maxRunsPerToken, running, owners),
    onFailure,
  }
}

async function continueLeft(app: App, running: RunningRuns): Promise<readonly string[]> {
  const left = await findLeftRuns(app)
  running.continue(left)
  return left
}

const routes = [
  addRunRoutes,
  addFigureRoutes,
  addEventRoutes,
  addControlRoutes,
  addContinueRoutes,
  addLogRoutes,
  addFileRoutes,
  addGraphRoutes,
  addCitedTextRoutes,
  addLibraryRoutes,
  addLibraryChangeRoutes,
  addSourceRoutes,
  addSetUpRoutes,
  addAgentRoutes,
]

/** Whether a body is a file: an upload, or a bundle that is to be verified. */
function carriesFile(path: string, request: Request): boolean {
  return isUpload(path, request) || carriesBundle(request, path)
}

/** Limits the size of bodies, except of files, which have limits of their own. */
function limitBodies(api: Api, maxSize: number): void {
  const limit = limitOf(maxSize)
  const limitWithFiles = limitOf(maxSize + maxSentFilesBytes)
  api.use((c, next) => {
    if (carriesFile(c.req.path, c.req.raw)) return next()
    return (maySendFiles(c.req.path) ? limitWithFiles : limit)(c, next)
  })
}

/** How much longer a body can be in which questions of programs have files: 10 MB of these, as base64. */
const maxSentFilesBytes = 14e6

/** The API without routes: it answers requests that are invalid, that fail, or that no route is for. */
function createApi(
  form: PublicForm,
  onFailure: (error: unknown) => void,
  getPath: (request: Request) => string,
): Api {
  const api: Api = new OpenAPIHono<ApiEnvironment>({
    getPath,
    defaultHook: (outcome) => {
      if (!outcome.success) throw malformed(outcome.error)
    },
  })
  api.onError((error, c) => {
    const { status, body } = toErrorAnswer(error)
    if (status === 500 && !(error instanceof OpenAiRequestError) && !hasLeft(error))
      onFailure(error)
    if (status === 401) c.header('WWW-Authenticate', 'Bearer')
    if (isOpenAiPath(c.req.path)) {
      const given = toOpenAiError(error)
      return c.json(form.of(given.body), given.status)
    }
    return c.json(form.of(body), status)
  })
  api.notFound(() => {
    throw new RequestError('not_found', 'There is nothing at this address.', 'See /openapi.json.')
  })
  return api
}

/** Whether a client left before it had sent its request. */
function hasLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}

/**
 * The path of a request below the server's public address: proxies leave its prefix or take it away.
 */
function pathOf({ publicUrl }: HandlerOptions): (request: Request) => string {
  const prefix = publicUrl === undefined ? '' : (URL.parse(publicUrl)?.pathname ?? '')
  const start = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix
  return (request) => {
    const path = getPath(request)
    return start !== '' && path.startsWith(`${start}/`) ? path.slice(start.length) : path
  }
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The requests of each token that are being answered. */
class OpenRequests {
  private readonly maxRequests: number
  private readonly open = new Map<string, number>()

  constructor(maxRequests: number) {
    this.maxRequests = maxRequests
  }

  /** @throws `too_many_requests` while as many as allowed are being answered */
  async during({ name }: Principal, answer: () => Promise<void>): Promise<void> {
    const count = this.open.get(name) ?? 0
    if (count >= this.maxRequests)
      throw new RequestError(
        'too_many_requests',
        `${this.maxRequests} requests with this token are being answered.`,
        'Wait for their answers.',
      )
    this.open.set(name, count + 1)
    try {
      await answer()
    } finally {
      const left = (this.open.get(name) ?? 1) - 1
      if (left === 0) this.open.delete(name)
      else this.open.set(name, left)
    }
  }
}

/** The API at `/openapi.json`, made from its routes. */
function describeApi(api: Api): void {
  api.openAPIRegistry.registerComponent('securitySchemes', 'token', {
    type: 'http',
    scheme: 'bearer',
  })
  api.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Scholium', version: packageVersion },
    security: [{ token: [] }],
  })
}

const securityHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

function toAccess(app: App, { token, hosts = [], publicUrl }: HandlerOptions): Access {
  const given = token ?? process.env.SCHOLIUM_TOKEN
  if (given === undefined) app.makeHome()
  return {
    tokens: new TokenFile(app.home.path),
    token: given === undefined ? homeToken(app.home.path) : checkOwnToken(given),
    hosts,
    ...(publicUrl === undefined ? {} : { publicOrigin: originOf(publicUrl) }),
  }
}

function originOf(address: string): string {
  const url = URL.parse(address)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.origin
  throw new ScholiumError('invalid_configuration', `Invalid public address: "${address}".`, {
    hint: 'Write it as https://papers.example.org.',
  })
}

const maxProblems = 5

/** What of a request does not fit its schema. */
function malformed({ issues }: z.ZodError): RequestError {
  const problems = issues.slice(0, maxProblems).map(({ path, message }) => {
    const place = path.map(String).join('.').slice(0, maxPlaceLength)
    return place === '' ? message : `${place}: ${message}`
  })
  const text = `The request does not fit: ${problems.join('; ').slice(0, maxProblemLength)}`
  return new RequestError('malformed', text, 'See /openapi.json for its form.')
}

const maxPlaceLength = 200
const maxProblemLength = 1_000

function limitOf(maxSize: number) {
  const tooLarge = new RequestError('too_large', `The body is larger than ${maxSize} bytes.`)
  return bodyLimit({ maxSize, onError: () => Promise.reject(tooLarge) })
}
