import type {
  CodeEvent,
  CodeRequest,
  PermissionAnswer,
  PermissionRequest,
  Right,
  SettingsChange,
  SlashReport,
  TurnAnswer,
} from '../../app.ts'
import { ScholiumError, toFailure } from '../../kernel/errors.ts'
import { addedTo } from '../arguments/app-settings.ts'
import { type Block, failureBlocks } from './blocks.ts'
import { pastBlocks } from './past-turns.ts'
import {
  answeredBlock,
  heldPanel,
  newPanel,
  openPanel,
  type PermissionPanel,
  requestBlocks,
} from './permission-panel.ts'
import type { Sending, SessionPort, SessionSite, WorkListeners } from './session-port.ts'
import { firstView, hearEvent, put, type SessionView } from './session-view.ts'
import { UsageMeter } from './usage-meter.ts'

/** What was sent, as it was typed. */
type Sent = { readonly shown: string; readonly sending: Sending }

/**
 * A session while a person works with it: what was sent, what is asked, and what it shows. It is opened with the first
 * request.
 */
export class SessionWork {
  readonly meter = new UsageMeter()
  private readonly site: SessionSite
  private readonly listeners: WorkListeners
  private request: CodeRequest
  private session: SessionPort | undefined
  /** The previous session, which is left once another is open. */
  private left: SessionPort | undefined
  private shownView: SessionView = firstView
  private waiting: readonly Sent[] = []
  private isWorking = false
  private startedAtMs = 0
  /** Whether the past conversation has been printed; a new session has none. */
  private hasPast: boolean
  /** The last request of a resumed session. */
  private lastRequest = ''
  private asked: { panel: PermissionPanel; answer(given: PermissionAnswer): void } | undefined
  /** When the person last pressed a key that answered nothing. */
  typedAtMs = Number.NEGATIVE_INFINITY

  constructor(site: SessionSite, request: CodeRequest, listeners: WorkListeners) {
    this.site = site
    this.request = request
    this.listeners = listeners
    this.hasPast = request.resume === undefined && request.fork === undefined
    const showsThoughts = request.settings?.showThoughts ?? false
    this.shownView = { ...firstView, last: 'other', showsThoughts }
  }

  get view(): SessionView {
    return this.shownView
  }

  /** Sent lines that wait for their turn, as they were typed. */
  get queue(): readonly string[] {
    return this.waiting.map(({ shown }) => shown)
  }

  get panel(): PermissionPanel | undefined {
    return this.asked?.panel
  }

  /** Whether a turn is in progress or starting. */
  get isBusy(): boolean {
    return this.isWorking
  }

  get elapsedMs(): number {
    return this.isWorking ? this.listeners.now() - this.startedAtMs : 0
  }

  get runId(): string | undefined {
    return this.session?.runId ?? this.request.resume
  }

  get state(): SessionPort['state'] {
    return this.session?.state
  }

  /** The settings, as far as they are known before the session is open. */
  get settings(): SettingsChange {
    return (this.session?.state?.settings ?? this.request.settings ?? {}) as SettingsChange
  }

  /** Opens an existing session and shows its past. */
  async begin(): Promise<void> {
    await this.during('prompt', () => this.enter())
    await this.workOff()
  }

  /** Sends something now, or when its turn comes. @param shown as the person typed it */
  async send(shown: string, sending: Sending): Promise<void> {
    this.waiting = [...this.waiting, { shown, sending }]
    this.listeners.onChange()
    if (!this.isWorking) await this.workOff()
  }

  /** Takes back what waits for its turn. */
  takeQueue(): readonly string[] {
    const { queue } = this
    this.waiting = []
    this.listeners.onChange()
    return queue
  }

  /** Stops the current work; returns `false` if there is none. */
  async cancel(): Promise<boolean> {
    if (!this.isWorking) return false
    // Before the session is open, nothing can be stopped; only the question about its folder can be pending.
    if (this.session === undefined && this.asked !== undefined) this.answer({ decision: 'no' })
    return (await this.session?.cancelTurn()) ?? false
  }

  /** Answers the pending question. */
  answer(given: PermissionAnswer): void {
    const { asked } = this
    if (asked === undefined) return
    this.asked = undefined
    this.put([answeredBlock(given, asked.panel.request)], 'tool')
    asked.answer(given)
  }

