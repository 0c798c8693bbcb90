import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { start, talk } from '../processes.ts'
import { quantile } from '../timing.ts'
import type { Opened, Order, Requested, RunsSeen } from './clients.ts'
import { Served, token } from './served.ts'

interface Amounts {
  readonly runs: number
  /** A number of runs that is too many for the server to be quick. */
  readonly manyRuns: number | undefined
  readonly answerMs: number
  readonly idleRuns: number
  readonly streamsPerIdleRun: number
  readonly idleMs: number
  /** Rounds of requests, in turns to each server. */
  readonly rounds: number
  readonly roundMs: number
}

const amounts: Readonly<Record<BenchSize, Amounts>> = {
  smoke: {
    runs: 4,
    manyRuns: undefined,
    answerMs: 100,
    idleRuns: 2,
    streamsPerIdleRun: 2,
    idleMs: 100,
    rounds: 1,
    roundMs: 100,
  },
  quick: {
    runs: 200,
    manyRuns: undefined,
    answerMs: 2_000,
    idleRuns: 100,
    streamsPerIdleRun: 2,
    idleMs: 3_000,
    rounds: 3,
    roundMs: 500,
  },
  full: {
    runs: 200,
    manyRuns: 500,
    answerMs: 2_000,
    idleRuns: 1_000,
    streamsPerIdleRun: 2,
    idleMs: 10_000,
    rounds: 5,
    roundMs: 1_000,
  },
}

const fastAnswerMs = 100
const endlessMs = 3_600_000
const connections = 10

/** What `scholium serve` bears: runs at once with a live stream each, idle streams, and requests. */
export const bench: Bench = {
  title: 'The server',
  needs: ['getconf'],
  async run({ size, folder }) {
    const { runs, manyRuns, answerMs, ...rest } = amounts[size]
    const clients = start(new URL('./clients.ts', import.meta.url))
    try {
      await talk(clients)
      const crowd = (name: string, count: number, callMs: number) =>
        measureRuns({ name, count, callMs, clients, folder: join(folder, name) })
      return [
        ...(await crowd('runs with slow calls', runs, answerMs)),
        ...(await crowd('runs with fast calls', runs, fastAnswerMs)),
        ...(manyRuns === undefined
          ? []
          : await crowd('many runs with slow calls', manyRuns, answerMs)),
        ...(await measureIdle(join(folder, 'idle'), clients, rest)),
        ...(await measureRequests(join(folder, 'requests'), clients, rest)),
      ]
    } finally {
      clients.disconnect()
    }
  },
}

interface Crowd {
  readonly name: string
  readonly count: number
  readonly callMs: number
  readonly clients: ChildProcess
  readonly folder: string
}

async function measureRuns(crowd: Crowd): Promise<readonly Measure[]> {
  const { name, count, callMs, clients, folder } = crowd
  return withModel(callMs, async (modelUrl) => {
    const served = await startServed(folder, count, modelUrl)
    const questions = questionsFor(count)
    const beforeMs = served.cpuMs()
    const seen = await talk<RunsSeen>(clients, { does: 'run', url: served.url, questions })
    const cpuMs = served.cpuMs() - beforeMs
    const memoryMb = served.memoryMb('VmHWM')
    const latenciesMs = latenciesOf(seen, await served.stop())
    const isSlow = callMs > fastAnswerMs && count <= amounts.full.runs
    const latency = (share: number, title: string, atMost?: number): Measure => ({
      what: `${name}: an event from its commit to its reader; ${title}`,
      value: quantile(latenciesMs, share),
      unit: 'ms',
      ...(atMost === undefined ? {} : { target: { atMost } }),
    })
    return [
      { what: `${name}: lost`, value: seen.lost, target: { atMost: 0 } },
      latency(0.5, 'median'),
      latency(0.99, 'p99', isSlow ? 50 : undefined),
      { what: `${name}: processor time of a run`, value: cpuMs / count, unit: 'ms' },
      { what: `${name}: memory at most`, value: memoryMb, unit: 'MB' },
      { what: `${name}: all ended after`, value: seen.wallMs, unit: 'ms' },
    ]
  })
}

/** Milliseconds from the commit of each event that came live to its arrival. */
function latenciesOf(
  { arrivals }: RunsSeen,
  commits: ReadonlyMap<string, number>,
): readonly number[] {
  return arrivals.flatMap(({ event, openedAtMs, atMs }) => {
    const committedAtMs = commits.get(event) ?? 0
    return committedAtMs < openedAtMs ? [] : [atMs - committedAtMs]
  })
}

