/*
 * What watching a run costs: node bench/trace/run.ts [FOLDER]
 * FOLDER is on the disk to measure; default: the system's temporary folder.
 * Exits with 1 when a target is missed.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { telemetryOf } from '../../src/app/runs/trace-telemetry.ts'
import { shapes } from '../ask/team-answers.ts'
import type { Told } from './asker.ts'
import { projectRun, timeShow, traceEvents } from './large-run.ts'
import { writeRun } from './made-run.ts'

const events = 100_000
const rounds = 25
const answerMs = 100
const mostOverhead = 1.05
const mostHeapGrowth = 5_000_000
const shape =
  shapes.find(({ name }) => name === 'one research step') ?? (shapes[0] as (typeof shapes)[number])

let isMissed = false
const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'scholium-bench-trace-'))
const children: ChildProcess[] = []
try {
  await measureLargeRun()
  measureTraceFiles()
  measureOff()
  await measureTelemetry()
} finally {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
}
if (isMissed) process.exitCode = 1

function tell(what: string, measured: string, target = '', isMet = true): void {
  if (!isMet) isMissed = true
  const verdict = target === '' ? '' : isMet ? 'met' : 'MISSED'
  console.log(
    [what.padEnd(52), measured.padEnd(34), target.padEnd(12), verdict].join('  ').trimEnd(),
  )
}

async function measureLargeRun(): Promise<void> {
  const path = join(folder, 'runs.db')
  await writeRun(path, 'large', events)
  const { eventsPerSecond, spans, heapGrowthBytes } = await projectRun(path, 'large', events)
  tell(
    'spans of a run of 100,000 events',
    `${whole(eventsPerSecond)} events/s, ${whole(spans)} spans`,
  )
  tell(
    'heap growth meanwhile',
    megabytes(heapGrowthBytes),
    '≤ 5 MB',
    heapGrowthBytes <= mostHeapGrowth,
  )
  const showMs = median([
    await timeShow(folder, 'large'),
    await timeShow(folder, 'large'),
    await timeShow(folder, 'large'),
  ])
  tell('trace show of that run, a process of its own', `${whole(showMs)} ms`)
}

function measureTraceFiles(): void {
  for (const count of [1_000, events]) {
    const { perEventUs, sizeBytes, heapGrowthBytes } = traceEvents(
      join(folder, 'trace.jsonl'),
      count,
    )
    tell(
      `trace file of ${whole(count)} events`,
      `${perEventUs.toFixed(1)} µs an event, ${megabytes(sizeBytes)}`,
    )
    tell(
      'heap growth meanwhile',
      megabytes(heapGrowthBytes),
      '≤ 5 MB',
      heapGrowthBytes <= mostHeapGrowth,
    )
  }
}

/** All that a run pays where no collector is named: looking that none is. */
function measureOff(): void {
  const times = 10_000
  const startMs = performance.now()
  for (let index = 0; index < times; index++) telemetryOf({}, () => {})
  tell(
    'telemetry off, once for each app',
    `${(((performance.now() - startMs) / times) * 1_000).toFixed(1)} µs`,
  )
}

type Asker = 'off' | 'again' | 'on'

/** Without a collector, without one in another process, which shows how far two equal ones differ, and with one. */
async function measureTelemetry(): Promise<void> {
  const model = await start('../ask/model-server.ts', String(answerMs))
  const baseUrl = `${model}/v1`
  const endpoint = await start('./collector.ts')
  const [server, collector] = children as [ChildProcess, ChildProcess]
  const forked = (name: string, ...more: readonly string[]) =>
    fork(new URL('./asker.ts', import.meta.url), [join(folder, name), baseUrl, ...more])
  const askers = { off: forked('off'), again: forked('again'), on: forked('on', endpoint) }
  children.push(...Object.values(askers))
  await Promise.all(Object.values(askers).map((asker) => said(asker)))
  const told: Record<Asker, Told[]> = { off: [], again: [], on: [] }
  const names = Object.keys(askers) as readonly Asker[]
  for (let round = 0; round <= rounds; round++) {
    for (const index of names.keys()) {
      const name = names[(round + index) % names.length] as Asker
      await talk(server, { shape: shape.name })
      const one = await talk<Told>(askers[name], shape.question)
      // The first loads modules and indexes files.
      if (round > 0) told[name].push(one)
    }
  }
  const askMs = ({ askMs }: Told) => askMs
  const sentMs = ({ askMs, closeMs }: Told) => askMs + closeMs
  const shown = (list: readonly Told[]) =>
    `${whole(median(list.map(askMs)))} ms, ${whole(median(list.map(({ cpuMs }) => cpuMs)))} ms of processor`
  // Of one round, which the machine's other work touches alike.
  const ratio = (to: readonly Told[], of: (one: Told) => number) =>
    median(to.map((one, index) => of(one) / of(told.off[index] as Told)))
  const { spans } = await talk<{ spans: number }>(collector, 'count')
  tell(`${shape.name}, calls of ${answerMs} ms, no collector`, shown(told.off))
  tell('the same in another process', shown(told.again))
  tell('the same with a collector', shown(told.on))
  tell('the second to the first: what chance does', ratio(told.again, askMs).toFixed(3))
  const answered = ratio(told.on, askMs)
  tell(
    'with a collector, until the answer',
    answered.toFixed(3),
    '≤ 1.050',
    answered <= mostOverhead,
  )
  const sent = ratio(told.on, sentMs)
  tell(
    'with a collector, until all spans are sent',
    sent.toFixed(3),
    '≤ 1.050',
    sent <= mostOverhead,
  )
  tell('spans that came', whole(spans))
}

async function start(file: string, ...args: readonly string[]): Promise<string> {
  const child = fork(new URL(file, import.meta.url), args)
  children.push(child)
  const { port } = await said<{ port: number }>(child)
  return `http://127.0.0.1:${port}`
}

function said<Said>(child: ChildProcess): Promise<Said> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A process ended with ${code}.`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as Said)
    })
  })
}

function talk<Said>(child: ChildProcess, order: object | string): Promise<Said> {
  const answer = said<Said>(child)
  child.send(order)
  return answer
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en-US')
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
