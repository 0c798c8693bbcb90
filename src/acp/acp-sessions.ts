import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import {
  type AgentContext,
  type ClientCapabilities,
  type ContentBlock,
  type ListSessionsResponse,
  type McpServer,
  type NewSessionResponse,
  type PromptResponse,
  RequestError,
  type ResumeSessionResponse,
  type SessionInfo,
} from '@agentclientprotocol/sdk'
import { limitSettings } from '../app.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { AcpSession, offeredCommands, type SessionPlace } from './acp-session.ts'
import { type AcpSite, type FolderApp, FolderApps } from './acp-site.ts'
import { toldPast } from './replay-history.ts'
import { refusedParams } from './request-error.ts'

/** The editor's parameters for opening a session. */
interface Opening {
  readonly cwd: string
  readonly mcpServers?: readonly McpServer[]
  readonly additionalDirectories?: readonly string[]
}

const sessionsAPage = 50

/** The sessions that an editor has open, and those that it can open. */
export class AcpSessions {
  /** What the editor can show. */
  capabilities: ClientCapabilities = {}
  private readonly site: AcpSite
  private readonly apps: FolderApps
  private readonly open = new Map<string, AcpSession>()

  constructor(site: AcpSite) {
    this.site = site
    this.apps = new FolderApps(site)
  }

  /** Whether the model of the process's folder takes pictures; configuration errors are reported with a session. */
  async takesImages(): Promise<boolean> {
    try {
      const { app } = await this.apps.in(this.site.folder)
      return (await app.sessions()).model.takesImages
    } catch {
      return false
    }
  }

  /** Creates a session. @throws `RequestError`, `invalid_configuration` */
  async begin(opening: Opening, client: AgentContext): Promise<NewSessionResponse> {
    const folder = await this.folderOf(opening)
    const reader = await folder.app.sessions()
    const id = reader.newId()
    const given = folder.defaults.settings ?? {}
    const { allow = [], isYolo = false, model = reader.model.name } = given
    const place = {
      id,
      runId: id,
      workspace: resolve(opening.cwd),
      isNew: true,
      settings: { allow, isYolo, model },
    }
    const session = this.add(this.placed(place, folder, client, opening))
    return { sessionId: id, ...described(session, opening) }
  }

  /** Opens an existing session and replays it. @throws `RequestError`, `run_not_found` */
  async load(id: string, opening: Opening, client: AgentContext): Promise<ResumeSessionResponse> {
    const known = this.open.get(id)
    const session = await this.found(id, opening, client)
    const { folder } = session.place
    const reader = await folder.app.sessions()
    const past = await reader.past(await reader.latest(id)).catch((error: unknown) => {
      // A session without a request has no past.
      if (known !== undefined && error instanceof ScholiumError && error.code === 'run_not_found')
        return undefined
      throw error
    })
    const { interrupted: _open, ...before } = past ?? { turns: [], todo: [], workspace: '' }
    const told = known?.isWorking === true ? before : (past ?? before)
    for (const update of toldPast(told as NonNullable<typeof past>)) session.send(update)
    return described(session, opening)
  }

  /** Opens an existing session without replaying it. @throws `RequestError`, `run_not_found` */
  async resume(id: string, opening: Opening, client: AgentContext): Promise<ResumeSessionResponse> {
    return described(await this.found(id, opening, client), opening)
  }

  /** An open session. @throws `RequestError` */
  get(id: string): AcpSession {
    const session = this.open.get(id)
    if (session === undefined) throw RequestError.sessionNotFound(id)
    return session
  }

  /** Runs a prompt in an open session. @param signal aborts when the editor no longer waits @throws `RequestError` */
  async prompt(
    id: string,
    blocks: readonly ContentBlock[],
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    const session = this.get(id)
    const cancel = () => session.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    return session.prompt(blocks).finally(() => signal.removeEventListener('abort', cancel))
  }

