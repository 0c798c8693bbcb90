import { ScholiumError } from '../../kernel/errors.ts'
import { type Clock, systemClock } from '../../kernel/run/clock.ts'
import { orAborted } from '../../kernel/run/deadline.ts'
import {
  describeReason,
  isLostSession,
  isTimeout,
  type Request,
  serverTitle,
  toCallFailure,
} from './failure-text.ts'
import type { McpServerConfig } from './mcp-config.ts'
import { type ClientIdentity, type Loss, McpConnection } from './mcp-connection.ts'
import { cleanLine } from './untrusted-text.ts'

/** Something that the operator should know of a server. */
export interface McpNotice {
  readonly server: string
  readonly level: 'info' | 'warning'
  /** One sentence that names the server. */
  readonly text: string
}

/** What a server needs of its surroundings. */
export interface McpSurroundings extends ClientIdentity {
  onNotice(notice: McpNotice): void
  /** Default: the system's. */
  readonly clock?: Clock
}

/** How a server stands. */
export type McpStatus =
  | { readonly state: 'idle' }
  | { readonly state: 'connected'; readonly protocolVersion: string; readonly title: string }
  | { readonly state: 'dropped'; readonly reason: string }

/** A server may fail so often before it is given up. */
const maxRestarts = 1
const backOffMs = 1_000
/** A server that has worked for so long since its last start has earned another one. */
const healthyMs = 10 * 60_000

/**
 * One server: connected on first use, started again once when it ends or hangs, then dropped with the reason.
 * What is in flight when it ends fails; for what may have changed something the failure is `outcome_unknown`.
 */
export class McpServer {
  readonly config: McpServerConfig
  /** Grows when the server says that its tools are others now, and with each new connection. */
  toolsVersion = 0
  private readonly surroundings: McpSurroundings
  private readonly clock: Clock
  private current: McpConnection | undefined
  private opening: Promise<McpConnection> | undefined
  private connectedAtMs = 0
  private failures = 0
  private dropped: ScholiumError | undefined
  private readonly closing = new AbortController()

  constructor(config: McpServerConfig, surroundings: McpSurroundings) {
    this.config = config
    this.surroundings = surroundings
    this.clock = surroundings.clock ?? systemClock
  }

  /** Its name in the configuration. */
  get name(): string {
    return this.config.name
  }

  /** How it stands now; asking does not connect it. */
  status(): McpStatus {
    if (this.dropped !== undefined) return { state: 'dropped', reason: this.dropped.message }
    const { current } = this
    if (current === undefined || current.lossReason !== undefined) return { state: 'idle' }
    const known = current.client.getServerVersion()
    const title = known === undefined ? '' : cleanLine(`${known.name} ${known.version}`, 100)
    return { state: 'connected', protocolVersion: current.protocolVersion, title }
  }

  /**
   * Does something with the connected server.
   * @throws `tool_failed`, `outcome_unknown` for a write whose answer was lost, or the signal's reason
   */
  async request<T>(
    request: Request,
    work: (connection: McpConnection) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const connection = await orAborted(this.connection(), signal)
      try {
        return await work(connection)
      } catch (error) {
        if (signal.aborted) {
          if (isTimeout(signal.reason)) void connection.check()
          throw signal.reason
        }
        if (attempt === 1 && isLostSession(error, connection)) {
          connection.lose('has lost the session', 'forgotten')
          continue
        }
        if (isTimeout(error)) void connection.check()
        throw toCallFailure({ config: this.config, connection, request, error })
      }
    }
  }

  /** Tells the operator something of this server; the text goes on after its name and a colon. */
  notice(level: McpNotice['level'], text: string): void {
    this.tell(level, `${serverTitle(this.config)}: ${text}`)
  }

  /** Ends the connection; resolves when a process is gone. It is not connected again. */
  async close(): Promise<void> {
    this.dropped ??= new ScholiumError('tool_failed', `${serverTitle(this.config)} was closed.`)
    this.closing.abort(this.dropped)
    const opened = await this.opening?.catch(() => undefined)
    await Promise.all([this.current?.close(), opened?.close()])
    this.current = undefined
  }

  private async connection(): Promise<McpConnection> {
    if (this.dropped !== undefined) throw this.dropped
    if (this.current !== undefined && this.current.lossReason === undefined) return this.current
    this.opening ??= this.open().finally(() => {
      this.opening = undefined
    })
    return this.opening
  }

  private async open(): Promise<McpConnection> {
    for (;;) {
      if (this.failures > 0) await this.clock.sleep(backOffMs, this.closing.signal)
      try {
        return this.adopt(await this.connect())
      } catch (error) {
        this.closing.signal.throwIfAborted()
        this.countFailure(error)
      }
      if (this.dropped !== undefined) throw this.dropped
    }
  }

  private connect(): Promise<McpConnection> {
    const listener = {
      onNotice: (text: string) => this.notice('warning', text),
      onToolsChanged: () => {
        this.toolsVersion += 1
      },
      onLost: (reason: string, kind: Loss) => this.countLoss(reason, kind),
    }
    return McpConnection.open(this.config, this.surroundings, listener, this.closing.signal)
  }

  private adopt(connection: McpConnection): McpConnection {
    this.current = connection
    this.connectedAtMs = this.clock.now()
    if (this.failures > 0) this.notice('info', 'was reconnected.')
    this.toolsVersion += 1
    return connection
  }

  private countFailure(error: unknown): void {
    const failure =
      error instanceof ScholiumError
        ? error
        : new ScholiumError('tool_failed', describeReason(error, this.config), { retryable: true })
    this.failures += failure.retryable ? 1 : maxRestarts + 1
    if (this.failures > maxRestarts) this.drop(failure.message, failure.hint)
    else this.notice('warning', `failed and will be retried once: ${failure.message}`)
  }

  private countLoss(reason: string, kind: Loss): void {
    // A session that is forgotten is no failure of the server.
    if (kind === 'forgotten') {
      this.notice('info', `${reason} and is initialised again.`)
      return
    }
    const words = this.current?.lastWords ?? ''
    if (this.clock.now() - this.connectedAtMs > healthyMs) this.failures = 0
    this.failures += 1
    if (this.failures <= maxRestarts) {
      this.notice('warning', `${reason}; it will be reconnected when needed.${words}`)
    } else this.drop(`${serverTitle(this.config)} ${reason}, not for the first time.${words}`)
  }

  private drop(reason: string, hint?: string): void {
    if (this.dropped !== undefined) return
    const options = hint === undefined ? {} : { hint }
    const sentence = /[.!?]$/.test(reason) ? reason : `${reason}.`
    this.dropped = new ScholiumError(
      'tool_failed',
      `${sentence} It will not be used any more.`,
      options,
    )
    this.tell('warning', this.dropped.message)
  }

  private tell(level: McpNotice['level'], text: string): void {
    this.surroundings.onNotice({ server: this.name, level, text })
  }
}
