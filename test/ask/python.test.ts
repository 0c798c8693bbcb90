import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, type AppOptions, createApp } from '../../src/index.ts'
import {
  findRole,
  type ModelRequestSeen,
  type ScriptedModel,
  type ScriptedReply,
  scriptTeam,
  startScriptedModel,
  type TeamScript,
} from '../../src/testing/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-python-'))
let model: ScriptedModel
let script = scriptTeam()
beforeAll(async () => {
  writeFileSync(join(folder, 'stones.md'), 'Glimmerstone melts at 412 degrees Celsius.')
  model = await startScriptedModel((seen) => script(seen))
})
afterAll(async () => {
  await model.close()
  rmSync(folder, { recursive: true })
})

const calculation: TeamScript = {
  planner: { json: { research_steps: [], expert_steps: ['Calculate it.'] } },
}

/** An expert that runs the code and then answers. */
function running(code: string, answer: string) {
  return (seen: ModelRequestSeen): ScriptedReply =>
    seen.lastRole === 'tool'
      ? { json: { expert_answer: answer, reasoning_trace: 'Ran Python.' } }
      : { toolCalls: [{ name: 'python', input: { code } }] }
}

async function withApp<T>(options: AppOptions, work: (app: App) => Promise<T>): Promise<T> {
  const app = createApp({
    home: join(folder, 'home'),
    models: { default: 'openai-compatible:scripted' },
    environment: { OPENAI_BASE_URL: model.url },
    ...options,
  })
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

/** The outcome of a question whose expert runs this code, and what its models were asked. */
function ask(code: string, answer: string, options: AppOptions = {}) {
  script = scriptTeam({
    ...calculation,
    expert: running(code, answer),
    finalizer: { json: { final_answer: answer, final_reasoning_trace: 'As the expert says.' } },
  })
  const before = model.requests.length
  return withApp(options, async (app) => {
    const result = await app.ask({
      question: 'What is the sum?',
      sources: [join(folder, 'stones.md')],
    })
    const events = await Array.fromAsync(app.events(result.runId))
    const asked = model.requests.slice(before)
    return { result, events, expert: asked.filter((seen) => findRole(seen) === 'expert') }
  })
}

describe('an expert with Python', () => {
  it('answers with what code calculated, as with the calculator', async () => {
    const { result, expert } = await ask('sum(n * n for n in range(1, 101))', 'It is 338350.')
    expect(expert[0]?.tools).toEqual(['calculate', 'convert_units', 'python'])
    expect(expert[0]?.system).toContain('You can also run Python')
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'It is 338350.',
      claims: [{ verdict: 'unchecked', reason: expect.stringContaining('the executed code') }],
    })
    const offline = createApp({ home: join(folder, 'home'), environment: {} })
    const replay = await offline.replay(result.runId)
    await offline.close()
    expect(replay).toMatchObject({ isIdentical: true, unclaimed: [] })
  }, 90_000)

  it('has calculated nothing where the code only prints what was written into it', async () => {
    const { result } = await ask('print(338350)', 'It is 338350.')
    expect(result).toMatchObject({ status: 'unanswered', claims: [] })
  }, 90_000)

  it('sees a note in the place of a drawing, which the answer and the log keep', async () => {
    const code = 'plot.line([1, 2, 3], [1, 4, 9], title="Squares")\nsum([1, 4, 9])'
    const { result, events, expert } = await ask(code, 'It is 14.')
    expect(expert.at(-1)?.lastText).toContain('"figures":["figure 1: 640×400, kept"]')
    expect(result.figures).toEqual([
      {
        figure: 1,
        mediaType: 'image/svg+xml',
        width: 640,
        height: 400,
        svg: expect.stringMatching(/^<svg .*Squares.*<\/svg>$/),
      },
    ])
    const step = events.find(
      ({ key, type }) => key.endsWith(':python/call') && type === 'step.done',
    )
    expect(step?.output).toMatchObject({ figures: [result.figures?.[0]?.svg] })
  }, 90_000)

  it('reads the error of its code, and has the time and memory of the settings', async () => {
    const options = { python: { timeoutMs: 1_000 } }
    const { expert } = await ask('while True: pass', 'The sources do not say.', options)
    expect(expert.at(-1)?.lastText).toContain('The code was stopped after 1 s.')
  }, 90_000)

  it('reaches no file, connection or process of the machine, and goes on', async () => {
    const written = join(folder, 'written.txt')
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { readonly port: number }
    const { result, expert } = await ask(dangers(written, port), 'It is 4.')
    server.close()
    const seen = JSON.parse(expert.at(-1)?.lastText ?? '{}') as { value: unknown }
    expect(seen.value).toEqual({ reads: false, writes: false, connects: false, starts: false })
    expect([existsSync(written), connections]).toEqual([false, 0])
    expect(result.status).not.toBe('failed')
  }, 90_000)
})

/** Python that tries what it may not, and says of each whether it was done. */
function dangers(written: string, port: number): string {
  return `
import socket, subprocess
def tried(work):
  try:
    work()
    return True
  except BaseException:
    return False
{
  'reads': tried(lambda: open(${JSON.stringify(join(folder, 'stones.md'))}).read()),
  'writes': tried(lambda: open(${JSON.stringify(written)}, 'w').write('x')),
  'connects': tried(lambda: socket.create_connection(('127.0.0.1', ${port}), 1).send(b'x')),
  'starts': tried(lambda: subprocess.run(['touch', ${JSON.stringify(written)}])),
}`
}

describe('an expert without Python', () => {
  it.each<[string, AppOptions]>([
    ['where the settings say so', { python: { enabled: false } }],
    ['where it is no language model', { models: { default: 'openai-compatible:scripted' } }],
  ])('is offered and told nothing of it %s', async (_where, options) => {
    const asked = { question: 'At what temperature does glimmerstone melt?' }
    const isOff = options.python?.enabled === false
    const models = isOff ? {} : { models: { ...options.models, expert: 'extractive' } }
    script = scriptTeam()
    const before = model.requests.length
    const sources = [join(folder, 'stones.md')]
    const { status } = await withApp({ ...options, ...models }, (app) =>
      app.ask({ ...asked, sources }),
    )
    expect(status).toBe('answered')
    const seen = model.requests.slice(before)
    expect(seen.flatMap(({ tools }) => tools)).not.toContain('python')
    expect(seen.map(({ system }) => system).join()).not.toContain('Python')
  })

  it('is one where the question says so, and where it asks for it and there is none it is told', async () => {
    script = scriptTeam()
    const before = model.requests.length
    await withApp({}, (app) => app.ask({ question: 'How warm?', python: false }))
    expect(model.requests.slice(before).flatMap(({ tools }) => tools)).not.toContain('python')
  })
})
