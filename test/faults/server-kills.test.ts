import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Serving } from '../cli/serving.ts'
import { HeldModel } from '../server/served-app.ts'
import { Homes } from './ask-subject.ts'
import {
  killServer,
  logOf,
  RunReader,
  Servers,
  serveClean,
  spreadKills,
  wrongStreams,
} from './server-kill.ts'

const homes = new Homes()
beforeAll(() => homes.prepare())
afterAll(() => homes.remove())

describe('SIGKILL (scholium serve)', () => {
  // `npm run faults` has 50 places.
  it('at 3 places: the next server brings each run to the same end, and each stream is taken up again', async () => {
    const clean = await serveClean(homes)
    for (const kill of spreadKills(clean, 3)) {
      const outcome = await killServer(homes, clean, kill)
      expect({ kill, ...outcome }).toMatchObject({ kill, problems: [] })
    }
  }, 120_000)
})

const held = new HeldModel()
let home = ''
let servers: Servers
let asked = 0
beforeAll(() => held.start())
afterAll(() => held.model?.close())
beforeEach(() => {
  home = homes.next()
  servers = new Servers(home, held.model?.url ?? '')
  held.hold()
})
afterEach(() => {
  held.letGo()
  servers.close()
})

/** Starts a run, and waits until it asks the model, unless it waits for its turn. */
async function startRun(server: Serving, isQueued = false): Promise<RunReader> {
  const before = held.model?.requests.length
  const question = `What is glimmerstone, for the ${++asked}. time?`
  const { runId } = await server.call('/api/runs', { workflow: 'ask', question })
  while (!isQueued && held.model?.requests.length === before) await sleep(10)
  return new RunReader(runId)
}

const statusOf = async (server: Serving, { runId }: RunReader): Promise<string> =>
  (await server.call(`/api/runs/${runId}`)).status

/** How often each run was resumed. */
const resumptions = (runs: readonly RunReader[]) =>
  Promise.all(
    runs.map(async ({ runId }) => {
      const log = await logOf(home, runId)
      return log.filter(({ type }) => type === 'run.resumed').length
    }),
  )

/** Reads the streams to the end of each run. */
async function readToEnd(server: Serving, runs: readonly RunReader[]): Promise<void> {
  await Promise.all(runs.map((run) => run.read(server)))
  for (const run of runs) expect(run.answer).toContain('412')
  expect(await wrongStreams(home, runs)).toEqual([])
}

describe('two servers on one home', () => {
  it('list and stream the runs of each other, and refuse to resume them', async () => {
    const [one, other] = await Promise.all([servers.start(1), servers.start(1)])
    const run = await startRun(one)
    const { runs } = await other.call('/api/runs')
    expect(runs).toMatchObject([{ runId: run.runId, status: 'running' }])
    const refused = await other.request(`/api/runs/${run.runId}/resume`, {})
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ error: { code: 'run_busy' } })
    const reading = readToEnd(other, [run])
    held.letGo()
    await reading
    expect(await resumptions([run])).toEqual([0])
  })

  it('outlive each other, and the next ones continue what the dead one left, once', async () => {
    const [dying, living] = await Promise.all([servers.start(1), servers.start(1)])
    const left = [await startRun(dying), await startRun(dying, true), await startRun(dying, true)]
    const kept = [await startRun(living), await startRun(living, true)]
    await dying.end('SIGKILL')
    for (const run of left) expect(await statusOf(living, run)).toBe('interrupted')
    const [next] = await Promise.all([servers.start(1), servers.start(1)])
    held.letGo()
    await readToEnd(living, [...kept, await startRun(living, true)])
    await readToEnd(next, left)
    expect(await resumptions([...kept, ...left])).toEqual([0, 1, 1, 1, 1])
  })

  it('leave a run alone that was interrupted at the other while it waited for its turn', async () => {
    const first = await servers.start(1)
    const [executed, waiting] = [await startRun(first), await startRun(first, true)]
    const second = await servers.start(1)
    while ((await statusOf(second, waiting)) !== 'running') await sleep(10)
    await second.call(`/api/runs/${waiting.runId}/cancel`, {})
    const last = await startRun(first, true)
    held.letGo()
    await readToEnd(first, [executed, last])
    expect(await statusOf(first, waiting)).toBe('interrupted')
    expect(await resumptions([waiting])).toEqual([1])
  })
})

describe('SIGTERM (scholium serve)', () => {
  it('with 20 runs and their streams: they are interrupted at once, and the next server continues them', async () => {
    const server = await servers.start(20)
    const runs: RunReader[] = []
    while (runs.length < 20) runs.push(await startRun(server))
    const reading = runs.map((run) => run.read(server))
    while (runs.some(({ events }) => events.length === 0)) await sleep(10)
    const askedMs = performance.now()
    const { exitCode } = await server.end('SIGTERM')
    expect(exitCode).toBe(0)
    expect(performance.now() - askedMs).toBeLessThan(10_000)
    await Promise.all(reading)
    const ends = (await logOf(home)).filter(({ type }) => type === 'run.suspended')
    expect(ends).toHaveLength(20)
    held.letGo()
    await readToEnd(await servers.start(20), runs)
    expect(await resumptions(runs)).toEqual(runs.map(() => 1))
  }, 120_000)
})

describe('SIGTERM (npm start -- serve)', () => {
  it('to npm alone ends the server, and its run can be continued', async () => {
    const server = await servers.startByNpm('sh')
    const run = await startRun(server)
    const npm = server.started.child.pid ?? Number.NaN
    process.kill(npm, 'SIGTERM')
    while (isAlive(-npm)) await sleep(50)
    expect((await logOf(home, run.runId)).at(-1)?.type).toBe('run.suspended')
    held.letGo()
    await readToEnd(await servers.start(1), [run])
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('Ctrl-C (npm start -- serve)', () => {
  // bash hands its process over to the server, so that npm passes the signal on to that; other shells wait in between.
  it.each(['sh', 'bash'])(
    'under %s ends every process, and its runs can be continued',
    async (shell) => {
      const server = await servers.startByNpm(shell)
      const run = await startRun(server)
      const group = -(server.started.child.pid ?? Number.NaN)
      process.kill(group, 'SIGINT')
      await server.started.outcome
      expect(() => process.kill(group, 0)).toThrow('ESRCH')
      expect((await logOf(home, run.runId)).at(-1)).toMatchObject({
        type: 'run.suspended',
        data: { failure: { details: { continues: true } } },
      })
      held.letGo()
      await readToEnd(await servers.start(1), [run])
    },
  )
})
