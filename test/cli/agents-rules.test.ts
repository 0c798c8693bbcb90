import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, type AppOptions, createApp } from '../../src/app.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import type { Script } from '../../src/testing/scripted-reply.ts'
import { nodeProgram } from '../mcp/connected.ts'

let folder = ''
let script: Script = () => ({ status: 500 })
let model: ScriptedModel
const opened: App[] = []
beforeAll(async () => {
  model = await startScriptedModel((seen) => script(seen))
})
afterAll(() => model.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-agents-rules-'))
  mkdirSync(join(folder, 'home'))
})
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
  rmSync(folder, { recursive: true })
})

function open(options: AppOptions = {}): App {
  const environment = { OPENAI_BASE_URL: model.url }
  const app = createApp({ home: join(folder, 'home'), folder, environment, ...options })
  opened.push(app)
  return app
}

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

describe('a tool of an MCP server that changes something', () => {
  const calls = [
    ['browser_navigate', { url: 'https://stones.example/g' }],
    ['browser_submit', { form: 'x' }],
    ['final_answer', { answer: 'done' }],
  ] as const
  const goal = 'go to https://stones.example/g and send the form'
  const file = (tools: string) =>
    `name: agent\nnodes:\n  - {name: work, uses: reason.react, with: {goal: "${goal}", tools: [${tools}]}, output: r}\n`

  it('is used, also after words from elsewhere, where a rule of the operator names it', async () => {
    const browser = { ...nodeProgram('../mcp/browser-server.ts'), trust: true }
    write('.mcp.json', JSON.stringify({ mcpServers: { browser } }))
    const configFiles = [join(folder, '.mcp.json')]
    write('agent.yaml', file('browser.navigate, browser.submit'))
    let turn = 0
    script = () => {
      const [name, input] = calls[turn++] ?? calls[2]
      return { toolCalls: [{ name, input }] }
    }
    const models = { default: 'openai-compatible:scripted' }
    const without = open({ models, mcp: { configFiles } })
    const { state } = await without.runAgent('agent.yaml', {}, { mcp: true })
    expect(state.r).toMatchObject({ error: 'There is no tool "browser.submit".' })
    const app = open({ models, mcp: { configFiles, allow: ['browser.submit'] } })
    const { status } = await app.runAgent('agent.yaml', {}, { mcp: true })
    expect(status).toBe('answered')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('The form was sent.')
  })
})

it('files that are run by files that are run are read, too', async () => {
  const running = (inner: string) =>
    `name: outer\nnodes:\n  - {name: all, type: dynamic_parallel, items: [1], subgraph: ${inner}, fan_in: join}\n  - {name: join, fan_in: true, uses: core.return, with: {value: "{{ parallel_results[0].state }}"}}\n`
  write('one.yaml', running('two.yaml'))
  write('two.yaml', running('three.yaml'))
  write('three.yaml', 'name: three\nnodes:\n  - {name: a, uses: state.set, with: {found: here}}\n')
  const result = await open().runAgent('one.yaml')
  expect(result).toMatchObject({ status: 'answered' })
  expect(JSON.stringify(result.output)).toContain('here')
  write('three.yaml', 'name: three\nnodes:\n  - {name: a, uses: file.raed}\n')
  await expect(open().runAgent('one.yaml')).rejects.toThrow('file.raed')
})

it('what a fork shares with its parent is none of its calls', async () => {
  const node = (name: string) =>
    `  - {name: ${name}, uses: file.write, with: {path: ${name}.txt, content: x}}\n`
  write('two.yaml', `name: two\nnodes:\n${node('one')}${node('two')}`)
  const app = open()
  const { runId, usage } = await app.runAgent('two.yaml')
  expect(usage.toolCalls).toBe(2)
  const { answer } = await app.fork(runId, { at: 'two[1]' })
  expect(answer.usage.toolCalls).toBe(1)
})

it.each(['ftp://127.0.0.1:8080', 'file:///etc', 'javascript:x', 'data:,x'])(
  '%s is no origin that can be allowed',
  async (origin) => {
    write('a.yaml', 'name: a\nnodes:\n  - {name: a, uses: core.return, with: {value: 1}}\n')
    const running = open().runAgent('a.yaml', {}, { web: true, allowedOrigins: [origin] })
    await expect(running).rejects.toThrow('is not an origin that can be allowed')
  },
)
