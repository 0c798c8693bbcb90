import type { Client, Transport } from '@modelcontextprotocol/client'
import { ScholiumError } from '../../kernel/errors.ts'
import { orAborted, settlesWithin, withDeadline } from '../../kernel/run/deadline.ts'
import {
  connectionError,
  describeReason,
  findSystemCode,
  isLostSession,
  isServerAnswer,
  isTimeout,
  serverTitle,
  stderrSentence,
} from './failure-text.ts'
import type { HttpServerConfig, McpServerConfig } from './mcp-config.ts'
import { createServerFetch, type ServerFetch } from './server-fetch.ts'
import { StdioTransport } from './stdio-transport.ts'

/** Time to connect to a server, long enough to download a package first. */
export const connectTimeoutMs = 60_000
/** A server that does not answer a ping within this time has hung. */
export const pingTimeoutMs = 5_000
/** Time limit for each part of a shutdown; a process has more, see `StdioTransport.close`. */
const goodbyeMs = 1_000
const closeMs = 5_000
/** After this time without a response to the newer handshake, a process gets the older one. */
const probeTimeoutMs = 10_000

/** Events of a connection. */
export interface ConnectionListener {
  /** A sentence for the operator. */
  onNotice(text: string): void
  onToolsChanged(): void
  /** Called once, when it ends without having been closed. */
  onLost(reason: string, kind: Loss): void
}

/** Why a connection was lost: a failure, or the server forgot the session. */
export type Loss = 'failed' | 'forgotten'

/** How this client identifies itself. */
export interface ClientIdentity {
  readonly version: string
}

/** An initialised connection to a server. */
export class McpConnection {
  /** @internal Its type belongs to a package that users of the library do not have. */
  readonly client: Client
  /** Why it can no longer be used. */
  lossReason: string | undefined
  private readonly config: McpServerConfig
  private readonly transport: Transport
  private readonly serverFetch: ServerFetch | undefined
  private readonly listener: ConnectionListener
  private isChecking = false
  private isClosed = false

  private constructor(
    config: McpServerConfig,
    client: Client,
    parts: { readonly transport: Transport; readonly serverFetch?: ServerFetch },
    listener: ConnectionListener,
  ) {
    this.config = config
    this.client = client
    this.transport = parts.transport
    this.serverFetch = parts.serverFetch
    this.listener = listener
  }

  /**
   * Starts or reaches the server and initialises the connection: with protocol version 2026-07-28, or an older one if
   * the server does not understand that.
   * @throws `tool_failed`; `retryable` if a retry may help
   */
  static async open(
    config: McpServerConfig,
    identity: ClientIdentity,
    listener: ConnectionListener,
    signal: AbortSignal,
  ): Promise<McpConnection> {
    const first = await McpConnection.create(config, identity, listener, 'auto')
    try {
      return await first.greet(signal)
    } catch (error) {
      if (signal.aborted) await first.close()
      signal.throwIfAborted()
      if (!first.endedUnasked()) throw first.openingError(error)
    }
    // Some older servers end when the first message is not their own handshake.
    const second = await McpConnection.create(config, identity, listener, 'legacy')
    try {
      return await second.greet(signal)
    } catch (error) {
      if (signal.aborted) await second.close()
      signal.throwIfAborted()
      throw second.openingError(error)
    }
  }

  private static async create(
    config: McpServerConfig,
    identity: ClientIdentity,
    listener: ConnectionListener,
    mode: 'auto' | 'legacy',
  ): Promise<McpConnection> {
    const { Client } = await import('@modelcontextprotocol/client')
    const parts = await createTransport(config, listener)
    const timeoutMs = config.kind === 'stdio' ? probeTimeoutMs : connectTimeoutMs
    const onChanged = () => listener.onToolsChanged()
    const client = new Client(
      { name: 'scholium', version: identity.version },
      {
        versionNegotiation: { mode, probe: { timeoutMs } },
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
        inputRequired: { autoFulfill: false },
      },
    )
    return new McpConnection(config, client, parts, listener)
  }

  /** The negotiated protocol version. */
  get protocolVersion(): string {
    return this.client.getNegotiatedProtocolVersion() ?? 'unknown'
  }

  /** Whether the server has a session for this client, which it may forget. */
  get hasSession(): boolean {
    return this.transport.sessionId !== undefined
  }

  /** Why the server denied access. */
  get refusal(): ScholiumError | undefined {
    return this.serverFetch?.refusal()
  }

  /** The end of the server's standard error, as a sentence; empty if none. */
  get lastWords(): string {
    const { transport } = this
    return transport instanceof StdioTransport ? stderrSentence(transport.stderr.text()) : ''
  }

