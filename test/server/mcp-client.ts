import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'
import { type Script, type ScriptedModel, startScriptedModel } from '../../src/testing/index.ts'
import { scriptTeam } from '../../src/testing/scripted-team.ts'
import { root } from '../repo/source-file.ts'

/** A question that the served file answers. */
export const question = 'What is glimmerstone?'
const page = '# Glimmerstone\n\nGlimmerstone is a mineral that melts at 412 degrees Celsius.\n'

/** The revisions of the protocol that are tested, as a client asks for them. */
export const revisions = {
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  '2025-11-25': {},
} as const satisfies Readonly<Record<string, ClientOptions>>

/** The protocol's own client, with a real `scholium mcp` at the other end and a model over HTTP. */
export class McpWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'scholium-mcp-'))
  model!: ScriptedModel
  script: Script = scriptTeam()
  client!: Client
  transport!: StdioClientTransport
  stderr = ''

  constructor() {
    mkdirSync(join(this.folder, 'work'))
    this.write('glimmerstone.md', page)
  }

  /** Writes a file into the folder in which the process works. */
  write(name: string, text: string): void {
    writeFileSync(join(this.folder, 'work', name), text)
  }

  /** What the process is started with. */
  get environment(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.folder,
      SCHOLIUM_HOME: join(this.folder, 'home'),
      OPENAI_BASE_URL: this.model.url,
    }
  }

  async startModel(): Promise<void> {
    this.model ??= await startScriptedModel((seen) => this.script(seen))
  }

  /** Lets the model answer every second request only; resolves when it was asked one that it does not answer. */
  hang(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const team = scriptTeam()
    this.script = (seen) => {
      if (seen.number % 2 === 0) return team(seen)
      resolve()
      return { hang: true }
    }
    return promise
  }

  /** Starts the process and a client. @param args options of the command, in addition to the file and the model */
  async start(args: readonly string[] = [], options: ClientOptions = {}): Promise<Client> {
    await this.startModel()
    this.transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        join(root, 'bin/scholium.js'),
        'mcp',
        ...['--source', 'glimmerstone.md', '--model', 'openai-compatible:scripted'],
        ...args,
      ],
      cwd: join(this.folder, 'work'),
      env: this.environment,
      stderr: 'pipe',
    })
    this.transport.stderr?.on('data', (chunk) => {
      this.stderr += chunk
    })
    this.client = new Client({ name: 'test', version: '1.0.0' }, options)
    await this.client.connect(this.transport)
    return this.client
  }

  /** Calls a tool that has to succeed; nothing in its answer is a place of this machine. */
  async call(name: string, given: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
    const answer = await this.attempt(name, given)
    expect(answer.isError, answer.text).toBe(false)
    return answer
  }

  /** Calls a tool. */
  async attempt(
    name: string,
    given: Readonly<Record<string, unknown>>,
    options: Parameters<Client['callTool']>[1] = {},
  ): Promise<ToolAnswer> {
    const result = await this.client.callTool({ name, arguments: given }, options)
    expect(JSON.stringify(result)).not.toContain(this.folder)
    const [first] = result.content
    return {
      isError: result.isError === true,
      text: first?.type === 'text' ? first.text : '',
      links: result.content.flatMap((block) => (block.type === 'resource_link' ? [block.uri] : [])),
      data: result.structuredContent,
    }
  }

  async close(): Promise<void> {
    await this.client?.close()
    await this.model?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** What a tool answered. */
export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
  readonly links: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: each tool has data of its own
  readonly data: any
}