  /** Lists sessions, newest first. @param cwd only those of this folder @param cursor the end of the previous page */
  async list(cwd: string | undefined, cursor: string | undefined): Promise<ListSessionsResponse> {
    if (cwd !== undefined) requireAbsolute(cwd)
    const from = cursor === undefined ? 0 : Number(cursor)
    if (!Number.isSafeInteger(from) || from < 0) throw refusedParams('Unknown cursor.')
    const apps = cwd === undefined ? await this.apps.eachHome() : [await this.apps.in(resolve(cwd))]
    const all: (SessionInfo & { readonly at: number })[] = []
    for (const { app } of apps)
      for await (const line of (await app.sessions()).list(cwd && resolve(cwd))) {
        const { runId: sessionId, title, workspace, updatedAtMs: at } = line
        all.push({ sessionId, cwd: workspace, title, updatedAt: new Date(at).toISOString(), at })
      }
    all.sort((one, other) => other.at - one.at)
    const sessions = all.slice(from, from + sessionsAPage).map(({ at: _at, ...info }) => info)
    const next = from + sessionsAPage
    return { sessions, ...(next < all.length ? { nextCursor: String(next) } : {}) }
  }

  /** Removes a session with everything it recorded; a missing one is no error. @throws `run_busy` */
  async remove(id: string): Promise<void> {
    const open = this.open.get(id)
    await this.close(id).catch(() => undefined)
    const apps = open === undefined ? await this.apps.eachHome() : [open.place.folder]
    for (const { app } of apps) await (await app.sessions()).remove(id)
  }

  /** Leaves a session so that it can be loaded again. @throws `RequestError` if it is not open */
  async close(id: string): Promise<void> {
    const session = this.get(id)
    this.open.delete(id)
    await session.close()
  }

  async closeAll(): Promise<void> {
    const sessions = [...this.open.values()]
    this.open.clear()
    await Promise.allSettled(sessions.map((session) => session.close()))
    await this.apps.close()
  }

  private async found(id: string, opening: Opening, client: AgentContext): Promise<AcpSession> {
    const known = this.open.get(id)
    if (known !== undefined && known.place.workspace === resolve(opening.cwd)) return known
    const folder = await this.folderOf(opening)
    const reader = await folder.app.sessions()
    const past = await reader.past(await reader.latest(id))
    if (past.workspace !== resolve(opening.cwd))
      throw refusedParams(`The session ${id} works in ${past.workspace}, not in ${opening.cwd}.`)
    const { runId, workspace, model } = past
    const { allow = [], isYolo = false } = folder.defaults.settings ?? {}
    const settings = limitSettings(past.settings, { allow, isYolo })
    const place = {
      id,
      runId,
      workspace,
      isNew: false,
      settings: { ...settings, model: settings.model ?? model },
    }
    return this.add(this.placed(place, folder, client, opening))
  }

  private placed(
    place: Omit<SessionPlace, 'folder' | 'client' | 'hasNotices' | 'remark'>,
    folder: FolderApp,
    client: AgentContext,
    opening: Opening,
  ): SessionPlace {
    const remark = leftOutText(opening)
    const hasNotices = (this.capabilities.session?.notices ?? undefined) !== undefined
    return { ...place, folder, client, hasNotices, ...(remark === undefined ? {} : { remark }) }
  }

  private add(place: SessionPlace): AcpSession {
    const session = new AcpSession(place)
    this.open.set(place.id, session)
    return session
  }

  private async folderOf({ cwd, additionalDirectories = [] }: Opening): Promise<FolderApp> {
    requireAbsolute(cwd)
    if (additionalDirectories.length > 0)
      throw refusedParams('A session works in one folder: give no additionalDirectories.')
    const status = await stat(cwd).catch(() => undefined)
    if (status?.isDirectory() !== true) throw refusedParams(`There is no folder ${cwd}.`)
    return this.apps.in(resolve(cwd))
  }
}

/** The response to opening a session. */
function described(session: AcpSession, { mcpServers = [] }: Opening) {
  // After the response: until then, editors do not know the session and drop its updates (zed-industries/zed#60199).
  setImmediate(() =>
    session.send({
      sessionUpdate: 'available_commands_update',
      availableCommands: offeredCommands(),
    }),
  )
  const { modes, options: configOptions } = session.settings
  const left = mcpServers.map(({ name }) => name)
  return {
    modes,
    configOptions,
    ...(left.length === 0 ? {} : { _meta: { scholium: { mcpServersLeftOut: left } } }),
  }
}

function leftOutText({ mcpServers = [] }: Opening): string | undefined {
  if (mcpServers.length === 0) return undefined
  const names = mcpServers.map(({ name }) => name).join(', ')
  return `The editor's MCP servers are not used (${names}): Scholium starts only those in your own .mcp.json next to its configuration, and only with --mcp.`
}

function requireAbsolute(cwd: string): void {
  if (!isAbsolute(cwd)) throw refusedParams(`The folder must be an absolute path, not "${cwd}".`)
}
