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

/** A `scholium mcp` process, and requests of revision 2026-07-28 as they are on the wire. */
export class RawConnection {
  readonly child: ChildProcess
  readonly endpointId = 'test'
  readonly taskCapabilities = { generation: 'v2', capabilities: {} } as const
  readonly invalidated = false
  private readonly waiting = new Map<number, (reply: RawReply) => void>()
  private readonly extensions: Readonly<Record<string, JsonValue>>

  constructor(world: McpWorld, extensions: Readonly<Record<string, JsonValue>>) {
    this.extensions = extensions
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

  send({ method, params = {} }: RawRequest): Promise<RawReply> {
    const id = this.waiting.size + 1
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
    const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta } }
    return new Promise((resolve) => {
      this.waiting.set(id, resolve)
      ;(this.child.stdin as Writable).write(`${JSON.stringify(message)}\n`)
    })
  }

  /** What the extension's own client sends with. */
  async dispatch(request: JsonValue) {
    const { result, error } = await this.send(request as unknown as RawRequest)
    return error === undefined
      ? { kind: 'result' as const, result }
      : { kind: 'error' as const, error }
  }

  readonly onServerRequest = () => () => {}
  readonly onNotification = () => () => {}
  readonly onInvalidated = () => () => {}

  async close(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const closed = once(this.child, 'close')
    this.child.kill(signal)
    await closed
  }
}
