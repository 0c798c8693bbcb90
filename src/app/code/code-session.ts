import type { CodeEvent, PermissionAnswer, PermissionRequest } from '../../code/events.ts'
import type { SessionDriver } from '../../code/parts.ts'
import type { PastTurn, SessionState } from '../../code/state.ts'
import { parseTurnAnswer, type TurnAnswer } from '../../code/turn-answer.ts'
import { type ScholiumError, ScholiumError as Thrown } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { LiveEvent } from '../../kernel/run/event.ts'
import type { AppParts } from '../app-parts.ts'
import type { Question } from '../questions.ts'
import type { CodeAnswer } from '../runs/run-result.ts'
import type { ListedTool, SlashReport } from './run-slash.ts'
import { type StoredMessage, sessionMessages } from './session-messages.ts'

/** Callbacks of a session. */
export interface SessionListeners {
  /** Called with each event. */
  readonly onEvent?: (event: CodeEvent) => void
  /** Decides on a call; the signal aborts when the answer is no longer needed. Default: the session stops with `waiting`. */
  readonly onPermission?: (
    request: PermissionRequest,
    signal: AbortSignal,
  ) => Promise<PermissionAnswer>
}

interface Waiting {
  readonly answer: TurnAnswer
  resolve(turn: PastTurn): void
  reject(error: unknown): void
}

/**
 * An open session of the coding agent. Requests are processed one after another; between them its run waits, so that nothing is
 * lost when it is closed or crashes.
 */
export class CodeSession {
  readonly runId: string
  /** The tools that its model is offered. */
  tools: readonly ListedTool[] = []
  private readonly parts: AppParts
  private readonly listeners: SessionListeners
  private readonly queue: Waiting[] = []
  private current: Waiting | undefined
  /** Answers the prompt at which the run waits. */
  private prompt: ((answer: Json | undefined) => void) | undefined
  private readonly idle: (() => void)[] = []
  private stop: (() => Promise<void>) | undefined
  private turnControl = new AbortController()
  private known: SessionState | undefined
  private isClosing = false
  private isOver = false
  /** Whether the session is busy: also before the first prompt, when it continues an interrupted turn. */
  private isWorking = true
  private readonly control = new AbortController()
  private driven: Promise<CodeAnswer | undefined> = Promise.resolve(undefined)

  /** @param signal interrupts the run */
  constructor(parts: AppParts, runId: string, listeners: SessionListeners, signal?: AbortSignal) {
    this.parts = parts
    this.runId = runId
    this.listeners = listeners
    const onAbort = () => {
      this.control.abort()
      this.isClosing = true
      this.next()
    }
    if (signal?.aborted === true) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  }

  /** Aborted to interrupt the run. */
  get signal(): AbortSignal {
    return this.control.signal
  }

  /** The state after the last turn; `undefined` before the first prompt. */
  get state(): SessionState | undefined {
    return this.known
  }

  /** Whether the run has ended, or was left. */
  get hasEnded(): boolean {
    return this.isOver
  }