  /** The question is on the screen: keys typed from now on can answer it. */
  drawn(): void {
    const { asked } = this
    if (asked?.panel.opensAtMs === Number.POSITIVE_INFINITY)
      asked.panel = openPanel(asked.panel, this.listeners.now(), this.typedAtMs)
  }

  /** Lets the person explain a no. */
  note(): void {
    if (this.asked !== undefined) this.asked.panel = { ...this.asked.panel, isNoting: true }
    this.listeners.onChange()
  }

  /** Keeps letters from answering the question while the person types. */
  hold(): void {
    const { asked } = this
    if (asked !== undefined) asked.panel = heldPanel(asked.panel, this.listeners.now())
  }

  /** Tells the person something. */
  tell(block: Block): void {
    this.put([block], 'other')
  }

  /** Leaves the session so that it can be resumed later. */
  async close(): Promise<void> {
    await this.session?.close()
    await this.left?.close()
  }

  /** Runs a command of the session at once, even during a turn. */
  async look(shown: string, line: string): Promise<void> {
    this.put([{ kind: 'person', text: shown }], 'person')
    await this.guarded(() => this.slash(line))
  }

  /** Works off what was sent, in order. */
  private async workOff(): Promise<void> {
    while (this.waiting.length > 0) {
      const [{ shown, sending }, ...others] = this.waiting as readonly [Sent, ...Sent[]]
      this.waiting = others
      this.put([{ kind: 'person', text: shown }], 'person')
      await this.during(sending.kind, async () => {
        if (sending.kind === 'slash') return this.slash(sending.line)
        const session = await this.opened(sending)
        await session.send(sending)
      })
    }
  }

  private async during(turn: string, work: () => Promise<void>): Promise<void> {
    this.isWorking = true
    this.startedAtMs = this.listeners.now()
    this.shownView = { ...this.shownView, turn }
    this.listeners.onChange()
    await this.guarded(work)
    this.isWorking = false
    this.shownView = { ...this.shownView, turn: undefined }
    this.listeners.onChange()
  }

  /** Prints the past conversation, once; of an interrupted turn, before its work continues. */
  private showPast(): void {
    const { state } = this
    if (this.hasPast || state === undefined) return
    this.hasPast = true
    this.put(pastBlocks(state), 'other')
  }

  /** What takes a turn reports itself through events. */
  private async slash(line: string): Promise<void> {
    const session = await this.opened()
    const { text, turn, action } = await session.slash(line)
    if (turn === undefined && text !== '') this.put([{ kind: 'told', text }], 'other')
    if (action?.kind === 'exit') this.listeners.onExit()
    if (action?.kind === 'resume' || action?.kind === 'fork')
      await this.change(readChange(action, this.site, this.request, this))
  }

  /** Switches to another session; if that cannot be opened, this one stays unchanged. */
  private async change(wanted: Promise<SessionChange>): Promise<void> {
    const { session, request: before, hasPast, shownView } = this
    try {
      const { request, told } = await wanted
      this.left = session
      this.session = undefined
      this.hasPast = false
      this.request = request
      this.shownView = { ...firstView, last: 'person', turn: 'prompt' }
      await this.enter()
      await this.left?.close()
      this.tell({ kind: 'notice', level: 'info', text: told(this.runId ?? '') })
    } catch (error) {
      if (this.session !== session) await this.session?.close()
      this.session = session
      this.request = before
      this.hasPast = hasPast
      this.shownView = shownView
      this.put(failureBlocks(toFailure(error)), 'other')
    }
  }

  /** Opens the existing session, and applies what the command line sets. */
  private async enter(): Promise<void> {
    const { settings: change = {}, resume } = this.request
    this.lastRequest = resume === undefined ? '' : await this.site.lastRequest(resume)
    const session = await this.opened()
    this.showPast()
    if (Object.keys(change).length > 0)
      await session.send({ kind: 'settings', change: addedTo(session.state?.settings, change) })
  }

