import {
  type AgentContext,
  type AvailableCommand,
  type ContentBlock,
  type PromptResponse,
  RequestError,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk'
import {
  type CodeEvent,
  type CodeSession,
  type CodeSettings,
  type PastTurn,
  type PermissionAnswer,
  type PermissionRequest,
  parseSlash,
  type SlashName,
  slashCommands,
} from '../app.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { sumAccounts } from '../kernel/run/accounts.ts'
import type { LiveEvent } from '../kernel/run/event.ts'
import { cutText } from '../kernel/text/cut-text.ts'
import { AcpEventForwarder } from './acp-event-forwarder.ts'
import type { FolderApp } from './acp-site.ts'
import { askEditor } from './ask-editor.ts'
import { type Request, readPrompt } from './prompt-content.ts'
import { failureError, requestError } from './request-error.ts'
import { fenced } from './text-content.ts'
import { type ShownSettings, WantedSettings } from './wanted-settings.ts'

/** A session as an editor opened it. */
export interface SessionPlace {
  /** The editor's id of it. */
  readonly id: string
  /** Its run. */
  readonly runId: string
  readonly workspace: string
  readonly folder: FolderApp
  readonly client: AgentContext
  readonly hasNotices: boolean
  /** Its settings; of a new session, the ones it will have. */
  readonly settings: ShownSettings
  readonly isNew: boolean
  /** A remark to show first. */
  readonly remark?: string
}

/**
 * A session that an editor drives. Its run is created with the first request; before that, nothing is done or written.
 */
export class AcpSession {
  readonly place: SessionPlace
  readonly settings: WantedSettings
  private readonly teller: AcpEventForwarder
  private session: CodeSession | undefined
  private runId: string
  private isNew: boolean
  private isBusy = false
  private isStopping = false
  private isClosed = false
  private isStopSent = false
  /** Aborts the question about the folder of a new session. */
  private opening: AbortController | undefined
  /** Tokens of the last model call, input and output. */
  private usedTokens = 0
  private remark: string | undefined

  constructor(place: SessionPlace) {
    this.place = place
    this.runId = place.runId
    this.isNew = place.isNew
    this.remark = place.remark
    const { hasNotices, workspace, folder } = place
    const { embedding: _vectors, ...models } = folder.app.models
    this.settings = new WantedSettings(() => this.shownSettings, Object.values(models))
    this.teller = new AcpEventForwarder({
      hasNotices,
      workspace,
      send: (update) => this.send(update),
    })
  }

  get isWorking(): boolean {
    return this.isBusy
  }

  /** Runs a prompt. @throws `RequestError` */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    if (this.isBusy)
      throw RequestError.invalidRequest(undefined, 'this session is already processing a prompt')
    const request = readPrompt(blocks, this.place.workspace)
    this.isBusy = true
    this.isStopping = false
    this.isStopSent = false
    const { mode, model } = this.settings
    try {
      return { stopReason: await this.workOn(request) }
    } catch (error) {
      if (this.isStopping || this.isClosed) return { stopReason: 'cancelled' }
      throw requestError(error)
    } finally {
      this.isBusy = false
      const isChanged = mode !== this.settings.mode || model !== this.settings.model
      if (isChanged) this.tellSettings()
    }
  }

  /** Stops the current work. */
  cancel(): void {
    if (!this.isBusy) return
    this.isStopping = true
    this.opening?.abort()
    this.stopTurn()
  }

  /** Leaves the session so that it can be resumed. */
  async close(): Promise<void> {
    this.isClosed = true
    this.opening?.abort()
    await this.session?.close()
  }

  /** Sends the current settings to the editor. */
  tellSettings(): void {
    this.send({ sessionUpdate: 'current_mode_update', currentModeId: this.settings.mode })
    this.send({ sessionUpdate: 'config_option_update', configOptions: this.settings.options })
  }

  send(update: SessionUpdate): void {
    const { client, id } = this.place
    // If the editor has gone, its connection ends, which is handled there.
    client.notify('session/update', { sessionId: id, update }).catch(() => {})
  }

  private get shownSettings(): ShownSettings {
    const { model, ...others } = this.session?.state?.settings ?? {}
    return { ...this.place.settings, ...others, ...(model === undefined ? {} : { model }) }
  }

  /**
   * What the session may do without asking when it is resumed: what the person has allowed since the editor opened it.
   */
  private get granted(): Pick<CodeSettings, 'allow' | 'isYolo'> {
    const { allow, isYolo } = this.shownSettings
    return { allow, isYolo }
  }

  /** A turn can be stopped only after it has started, so this retries until it is. */
  private stopTurn(): void {
    if (this.isStopSent || this.session === undefined) return
    this.isStopSent = true
    this.session.cancelTurn().then(
      (isStopped) => {
        this.isStopSent = isStopped
      },
      () => {},
    )
  }

  private async workOn(request: Request): Promise<StopReason> {
    const { attachments, pictures, text } = request
    const line = attachments.length + pictures.length === 0 ? text : ''
    const refusal = refusedCommand(line)
    if (refusal !== undefined) {
      this.teller.tell(refusal)
      return 'end_turn'
    }
    const command = /^!(.*\S)/s.exec(line)?.[1]
    const isSlash = parseSlash(line) !== undefined
    if (command === undefined && !isSlash && this.settings.model === 'extractive') throw noModel()
    if (this.remark !== undefined) this.teller.notice('warning', this.remark)
    this.remark = undefined
    const session = await this.opened(text)
    await session.whenIdle()
    if (this.isStopping) return 'cancelled'
    await this.applyWanted(session)
    if (command !== undefined) return this.runCommand(session, command)
    if (isSlash) return this.doSlash(session, line)
    const turn = await session.send({ kind: 'prompt', ...request })
    await this.tellCost()
    return toStopReason(turn)
  }

  private async runCommand(session: CodeSession, command: string): Promise<StopReason> {
    const { answer, outcome } = await session.send({ kind: 'command', command: command.trim() })
    this.teller.tell(fenced(answer))
    return stopReasons[outcome]
  }

  private async doSlash(session: CodeSession, line: string): Promise<StopReason> {
    const { text, turn } = await session.slash(line)
    if (turn?.kind === 'prompt') return toStopReason(turn)
    if (text !== '') this.teller.tell(text)
    return 'end_turn'
  }

  /** Applies the current settings to a resumed session as a turn of their own, so that they are recorded. */
  private async applyWanted(session: CodeSession): Promise<void> {
    const { change } = this.settings
    if (Object.keys(change).length === 0) return
    this.settings.settle()
    const { failure } = await session.send({ kind: 'settings', change })
    if (failure === undefined) return
    this.tellSettings()
    throw failureError(failure)
  }

  private async opened(title: string): Promise<CodeSession> {
    const { session, place } = this
    if (session !== undefined && !session.hasEnded) return session
    const { app, resuming, defaults, execution } = place.folder
    const request = this.isNew
      ? {
          ...defaults,
          settings: { ...defaults.settings, ...this.settings.change } as Partial<CodeSettings>,
          runId: this.runId,
          workspace: place.workspace,
          title,
        }
      : { resume: this.runId, web: defaults.web ?? false, settings: this.granted }
    const opened = await (this.isNew ? app : resuming).code(request, {
      ...execution,
      onEvent: (event) => this.hear(event),
      onLog: (event) => this.hearLog(event),
      onPermission: (asked, signal) => this.permit(asked, signal),
    })
    this.session = opened
    this.runId = opened.runId
    if (this.isNew) {
      this.settings.settle()
      this.send({ sessionUpdate: 'session_info_update', title: shortTitle(title) })
    }
    this.isNew = false
    if (this.isClosed) await opened.close()
    return opened
  }

  private hear(event: CodeEvent): void {
    this.teller.hear(event)
    if (this.isStopping) this.stopTurn()
  }

  private hearLog(event: LiveEvent): void {
    this.place.folder.execution.onLog?.(event)
    if (event.type !== 'step.done') return
    const { usage } = event.data
    if (usage === undefined || !/\/agent\/\d+\/model(?:\.empty)?$/.test(event.key)) return
    this.teller.tellUsage(usage.inputTokens + usage.outputTokens)
    this.usedTokens = usage.inputTokens + usage.outputTokens
  }

  private async tellCost(): Promise<void> {
    const { app } = this.place.folder
    const { costUsd } = await sumAccounts(app.events(this.runId, { withOutput: false }))
    this.teller.tellUsage(this.usedTokens, costUsd)
  }

  private permit(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer> {
    if (request.kind === 'trust') return this.askTrust(request)
    // What can only be allowed once is asked about one call at a time.
    const { toolName, always } = request
    const isEdit = (toolName === 'edit' || toolName === 'write') && always.length > 0
    if (isEdit && this.settings.acceptsEdits) return Promise.resolve({ decision: 'once' })
    const { id: sessionId, client } = this.place
    const stop = () => this.cancel()
    return askEditor({ sessionId, client, teller: this.teller, stop }, request, signal)
  }

  /**
   * Asks about the folder, as a call of its own. @throws `cancelled` if the person stops: the session then starts with
   * another prompt
   */
  private async askTrust(request: PermissionRequest): Promise<PermissionAnswer> {
    const { id: sessionId, client } = this.place
    const { callId, toolName } = request
    const control = new AbortController()
    this.opening = control
    const stopped = new Promise<never>((_, reject) => {
      const error = new ScholiumError('cancelled', 'The person stopped.')
      control.signal.addEventListener('abort', () => reject(error))
    })
    this.teller.hear({ type: 'tool.started', callId, toolName, input: {} })
    const site = { sessionId, client, teller: this.teller, stop: () => this.cancel() }
    let output = 'Not answered.'
    try {
      const answer = await Promise.race([askEditor(site, request, control.signal), stopped])
      output = answer.decision === 'no' ? 'Not trusted.' : 'Trusted.'
      return answer
    } finally {
      this.opening = undefined
      this.teller.hear({ type: 'tool.done', callId, toolName, output, isError: false })
    }
  }
}

const maxTitleCharacters = 100

function shortTitle(text: string): string {
  return cutText(text.replaceAll(/\s+/g, ' ').trim(), maxTitleCharacters)
}

function noModel(): ScholiumError {
  return new ScholiumError('invalid_configuration', 'No language model is configured.', {
    hint: 'Start it with one, such as "scholium acp --model ollama:qwen3", or set one in scholium.yaml.',
  })
}

/** @throws `RequestError` for a failed turn */
function toStopReason({ outcome, failure }: PastTurn): StopReason {
  if (outcome === 'failed' && failure !== undefined) throw failureError(failure)
  return stopReasons[outcome]
}

const stopReasons: Readonly<Record<PastTurn['outcome'], StopReason>> = {
  answer: 'end_turn',
  length: 'max_tokens',
  done: 'end_turn',
  max_steps: 'max_turn_requests',
  limit: 'max_tokens',
  cancelled: 'cancelled',
  failed: 'refusal',
}

/** Commands that the editor has itself: it opens and leaves sessions, and shows thoughts. */
const ofTerminals: readonly SlashName[] = ['resume', 'fork', 'exit', 'thoughts']

/** The commands offered to an editor. */
export function offeredCommands(): AvailableCommand[] {
  return slashCommands
    .filter(({ name }) => !ofTerminals.includes(name))
    .map(({ name, parameters, meaning }) => ({
      name,
      description: meaning,
      ...(parameters === '' ? {} : { input: { hint: parameters } }),
    }))
}

/** Why a session's command is not available in an editor; `undefined` for every other line. */
function refusedCommand(line: string): string | undefined {
  const slash = parseSlash(line)
  if (slash?.kind !== 'command' || !ofTerminals.includes(slash.name)) return undefined
  return `/${slash.name} is handled by the editor, which opens, lists and closes sessions.`
}
