import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import {
  type ClientCapabilities,
  type ClientConnection,
  type ClientContext,
  client,
  type InitializeResponse,
  type NewSessionResponse,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import {
  type ModelRequestSeen,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../../src/testing/index.ts'
import { root } from '../repo/source-file.ts'

/** What the scripted model says, by what it sees. */
export type Script = (seen: ModelRequestSeen) => ScriptedReply

/** How the process is started. */
interface Start {
  readonly args?: readonly string[]
  /** Default: the scripted one. */
  readonly model?: readonly string[]
  readonly capabilities?: ClientCapabilities
}

/** An editor of which the client's side is the protocol's own, with a real `scholium acp` at the other end and a model over HTTP. */
export class Editor {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'scholium-acp-')))
  readonly workspace = join(this.root, 'work')
  readonly updates: SessionUpdate[] = []
  readonly asked: RequestPermissionRequest[] = []
  model!: ScriptedModel
  child!: ChildProcess
  connection!: ClientConnection
  /** What came on stdout, whole. */
  stdout = ''
  stderr = ''
  script: Script = () => ({ text: 'nothing more' })
  /** What the person says when they are asked. */
  answer: (asked: RequestPermissionRequest) => Promise<string> | string = () => 'no'

  constructor(files: Readonly<Record<string, string>> = {}) {
    mkdirSync(this.workspace)
    this.put(files)
  }

  put(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.workspace, path)), { recursive: true })
      writeFileSync(join(this.workspace, path), text)
    }
  }

  get agent(): ClientContext {
    return this.connection.agent
  }

  /** Starts the process and says hello. */
  async start(options: Start = {}): Promise<InitializeResponse> {
    this.model ??= await startScriptedModel((seen) => this.script(seen))
    this.spawn(options)
    const { stdin, stdout } = this.child as ChildProcess & { stdin: Writable; stdout: Readable }
    const stream = ndJsonStream(
      Writable.toWeb(stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
    )
    this.connection = client({ name: 'test' })
      .onRequest('session/request_permission', ({ params }) => this.permit(params))
      .onNotification('session/update', ({ params }) => {
        this.updates.push(params.update)
      })
      .connect(stream)
    return this.agent.request<InitializeResponse>('initialize', {
      protocolVersion: 1,
      clientCapabilities: options.capabilities ?? {},
    })
  }

  /** The process alone, to be spoken with by hand. */
  spawn({
    args = [],
    model = ['--model', 'openai-compatible:scripted'],
  }: Start = {}): ChildProcess {
    this.child = spawn(
      process.execPath,
      [join(root, 'bin/scholium.js'), 'acp', ...model, ...args],
      {
        cwd: this.workspace,
        env: {
          PATH: process.env.PATH,
          HOME: this.root,
          XDG_CONFIG_HOME: join(this.root, 'config'),
          SCHOLIUM_HOME: join(this.root, 'home'),
          OPENAI_BASE_URL: this.model?.url ?? 'http://127.0.0.1:9',
        },
      },
    )
    this.child.stdout?.on('data', (chunk) => {
      this.stdout += chunk
    })
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk
    })
    this.child.stdin?.on('error', () => {})
    return this.child
  }

  /** A session that begins in the workspace. */
  async open(): Promise<string> {
    const given = { cwd: this.workspace, mcpServers: [] }
    return (await this.agent.request<NewSessionResponse>('session/new', given)).sessionId
  }

  prompt(sessionId: string, text: string) {
    const prompt = [{ type: 'text' as const, text }]
    return this.agent.request('session/prompt', { sessionId, prompt })
  }

  /** The updates of a kind, in order. */
  heard<Kind extends SessionUpdate['sessionUpdate']>(
    kind: Kind,
  ): Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
    return this.updates.filter(({ sessionUpdate }) => sessionUpdate === kind) as never
  }

  /** What was said in chunks of a kind, joined. */
  said(kind: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk'): string {
    return this.heard(kind)
      .map(({ content }) => (content.type === 'text' ? content.text : ''))
      .join('')
  }

  /** Ends the process as a crash does, and starts another. */
  async crash(): Promise<void> {
    await this.end('SIGKILL')
    this.updates.length = 0
    await this.start()
  }

  /** Ends the process; gives its exit code. */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    const { child } = this
    if (child.exitCode !== null) return child.exitCode
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
    if (signal === undefined) child.stdin?.end()
    else child.kill(signal)
    return closed
  }

  async close(): Promise<void> {
    if (this.child !== undefined) await this.end('SIGKILL')
    await this.model?.close()
    rmSync(this.root, { recursive: true, force: true })
  }

  private async permit(asked: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    this.asked.push(asked)
    const optionId = await this.answer(asked)
    if (optionId === 'cancelled') return { outcome: { outcome: 'cancelled' } }
    return { outcome: { outcome: 'selected', optionId } }
  }
}
