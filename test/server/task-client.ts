import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { JsonValue } from '@modelcontextprotocol/ext-tasks/core'
import { root } from '../repo/source-file.ts'
import type { McpWorld } from './mcp-client.ts'

/** The protocol's answer to a request. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into results of many forms
export type RawReply = { readonly result?: any; readonly error?: any }

type RawRequest = { readonly method: string; readonly params?: Record<string, JsonValue> }

/** What the extension's own client sends with. */
abstract class Connection {
  readonly endpointId = 'test'
  readonly taskCapabilities = { generation: 'v2', capabilities: {} } as const
  readonly invalidated = false
  private readonly extensions: Readonly<Record<string, JsonValue>>
  private sent = 0

  constructor(extensions: Readonly<Record<string, JsonValue>>) {
    this.extensions = extensions
  }

  /** Sends a message, and resolves with the one that answers it. */
  protected abstract exchange(message: RawMessage): Promise<RawReply>

  async send({ method, params = {} }: RawRequest): Promise<RawReply> {
    const own = (params._meta ?? {}) as Record<string, JsonValue>
    const _meta = {
      ...own,
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {
        elicitation: { form: {} },
        extensions: this.extensions,
      },
    }
    const id = ++this.sent
    return this.exchange({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })
  }

  async dispatch(request: JsonValue) {
    const { result, error } = await this.send(request as unknown as RawRequest)
    return error === undefined
      ? { kind: 'result' as const, result }
      : { kind: 'error' as const, error }
  }

  readonly onServerRequest = () => () => {}
  readonly onNotification = () => () => {}
  readonly onInvalidated = () => () => {}
  abstract close(): Promise<void>
}

type RawMessage = RawRequest & { readonly jsonrpc: '2.0'; readonly id: number }

/** Requests of revision 2026-07-28 to `/mcp` of a server, as they are on the wire. */
export class HttpConnection extends Connection {
  private readonly url: string
  private readonly token: string

  constructor(url: string, token: string, extensions: Readonly<Record<string, JsonValue>>) {
    super(extensions)
    this.url = url
    this.token = token
  }

  protected override async exchange(message: RawMessage): Promise<RawReply> {
    const { name, taskId } = message.params ?? {}
    const response = await fetch(`${this.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': message.method,
        'mcp-name': String(name ?? taskId),
      },
      body: JSON.stringify(message),
    })
    return (await response.json()) as RawReply
  }

  override async close(): Promise<void> {}
}

/** A `scholium mcp` process, and requests of revision 2026-07-28 as they are on the wire. */
export class RawConnection extends Connection {
  readonly child: ChildProcess
  private readonly waiting = new Map<number, (reply: RawReply) => void>()

  constructor(world: McpWorld, extensions: Readonly<Record<string, JsonValue>>) {
    super(extensions)
    const model = ['--model', 'openai-compatible:scripted']
    const args = [join(root, 'bin/scholium.js'), 'mcp', '--source', 'glimmerstone.md', ...model]
    this.child = spawn(process.execPath, args, {
      cwd: join(world.folder, 'work'),
      env: world.environment,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    createInterface({ input: this.child.stdout as Readable }).on('line', (line) => {
      const { id, ...reply } = JSON.parse(line)
      this.waiting.get(id)?.(reply)
    })
  }

  protected override exchange(message: RawMessage): Promise<RawReply> {
    return new Promise((resolve) => {
      this.waiting.set(message.id, resolve)
      ;(this.child.stdin as Writable).write(`${JSON.stringify(message)}\n`)
    })
  }

  override async close(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const closed = once(this.child, 'close')
    this.child.kill(signal)
    await closed
  }
}
