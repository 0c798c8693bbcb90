import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf, thorough } from './command.ts'

/** A request as a server tells of it. */
interface Told {
  readonly hash: string
  readonly isHalf: boolean
  readonly isStreamed: boolean
}

/** A model server in a process of its own. */
class ModelServer {
  readonly told: Told[] = []
  private readonly child: ChildProcess
  private readonly lines: ReturnType<typeof createInterface>

  constructor(port: number, half = 0) {
    const file = fileURLToPath(new URL('dying-model.ts', import.meta.url))
    this.child = spawn(process.execPath, [file, String(port), String(half)])
    this.lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream })
    this.lines.on('line', (line) => {
      const told = JSON.parse(line)
      if ('hash' in told) this.told.push(told)
    })
  }

  /** The port, once it listens. */
  async ready(): Promise<number> {
    const [line] = await once(this.lines, 'line')
    return JSON.parse(line).port
  }

  /** Waits for the answer of which only half comes. */
  async halfway(): Promise<void> {
    while (!this.told.some(({ isHalf }) => isHalf)) await once(this.lines, 'line')
    // The first half is on its way by then; the client must have begun to read it.
    await new Promise((resolve) => setTimeout(resolve, 200))
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const closed = once(this.child, 'close')
    this.child.kill('SIGKILL')
    await closed
  }
}

const question = 'What does CRISPR stand for?'
const cli = new CommandLine(thorough)
const alive: ModelServer[] = []
afterAll(async () => {
  await Promise.all(alive.map((server) => server.kill()))
  cli.remove()
})

async function startServer(port = 0, half = 0): Promise<{ server: ModelServer; port: number }> {
  const server = new ModelServer(port, half)
  alive.push(server)
  return { server, port: await server.ready() }
}

const envFor = (port: number) => ({ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` })
const ask = ['ask', question]

/** Has the commands read answers as they are written, or as a whole. */
function configure(stream: boolean): void {
  const models = { default: { name: 'openai-compatible:scripted', stream } }
  cli.write('scholium.json', JSON.stringify({ models }))
}

/** What of an answer does not differ from run to run. */
function contentOf({ runId: _, timings: __, usage: ___, ...answer }: Record<string, unknown>) {
  return answer
}

describe('a model server that dies half-way through an answer', () => {
  it.each([
    { stream: true, halves: [1, 4, 8] },
    { stream: false, halves: [4] },
  ])(
    'leaves a run that continues to the same answer when it is back, with no finished call made again (streamed: $stream)',
    async ({ stream, halves }) => {
      configure(stream)
      const undisturbed = await startServer()
      const whole = await cli.run([...ask, '--json'], { env: envFor(undisturbed.port) })
      expect(whole.exitCode).toBe(0)
      const calls = undisturbed.server.told.map(({ hash }) => hash)
      expect(calls).toHaveLength(8)
      expect(undisturbed.server.told.every(({ isStreamed }) => isStreamed === stream)).toBe(true)

      for (const half of halves) {
        const { server, port } = await startServer(0, half)
        const env = envFor(port)
        const { outcome } = cli.start(ask, { env })
        await server.halfway()
        await server.kill()
        const { exitCode, stdout, stderr } = await outcome
        expect(exitCode, stderr).toBe(1)
        expect(stdout).toContain(`nothing answers at http://127.0.0.1:${port}`)
        const runId = /resume with: scholium resume (\S+)/.exec(stdout)?.[1] ?? ''
        expect(stderr).toContain(`Run ${runId}\n`)

        const back = await startServer(port)
        const resumed = await cli.run(['resume', runId, '--json'], { env })
        expect(resumed.exitCode, resumed.stderr).toBe(0)
        expect(contentOf(jsonOf(resumed))).toEqual(contentOf(jsonOf(whole)))
        await back.server.kill()

        const finished = [...server.told.filter(({ isHalf }) => !isHalf), ...back.server.told]
        expect(
          finished.map(({ hash }) => hash),
          `half of ${half}`,
        ).toEqual(calls)
      }
    },
    120_000,
  )
})
