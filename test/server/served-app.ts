import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { schemaErrors } from '../../src/agents/actions/tools/json-schema/validate.ts'
import { type App, type AppOptions, createApp } from '../../src/index.ts'
import type { Json } from '../../src/kernel/json.ts'
import {
  createHandler,
  type Handler,
  type HandlerOptions,
  type Listening,
  type ListenOptions,
  listen,
} from '../../src/server/index.ts'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'

/** A question that the served library answers. */
export const question = 'What is glimmerstone?'
const page = '# Glimmerstone\n\nGlimmerstone is a mineral that melts at 412 degrees Celsius.\n'
const token = 'token-of-the-tests'

/** A model that waits before its answers while it is held. */
export class HeldModel {
  private release: () => void = () => {}
  private held: Promise<void> = Promise.resolve()
  model: ScriptedModel | undefined

  async start(): Promise<void> {
    const script = scriptTeam()
    this.model = await startScriptedModel(async (seen) => {
      await this.held
      return script(seen)
    })
  }

  hold(): void {
    this.held = new Promise((resolve) => {
      this.release = resolve
    })
  }

  letGo = () => this.release()

  get options() {
    return {
      models: { default: 'openai-compatible:scripted' },
      environment: { OPENAI_BASE_URL: this.model?.url ?? '', OPENAI_API_KEY: 'key-of-the-tests' },
    }
  }
}

/** An answer to a request: its status, headers and JSON body. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many forms
  readonly body: any
}

/** A server over HTTP on loopback, with a home of its own and one page in the library. */
export class ServedApp {
  readonly folder = mkdtempSync(join(tmpdir(), 'scholium-server-'))
  private readonly apps: App[] = []
  private handler: Handler | undefined
  private listening: Listening | undefined
  private described: unknown

  /** An app over the same home. */
  openApp(options: AppOptions = {}): App {
    const home = join(this.folder, 'home')
    mkdirSync(home, { recursive: true })
    const app = createApp({ home, folder: this.folder, environment: {}, ...options })
    this.apps.push(app)
    return app
  }

  async start(
    options: HandlerOptions = {},
    appOptions: AppOptions = {},
    listenOptions: ListenOptions = {},
  ): Promise<App> {
    const app = this.openApp(appOptions)
    this.write('glimmerstone.md', page)
    await Array.fromAsync(app.addToLibrary(['glimmerstone.md']))
    this.handler = createHandler(app, { token, ...options })
    this.listening = await listen(this.handler, { port: 0, ...listenOptions })
    return app
  }

  get url(): string {
    return this.listening?.url ?? ''
  }

  write(name: string, text: string): string {
    const path = join(this.folder, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  /** Sends a request with the token. */
  fetch(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...(headers as Record<string, string>) },
    })
  }

  /** Sends a request; its answer has to be as `/openapi.json` says, and tells no place of this machine. */
  async call(
    method: 'get' | 'post' | 'delete',
    path: string,
    body?: unknown,
    by = token,
  ): Promise<Reply> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await this.fetch(path, {
      method: method.toUpperCase(),
      headers: { authorization: `Bearer ${by}`, ...type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(text).not.toContain(this.folder)
    const reply = {
      status: response.status,
      headers: response.headers,
      body: isJson(response) ? parse(text) : text,
    }
    await this.checkForm(method, path, reply)
    return reply
  }

  /** Opens so many streams at once, as soon as those of readers that have left are over. */
  async openStreams(path: string, count: number): Promise<void> {
    for (;;) {
      const opened = await Promise.all(Array.from({ length: count }, () => this.fetch(path)))
      await Promise.all(opened.map((response) => response.body?.cancel()))
      if (opened.every(({ status }) => status === 200)) return
      expect(opened.every(({ status }) => status === 200 || status === 429)).toBe(true)
    }
  }

  /** Starts a run and waits for its end. */
  async finish(request: unknown): Promise<Reply> {
    const { body } = await this.call('post', '/api/runs', request)
    return this.ended(body.runId)
  }

  /** Waits until a run is not executed any more. */
  async ended(runId: string): Promise<Reply> {
    for (;;) {
      const reply = await this.call('get', `/api/runs/${runId}`)
      if (reply.body.status !== 'running') return reply
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** Stops the server; its apps stay open. */
  async stop(): Promise<void> {
    await this.listening?.close()
    this.listening = undefined
  }

  async close(): Promise<void> {
    await this.stop()
    for (const app of this.apps) await app.close()
    rmSync(this.folder, { recursive: true })
  }

  /** The description of the API. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many forms
  async document(): Promise<any> {
    this.described ??= parse(await (await fetch(`${this.url}/openapi.json`)).text())
    return this.described
  }

  /** An answer has to be as `/openapi.json` says. */
  async checkForm(method: string, path: string, { status, headers, body }: Reply): Promise<void> {
    const { paths, components } = await this.document()
    const [bare = ''] = path.split('?')
    const names = [bare, ...Object.keys(paths)].filter((one) => one in paths)
    const known = names.find((one) =>
      new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(bare),
    )
    const responses = paths[known ?? '']?.[method]?.responses ?? {}
    const response = responses[status] ?? responses.default
    if (response === undefined) return expect(status).toBeGreaterThanOrEqual(400)
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    const { content } = response
    const form = content?.[type] ?? content?.['*/*']
    if (content !== undefined) expect([type, form]).toEqual([type, expect.anything()])
    if (type !== 'application/json' || content?.[type] === undefined) return
    const { schema } = form
    const text = JSON.stringify({ ...schema, $defs: components.schemas })
    const local = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'))
    expect(schemaErrors(local, body as Json)).toEqual([])
  }
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('json') === true
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many forms
function parse(text: string): any {
  return text === '' ? undefined : JSON.parse(text)
}

/** An event as it came over the wire. */
export interface WireEvent {
  readonly id: number | undefined
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own data
  readonly data: any
}

/** The server-sent events of an answer, until it ends or the reader leaves. */
export async function* readEvents(response: Response): AsyncGenerator<WireEvent> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    const frames = rest.split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const fields = new Map(
        frame.split('\n').map((line) => {
          const colon = line.indexOf(': ')
          return [line.slice(0, colon), line.slice(colon + 2)] as const
        }),
      )
      const data = fields.get('data')
      if (data === undefined) continue
      const id = fields.get('id')
      yield {
        id: id === undefined ? undefined : Number(id),
        type: fields.get('event') ?? '',
        data: JSON.parse(data),
      }
    }
  }
}