  /** Resolves when everything sent is done and the run waits. @throws what ended the run */
  async whenIdle(): Promise<void> {
    if (this.prompt !== undefined && this.queue.length === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.idle.push(resolve)
    await Promise.race([promise, this.driven])
  }

  /**
   * Sends a request or a change of the session; resolves when its turn is over.
   * @throws `invalid_input` for an invalid or too long request, which changes nothing; what ended the run, such as
   * `limit_reached` or `fenced`; `cancelled` for a closed session
   */
  async send(given: string | TurnAnswer): Promise<PastTurn> {
    const answer = parseTurnAnswer(given as Json)
    const { promise, resolve, reject } = Promise.withResolvers<PastTurn>()
    if (this.isClosing) reject(closed())
    else this.queue.push({ answer, resolve, reject })
    this.next()
    return promise
  }

  /** Runs a slash command, such as `/undo`. @throws `invalid_input` for an unknown command or invalid argument */
  async slash(line: string): Promise<SlashReport> {
    const { runSlash } = await import('./run-slash.ts')
    return runSlash(this.parts, this, line)
  }

  /** The conversation as the model knows it, oldest message first. */
  messages(): Promise<readonly StoredMessage[]> {
    return sessionMessages(this.parts.store, this.runId, this.known?.messages ?? [])
  }

  /** Stops the current turn, which keeps what it has done; returns `false` if there is none. */
  async cancelTurn(): Promise<boolean> {
    const { stop } = this
    if (stop === undefined) return false
    await stop()
    this.turnControl.abort()
    return true
  }

  /** Ends the session and returns its result. */
  async finish(): Promise<CodeAnswer> {
    await this.whenIdle()
    if (!this.isOver) await this.send({ kind: 'end' })
    const answer = await this.driven
    if (answer === undefined) throw closed()
    return answer
  }

  /**
   * Leaves the session so that it can be resumed. The current turn is interrupted, not stopped: it continues after
   * resuming.
   */
  async close(): Promise<void> {
    this.isClosing = true
    if (this.isWorking) this.control.abort()
    this.next()
    await this.driven.catch(() => undefined)
  }

  /** What drives the run. */
  get driver(): SessionDriver {
    return {
      onEvent: (event) => this.hear(event),
      onTools: (tools) => {
        this.tools = tools.map(({ name, description, effect }) => ({ name, description, effect }))
      },
      onState: (state) => {
        this.known = state
      },
      onTurn: (stop) => {
        this.stop = stop
        if (stop !== undefined) this.turnControl = new AbortController()
      },
    }
  }

  /** Answers the run's questions. */
  readonly answer = (question: Question): Promise<Json | undefined> => {
    if (question.kind === 'permission') return this.permit(question)
    return new Promise((resolve) => {
      this.prompt = resolve
      this.isWorking = false
      this.next()
      if (this.prompt !== undefined) for (const tell of this.idle.splice(0)) tell()
    })
  }

  /** Takes on the started run, whose end is the session's. */
  drive(run: Promise<CodeAnswer>): void {
    this.driven = run.catch((error: ScholiumError) => {
      if (this.isClosing && (error.code === 'waiting' || error.code === 'cancelled'))
        return undefined
      throw error
    })
    this.driven.then(
      () => this.ended(closed()),
      (error: unknown) => this.ended(error),
    )
  }

  /** Reports what only the log's listeners receive: tokens and progress. */
  hearLog(event: LiveEvent): void {
    if (event.type === 'progress')
      this.hear({ type: 'tool.progress', key: event.key, data: event.data })
    if (event.type !== 'delta' || !/\/agent\/\d+\/model(?:\.empty)?$/.test(event.key)) return
    const { kind, text } = event.data
    this.hear({ type: 'delta', kind, text })
  }

  private ended(error: unknown): void {
    this.isClosing = true
    this.isOver = true
    this.stop = undefined
    this.current?.reject(error)
    for (const waiting of this.queue.splice(0)) waiting.reject(error)
    for (const tell of this.idle.splice(0)) tell()
  }

  /** Passes what was sent next to the run, if it waits. */
  private next(): void {
    const { prompt } = this
    if (prompt === undefined) return
    const next = this.isClosing ? undefined : this.queue.shift()
    if (next === undefined && !this.isClosing) return
    this.prompt = undefined
    this.current = next
    prompt(next?.answer as Json | undefined)
  }

  private hear(event: CodeEvent): void {
    if (event.type === 'turn.started') this.isWorking = true
    this.listeners.onEvent?.(event)
    if (event.type !== 'turn.done') return
    const { current } = this
    this.current = undefined
    this.isWorking = false
    const past = this.known?.turns.at(-1)
    if (past !== undefined) current?.resolve(past)
  }

  private async permit(request: PermissionRequest): Promise<Json | undefined> {
    this.hear({ type: 'permission', request })
    const { onPermission } = this.listeners
    if (onPermission === undefined) return undefined
    const signal = AbortSignal.any([this.turnControl.signal, this.signal])
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return (await Promise.race([onPermission(request, signal), stopped])) as Json
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}

function closed(): ScholiumError {
  return new Thrown('cancelled', 'The session is closed.')
}