/** Each question is another one, so that nothing is shared between the runs. */
function questionsFor(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `What does CRISPR stand for (${index})?`)
}

/** Runs that wait for their turn, and streams that nothing comes over. */
async function measureIdle(
  folder: string,
  clients: ChildProcess,
  { idleRuns, streamsPerIdleRun, idleMs }: Omit<Amounts, 'runs' | 'manyRuns' | 'answerMs'>,
): Promise<readonly Measure[]> {
  return withModel(endlessMs, async (modelUrl) => {
    const served = await startServed(folder, 1, modelUrl)
    const runIds = await startAll(served.url, questionsFor(idleRuns))
    const emptyMb = served.memoryMb('VmRSS')
    const each = runIds.flatMap((runId) => Array<string>(streamsPerIdleRun).fill(runId))
    const opened = await talk<Opened>(clients, { does: 'open', url: served.url, runIds: each })
    const beforeMs = served.cpuMs()
    await sleep(idleMs)
    const cpuMs = served.cpuMs() - beforeMs
    const memoryMb = served.memoryMb('VmRSS')
    const { open } = await talk<Opened>(clients, { does: 'close' })
    await served.stop()
    return [
      { what: 'idle streams: lost', value: each.length - open, target: { atMost: 0 } },
      { what: 'idle streams: opening one', value: opened.wallMs / each.length, unit: 'ms' },
      {
        what: 'idle streams: processor time of all, of a second',
        value: (cpuMs * 1_000) / idleMs,
        unit: 'ms',
      },
      { what: 'idle streams: memory', value: memoryMb, unit: 'MB' },
      {
        what: 'idle streams: memory of one',
        value: (Math.max(0, memoryMb - emptyMb) * 1_024) / each.length,
        unit: 'KB',
      },
    ]
  })
}

/** A page of runs, next to a bare route that answers with the same bytes. */
async function measureRequests(
  folder: string,
  clients: ChildProcess,
  { rounds, roundMs }: Pick<Amounts, 'rounds' | 'roundMs'>,
): Promise<readonly Measure[]> {
  const served = await startServed(folder, 4)
  const bare = start(new URL('./bare.ts', import.meta.url))
  try {
    const { lost } = await talk<RunsSeen>(clients, {
      does: 'run',
      url: served.url,
      questions: Array<string>(50).fill('What does CRISPR stand for?'),
    } satisfies Order)
    if (lost > 0) throw new Error(`${lost} runs were lost.`)
    await talk(bare)
    const page = await (await get(`${served.url}/api/runs`)).json()
    const { port } = await talk<{ readonly port: number }>(bare, { page })
    const urls = { served: served.url, bare: `http://127.0.0.1:${port}` }
    const rates = { served: [] as number[], bare: [] as number[] }
    for (let round = -1; round < rounds; round++)
      for (const name of ['served', 'bare'] as const) {
        const order = { does: 'request', url: urls[name], path: '/api/runs', connections } as const
        const told = await talk<Requested>(clients, { ...order, forMs: roundMs })
        if (round >= 0) rates[name].push((told.answers * 1_000) / told.wallMs)
      }
    return [
      {
        what: 'a page of 50 runs, requests at once; median',
        value: quantile(rates.served, 0.5),
        unit: '/s',
        yardstick: { what: 'a bare route of Hono', value: quantile(rates.bare, 0.5) },
      },
    ]
  } finally {
    bare.disconnect()
    await served.stop()
  }
}

async function startServed(folder: string, maxRuns: number, modelUrl?: string): Promise<Served> {
  mkdirSync(folder)
  return Served.start({ folder, maxRuns, ...(modelUrl === undefined ? {} : { modelUrl }) })
}

/** A model whose every answer takes so long, in a process of its own. */
async function withModel<T>(answerMs: number, work: (url: string) => Promise<T>): Promise<T> {
  const model = start(new URL('../ask/model-server.ts', import.meta.url), String(answerMs))
  try {
    const { port } = await talk<{ readonly port: number }>(model)
    await talk(model, { shape: 'one research step, standard' })
    return await work(`http://127.0.0.1:${port}/v1`)
  } finally {
    model.kill()
  }
}

async function startAll(url: string, questions: readonly string[]): Promise<readonly string[]> {
  const runIds: string[] = []
  for (const question of questions) {
    const body = JSON.stringify({ workflow: 'ask', question })
    const answer = await get(`${url}/api/runs`, { method: 'POST', body })
    runIds.push(((await answer.json()) as { readonly runId: string }).runId)
  }
  return runIds
}

async function get(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(url, { ...init, headers })
  if (answer.ok) return answer
  throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
}
