import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import { CommandLine, jsonOf, type Started } from './command.ts'

const cli = new CommandLine()
/** What was posted, in the order of its coming. */
const posted: string[] = []
/** Whether the model answers; when not, it never does. */
let answers = true
/** Whether the server of posts answers. */
let accepts = true
let model: ScriptedModel
let server: Server
let origin = ''

beforeAll(async () => {
  model = await startScriptedModel(() => (answers ? { text: 'go on' } : { hang: true }))
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      posted.push(JSON.parse(body).line)
      if (accepts) response.setHeader('content-type', 'application/json').end('{"ok": true}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  cli.write(
    'append.yaml',
    `name: append
initial_state: {n: 0}
nodes:
  - name: before
    type: while_loop
    condition: "state.n < 3"
    max_iterations: 5
    body:
      - {name: post, uses: http.post, with: {url: "${origin}/", json: {line: "before {{ state.n }}"}}, output: said}
      - {name: count, run: {type: expression, value: "state.n + 1", output_key: n}}
  - {name: code, run: "return {'squares': [i * i for i in range(state['n'])]}"}
  - {name: think, uses: llm.call, with: {prompt: "squares: {{ state.squares }}"}, output: thought}
  - {name: after, uses: http.post, with: {url: "${origin}/", json: {line: "after {{ state.thought.content }}"}}, output: said}
`,
  )
})
afterAll(async () => {
  await model.close()
  server.closeAllConnections()
  server.close()
  cli.remove()
})

const args = () => [
  'run',
  'append.yaml',
  '--web',
  '--allow-origin',
  origin,
  '--model',
  'openai-compatible:m',
]
const env = () => ({ OPENAI_BASE_URL: model.url })

async function killedWhen(isThere: () => boolean): Promise<Started> {
  const started = cli.start(args(), { env: env() })
  const ended = started.outcome.then((outcome) => {
    throw new Error(`It ended before it was killed: ${JSON.stringify(outcome)}`)
  })
  ended.catch(() => {})
  while (!isThere()) await Promise.race([sleep(10), ended])
  started.child.kill('SIGKILL')
  await started.outcome
  return started
}

describe('a run of an agent file that is killed', () => {
  it('continues where it was, does nothing twice, and is replayed without a network', async () => {
    answers = false
    await killedWhen(() => model.requests.length > 0)
    expect(posted).toEqual(['before 0', 'before 1', 'before 2'])
    answers = true
    const resumed = await cli.run(['resume', 'last', '--web', '--allow-origin', origin, '--json'], {
      env: env(),
    })
    expect(resumed.exitCode).toBe(0)
    expect(jsonOf(resumed)).toMatchObject({
      state: { n: 3, squares: [0, 1, 4], thought: { content: 'go on' } },
      usage: { modelCalls: 1, toolCalls: 4 },
    })
    expect(posted).toEqual(['before 0', 'before 1', 'before 2', 'after go on'])
    const asked = model.requests.length
    const replayed = jsonOf(await cli.run(['replay', 'last', '--json']))
    expect(replayed).toMatchObject({ isIdentical: true, unclaimed: [] })
    expect({ posts: posted.length, asked: model.requests.length }).toEqual({ posts: 4, asked })
  }, 120_000)

  it('does not repeat a write of which nobody knows whether it happened, and says so', async () => {
    posted.length = 0
    accepts = false
    await killedWhen(() => posted.length === 1)
    accepts = true
    const resumed = await cli.run(['resume', 'last', '--web', '--allow-origin', origin], {
      env: env(),
    })
    expect(resumed.exitCode).toBe(1)
    expect(resumed.stderr).toMatch(/http\.post|before/)
    expect(posted).toEqual(['before 0'])
  }, 120_000)
})