  private async opened(first?: TurnAnswer): Promise<SessionPort> {
    if (this.session !== undefined) return this.session
    const { request } = this
    const isNew = request.resume === undefined && request.fork === undefined
    const title = first?.kind === 'prompt' ? { title: first.text } : {}
    const session = await this.site.open(isNew ? { ...request, ...title } : request, {
      onEvent: (event) => this.hear(event),
      onLog: (event) => this.meter.hear(event),
      onPermission: (asked, signal) => this.ask(asked, signal),
    })
    this.session = session
    await session.whenIdle()
    if (!isNew) await this.meter.begin(this.site.events(session.runId))
    return session
  }

  /** Runs work that may end the run, and reports why it did. The session continues with the next request. */
  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const failure = toFailure(error)
      const runId = this.session?.runId
      this.put(failureBlocks(failure), 'other')
      if (['cancelled', 'invalid_input'].includes(failure.code) || runId === undefined) return
      const { fork: _fork, resume: _resume, ...kept } = granting(this.request, this.settings)
      await this.session?.close()
      this.session = undefined
      this.request = failure.code === 'run_not_found' ? kept : { ...kept, resume: runId }
      this.shownView = { ...this.shownView, turn: undefined, tools: [] }
    }
  }

  private hear(event: CodeEvent): void {
    if (!this.hasPast && event.type === 'turn.started') {
      this.showPast()
      this.put([{ kind: 'person', text: this.lastRequest }], 'person')
      this.tell({ kind: 'notice', level: 'info', text: 'This was interrupted; resuming it.' })
    }
    const { view, blocks } = hearEvent(this.shownView, event)
    this.shownView = { ...view, showsThoughts: this.settings.showThoughts ?? view.showsThoughts }
    if (blocks.length > 0) this.listeners.onBlocks(blocks)
    this.listeners.onChange()
  }

  private ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer> {
    const { promise, resolve } = Promise.withResolvers<PermissionAnswer>()
    this.asked = { panel: newPanel(request), answer: resolve }
    const onAbort = () => {
      this.asked = undefined
      this.listeners.onChange()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    this.put(requestBlocks(request), 'tool')
    return promise
  }

  private put(blocks: readonly Block[], group: SessionView['last']): void {
    const again = group === 'other' && this.asked ? requestBlocks(this.asked.panel.request) : []
    const given = put(this.shownView, [...blocks, ...again], group)
    this.shownView = given.view
    if (given.blocks.length > 0) this.listeners.onBlocks(given.blocks)
    this.listeners.onChange()
  }
}

/** Another session to switch to, and the message once it is open. */
interface SessionChange {
  readonly request: CodeRequest
  /** @param runId of the session that was opened */
  told(runId: string): string
}

/**
 * The request with which a session was opened, plus what the person allowed at this terminal: for when it is resumed.
 */
function granting(request: CodeRequest, settings: SettingsChange): CodeRequest {
  const rules = (settings.allow ?? []).map((value): Right => ({ kind: 'allow', value }))
  const yolo: readonly Right[] = settings.isYolo === true ? [{ kind: 'yolo', value: '' }] : []
  return { ...request, grants: [...rules, ...yolo] }
}

type Action = Extract<SlashReport['action'], { kind: 'resume' | 'fork' }>

/**
 * The session that a command switches to.
 * @param before the request with which the open session was opened
 * @param open the open session: a fork may do without asking what it may
 * @throws `run_not_found`, `invalid_input` for a run that is not a session, or that is open
 */
async function readChange(
  action: Action,
  site: SessionSite,
  before: CodeRequest,
  open: { readonly runId: string | undefined; readonly settings: SettingsChange },
): Promise<SessionChange> {
  const { settings: _set, resume: _resume, fork: _fork, workspace: _own, ...kept } = before
  if (action.kind === 'resume') {
    const { runId, workspace } = await site.find(action.run)
    if (runId === open.runId) throw new ScholiumError('invalid_input', `This is session ${runId}.`)
    const { grants: _granted, ...other } = kept
    return { request: { ...other, resume: runId }, told: (id) => `Session ${id} in ${workspace}` }
  }
  const { run, turn } = action
  return {
    request: granting(
      { ...kept, fork: { run, ...(turn === undefined ? {} : { turn }) } },
      open.settings,
    ),
    told: (id) => `Session ${id}. A fork does not restore files: they stay as they are now.`,
  }
}