  /** Pings the server, and gives up the connection if it does not answer. */
  async check(): Promise<void> {
    if (this.isChecking || this.lossReason !== undefined || this.isClosed) return
    this.isChecking = true
    try {
      await this.ping()
    } catch (error) {
      if (isLostSession(error, this)) this.lose('has lost the session', 'forgotten')
      else if (isServerAnswer(error)) return
      else if (isTimeout(error))
        this.lose(`did not respond to a ping within ${pingTimeoutMs / 1000} s`)
      else this.lose(`is no longer reachable: ${describeReason(error, this.config)}`)
    } finally {
      this.isChecking = false
    }
  }

  /** Gives up the connection: pending requests fail, a process is killed. */
  lose(reason: string, kind: Loss = 'failed'): void {
    if (this.lossReason !== undefined || this.isClosed) return
    this.lossReason = reason
    if (this.transport instanceof StdioTransport) this.transport.kill()
    void this.client.close().catch(() => undefined)
    this.listener.onLost(reason, kind)
  }

  /** Closes the connection; resolves when a process is gone or cannot be ended. */
  async close(): Promise<void> {
    this.isClosed = true
    const { transport } = this
    if ('terminateSession' in transport && this.lossReason === undefined) {
      const { terminateSession } = transport as { terminateSession(): Promise<void> }
      await settlesWithin(terminateSession.call(transport), goodbyeMs)
    }
    await settlesWithin(this.client.close(), closeMs)
    await settlesWithin(transport.close(), closeMs)
    this.serverFetch?.close()
  }

  private async ping(): Promise<void> {
    const options = { timeout: pingTimeoutMs }
    const isModern = this.client.getProtocolEra() === 'modern'
    await (isModern ? this.client.discover(options) : this.client.ping(options))
  }

  private async greet(signal: AbortSignal): Promise<this> {
    const { client, transport } = this
    // The client's own limit covers only the handshake's response, not what precedes and follows it.
    await withDeadline(signal, connectTimeoutMs, (stop) => {
      stop.throwIfAborted()
      return orAborted(client.connect(transport, { timeout: connectTimeoutMs }), stop)
    })
    client.onclose = () => this.lose(this.endingText())
    client.onerror = () => {
      // Over HTTP nothing else shows that the server is gone.
      if (!(transport instanceof StdioTransport)) void this.check()
    }
    if (transport instanceof StdioTransport && transport.ending !== undefined) {
      throw new Error('The server ended.')
    }
    return this
  }

  private endingText(): string {
    const { transport } = this
    const ending = transport instanceof StdioTransport ? transport.ending : undefined
    return ending === undefined ? 'closed the connection' : `ended (${ending})`
  }

  private endedUnasked(): boolean {
    const { transport } = this
    return (
      transport instanceof StdioTransport &&
      transport.pid !== null &&
      transport.ending !== undefined &&
      !transport.hasSpoken
    )
  }

  private openingError(error: unknown): ScholiumError {
    const { config, transport } = this
    void this.close()
    const refusal = this.refusal ?? (error instanceof ScholiumError ? error : undefined)
    if (refusal !== undefined) return refusal
    const title = serverTitle(config)
    const ending = transport instanceof StdioTransport ? transport.ending : undefined
    if (ending !== undefined) {
      return connectionError(`${title} ${this.endingText()} before it was ready.${this.lastWords}`)
    }
    const code = findSystemCode(error)
    if (config.kind === 'stdio' && (code === 'ENOENT' || code === 'EACCES')) {
      return new ScholiumError(
        'tool_failed',
        `${title} cannot be started: ${config.command}: ${describeReason(error, config)}.`,
        { hint: 'Check "command" and "cwd" in its configuration, and PATH.', cause: error },
      )
    }
    const what =
      config.kind === 'stdio' ? 'did not become ready' : `cannot be reached at ${config.url}`
    const reason = isTimeout(error)
      ? `it did not answer within ${connectTimeoutMs / 1_000} s`
      : describeReason(error, config)
    return connectionError(`${title} ${what}: ${reason}.${this.lastWords}`, error)
  }
}

async function createTransport(
  config: McpServerConfig,
  listener: ConnectionListener,
): Promise<{ readonly transport: Transport; readonly serverFetch?: ServerFetch }> {
  if (config.kind !== 'stdio') return createHttpTransport(config)
  const transport = new StdioTransport(config)
  transport.onWarning = (text) => listener.onNotice(text)
  return { transport }
}

async function createHttpTransport(
  config: HttpServerConfig,
): Promise<{ readonly transport: Transport; readonly serverFetch: ServerFetch }> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/client'
  )
  const serverFetch = createServerFetch(config, (message) => transport.onmessage?.(message))
  const options = { requestInit: { headers: { ...config.headers } }, fetch: serverFetch.fetch }
  const url = new URL(config.url)
  const transport: Transport =
    config.kind === 'sse'
      ? new SSEClientTransport(url, options)
      : new StreamableHTTPClientTransport(url, options)
  return { transport, serverFetch }
}
