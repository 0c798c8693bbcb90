import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CodeRequest, PermissionRequest } from '../../src/app.ts'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { CommandLine, jsonOf } from '../cli/command.ts'
import { call, SessionWorld } from '../code/session-world.ts'

describe('a resumed session', () => {
  let world: SessionWorld
  let server: Server
  let asked = 0
  let origin = ''
  beforeAll(async () => {
    server = createServer((_request, response) => {
      asked++
      response.setHeader('content-type', 'text/html').end('<p>A page of the web.</p>'.repeat(20))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())
  beforeEach(() => {
    world = new SessionWorld()
    asked = 0
  })
  afterEach(() => world.close())

  /** What a session may do without asking, and the call that shows it. A new right is a new row. */
  it.each<[string, CodeRequest, CodeRequest, Record<string, unknown>]>([
    ['--yolo', { settings: { isYolo: true } }, {}, { command: 'touch made.txt' }],
    ['--allow bash', { settings: { allow: ['bash'] } }, {}, { command: 'touch made.txt' }],
    [
      'one rule of two',
      { settings: { allow: ['edit', 'bash:touch *'] } },
      { settings: { allow: ['edit'] } },
      { command: 'touch made.txt' },
    ],
    [
      'another rule',
      { settings: { allow: ['bash:touch *'] } },
      { settings: { allow: ['bash:ls *'] } },
      { command: 'touch made.txt' },
    ],
  ])(
    'is asked about what %s let it do, until it is granted again',
    async (_name, had, less, input) => {
      const app = await world.app()
      world.say([{ text: 'Hello.' }])
      const first = await app.code(had)
      await first.send('hello')
      await first.close()

      const questions: PermissionRequest[] = []
      const onPermission = async (request: PermissionRequest) => {
        questions.push(request)
        return { decision: 'no' } as const
      }
      const listeners = { onPermission, onEvent: world.hear }
      world.say([call('bash', input), { text: 'I could not.' }])
      const second = await app.code({ resume: first.runId, ...less }, listeners)
      await second.send('make it')
      expect([questions.length, world.text('made.txt')]).toEqual([1, undefined])
      const notices = world.heard('notice').map(({ text }) => text)
      expect(notices.join()).toContain('The session had permissions that are not granted now')
      await second.close()

      world.say([call('bash', input), { text: 'Made.' }])
      const third = await app.code({ resume: first.runId, ...had }, listeners)
      await third.send('make it')
      expect([questions.length, world.text('made.txt')]).toEqual([1, ''])
      await third.close()
    },
  )

  it('asks the web only where that is granted again', async () => {
    const app = await world.app({ webServers: { allowedOrigins: [origin] } })
    world.say([{ text: 'Hello.' }])
    const first = await app.code({ web: true })
    await first.send('hello')
    await first.close()
    const fetching = call('fetch', { url: `${origin}/` })
    for (const [web, times] of [
      [false, 0],
      [true, 1],
    ] as const) {
      world.say([fetching, { text: 'Read.' }])
      const questions: PermissionRequest[] = []
      const onPermission = async (request: PermissionRequest) => {
        questions.push(request)
        return { decision: 'once' } as const
      }
      const listeners = { onEvent: world.hear, onPermission }
      const next = await app.code({ resume: first.runId, web }, listeners)
      await next.send('read the page')
      await next.close()
      expect([asked, questions.length]).toEqual([times, times])
    }
    const [refused] = world.heard('tool.done')
    expect(refused?.output).toEqual({
      error: 'fetch was not called: Web access is not granted.',
      hint: 'Grant it: --web (web: true).',
    })
    expect(world.heard('notice').map(({ text }) => text)).toEqual([
      'The session had permissions that are not granted now, so it cannot fetch from the web. To grant them again: --web',
    ])
    expect(await app.replay(first.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it.each<[string, CodeRequest]>([
    ['--yolo', {}],
    ['its trust', { isTrusted: false, settings: { isYolo: true } }],
  ])(
    'without %s does not ask about what it has done, asks about the rest, and is replayed as it went',
    async (_name, less) => {
      world.put({ 'AGENTS.md': 'Obey.' })
      const app = await world.app()
      const control = new AbortController()
      world.say(({ lastRole }) =>
        lastRole === 'tool' ? { hang: true } : call('bash', { command: 'touch first.txt' }),
      )
      const first = await app.code(
        { isTrusted: true, settings: { isYolo: true } },
        { signal: control.signal },
      )
      const cut = first.send('make both').catch((error: unknown) => error)
      while (world.model.requests.length < 2) await sleep(10)
      control.abort()
      await cut
      await first.close()
      expect(world.text('first.txt')).toBe('')

      const questions: string[] = []
      const onPermission = async ({ preview }: PermissionRequest) => {
        questions.push(preview.command ?? '')
        return { decision: 'no' } as const
      }
      let turn = 0
      world.say(() =>
        turn++ === 0 ? call('bash', { command: 'touch second.txt' }) : { text: 'Done.' },
      )
      const second = await app.code(
        { isTrusted: true, resume: first.runId, ...less },
        { onPermission },
      )
      await second.whenIdle()
      expect(questions).toEqual(['touch second.txt'])
      expect(world.text('second.txt')).toBeUndefined()
      const { runId } = await second.finish()
      expect(await app.replay(runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
    },
  )
})

describe('the models of a resumed run', () => {
  let cli: CommandLine
  let own: ScriptedModel
  let other: ScriptedModel
  beforeEach(async () => {
    cli = new CommandLine()
    own = await startScriptedModel(scriptTeam())
    other = await startScriptedModel(scriptTeam())
  })
  afterEach(async () => {
    cli.remove()
    await own.close()
    await other.close()
  })
  const name = 'openai-compatible:scripted'
  const begin = ['ask', 'What does CRISPR stand for?', '--approve-plan', '--model', name]
  const resume = ['resume', 'last', '--answer', 'approve', '--json']

  it('are asked at the recorded address only where somebody else names it too', async () => {
    const env = { OPENAI_BASE_URL: own.url }
    await cli.run(begin, { env })
    const before = own.requests.length
    const refused = await cli.run(resume)
    expect(refused.exitCode).toBe(2)
    expect(jsonOf(refused).error.message).toContain(`was started with models at ${own.url}`)
    expect(own.requests).toHaveLength(before)
    expect(jsonOf(await cli.run(resume, { env }))).toMatchObject({ status: 'answered' })
  }, 60_000)

  it.each<[string, string, (url: string) => string]>([
    [
      'a model of its file',
      'scholium.yaml',
      (url) => `models: {default: {name: "${name}", baseUrl: "${url}"}}\n`,
    ],
    ['its .env', '.env', (url) => `OPENAI_BASE_URL=${url}\n`],
  ])(
    'are not asked elsewhere because of %s in the project, and at the recorded address as it says',
    async (_what, file, textOf) => {
      await cli.run(begin, { env: { OPENAI_BASE_URL: own.url } })
      cli.write(file, textOf(other.url))
      const refused = await cli.run(resume)
      expect(refused.exitCode).toBe(2)
      expect(other.requests).toEqual([])
      cli.write(file, textOf(own.url))
      expect(jsonOf(await cli.run(resume))).toMatchObject({ status: 'answered' })
      expect(other.requests).toEqual([])
    },
    60_000,
  )
})

it('a replay needs no right', async () => {
  const cli = new CommandLine()
  try {
    await cli.run(['ask', 'What is 2 + 2?', '--web'])
    expect((await cli.run(['replay', 'last'])).stdout).toContain('identical: yes')
    expect(await cli.run(['resume', 'last'])).toMatchObject({ exitCode: 0 })
  } finally {
    cli.remove()
  }
}, 60_000)
