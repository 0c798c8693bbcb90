import { ScholiumError } from '../../kernel/errors.ts'
import { type Clock, systemClock } from '../../kernel/run/clock.ts'
import { orAborted } from '../../kernel/run/deadline.ts'
import {
  describeReason,
  isLostSession,
  isTimeout,
  type ServerRequest,
  serverTitle,
  toCallFailure,
} from './failure-text.ts'
import type { McpConfig, McpServerConfig } from './mcp-config.ts'
import { type ClientIdentity, type Loss, McpConnection } from './mcp-connection.ts'
import { cleanLine } from './untrusted-text.ts'

/** Something about a server for the operator. */
export interface McpNotice {
  readonly server: string
  readonly level: 'info' | 'warning'
  /** A sentence that names the server. */
  readonly text: string
}

/** What a server needs from its surroundings. */
export interface McpSurroundings extends ClientIdentity {
  onNotice(notice: McpNotice): void
  /** Default: the system's. */
  readonly clock?: Clock
}

/** A server's status. */
export type McpStatus =
  | { readonly state: 'idle' }
  | { readonly state: 'connected'; readonly protocolVersion: string; readonly title: string }
  | { readonly state: 'dropped'; readonly reason: string }

/** Restarts after failures before a server is given up. */
const maxRestarts = 1
const backOffMs = 1_000
/** After working this long, a server may be restarted again. */
const healthyMs = 10 * 60_000

/**
 * A server: connected on first use, restarted once when it ends or hangs, then dropped with the reason. Requests pending
 * at its end fail, writes with `outcome_unknown`.
 */
export class McpServer {
  readonly config: McpServerConfig
  /** Increases when the server reports changed tools, and with each new connection. */
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

  /** Its current status; does not connect. */
  status(): McpStatus {
    if (this.dropped !== undefined) return { state: 'dropped', reason: this.dropped.message }
    const { current } = this
    if (current === undefined || current.lossReason !== undefined) return { state: 'idle' }
    const known = current.client.getServerVersion()
    const title = known === undefined ? '' : cleanLine(`${known.name} ${known.version}`, 100)
    return { state: 'connected', protocolVersion: current.protocolVersion, title }
  }

  /**
   * Sends a request over the connection.
   * @throws `tool_failed`, `outcome_unknown` for a write whose response was lost, or the signal's reason
   */
  async request<T>(
    request: ServerRequest,
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

  /** Reports something to the operator; the text follows the server's name and a colon. */
  notice(level: McpNotice['level'], text: string): void {
    this.tell(level, `${serverTitle(this.config)}: ${text}`)
  }

  /** Closes the connection for good; resolves when a process is gone. */
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
    // A forgotten session is not a failure of the server.
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

/** The servers of a configuration. Each starts on first use; close them when done. */
export class McpServers {
  readonly servers: readonly McpServer[]

  constructor(config: Pick<McpConfig, 'servers'>, surroundings: McpSurroundings) {
    this.servers = config.servers.map((server) => new McpServer(server, surroundings))
  }

  /**
   * The server with this name.
   * @throws `invalid_input` if there is none
   */
  get(name: string): McpServer {
    const server = this.servers.find((candidate) => candidate.name === name)
    if (server !== undefined) return server
    const names = this.servers.map((known) => known.name).join(', ')
    throw new ScholiumError(
      'invalid_input',
      `There is no MCP server "${name}". Servers: ${names || 'none'}.`,
    )
  }

  /** Ends all connections and processes; resolves when they are gone. */
  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()))
  }
}
