// How much longer `ask` takes than the chain of model calls that it cannot do without.
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Order, Told } from './ask-process.ts'
import { criticalPathMs } from './critical-path.ts'
import { start, talk } from './processes.ts'
import type { SeenCall } from './serve-model.ts'
import { type Shape, shapes } from './team-answers.ts'

const answerMs = 100
/** Processes for each shape, and questions that each is asked after its first. */
const processes = 3
const laterQuestions = 4
const target = 1.05

/** One question as it was measured. */
interface Measured {
  readonly wallMs: number
  readonly criticalMs: number
  readonly calls: number
}

async function measure(
  server: ChildProcess,
  asker: ChildProcess,
  shape: Shape,
  order: Order,
): Promise<Measured> {
  await talk(server, { shape: shape.name })
  const { wallMs, status } = await talk<Told>(asker, order)
  if (status === 'failed') throw new Error(`"${shape.question}" came to "${status}".`)
  const { calls } = await talk<{ calls: readonly SeenCall[] }>(server, 'calls')
  return { wallMs, criticalMs: criticalPathMs(calls), calls: calls.length }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number
}

function row(name: string, measured: readonly Measured[], isJudged: boolean): boolean {
  const ratio = median(measured.map(({ wallMs, criticalMs }) => wallMs / criticalMs))
  const isMet = ratio <= target
  const of = (value: (one: Measured) => number) => median(measured.map(value)).toFixed(0)
  const cells = [
    name.padEnd(34),
    String(measured[0]?.calls).padStart(5),
    `${of(({ criticalMs }) => criticalMs)} ms`.padStart(9),
    `${of(({ wallMs }) => wallMs)} ms`.padStart(8),
    `+${of(({ wallMs, criticalMs }) => wallMs - criticalMs)} ms`.padStart(8),
    ratio.toFixed(3),
    isJudged ? (isMet ? 'met' : 'MISSED') : '',
  ]
  console.log(cells.join('  ').trimEnd())
  return isMet || !isJudged
}

/** What one shape came to: a process's first question, the later ones, and a bare loop of as many calls. */
async function measureShape(
  server: ChildProcess,
  baseUrl: string,
  shape: Shape,
  isStreamed: boolean,
) {
  const first: Measured[] = []
  const later: Measured[] = []
  const bare: Measured[] = []
  const ask: Order = { question: shape.question, isStreamed }
  for (let number = 0; number < processes; number++) {
    const home = mkdtempSync(join(tmpdir(), 'scholium-bench-ask-'))
    const asker = start(new URL('ask-process.ts', import.meta.url), home, baseUrl)
    await talk(asker)
    first.push(await measure(server, asker, shape, ask))
    const bareCalls = first[0]?.calls ?? 0
    for (let count = 0; count < laterQuestions; count++) {
      later.push(await measure(server, asker, shape, ask))
      bare.push(await measure(server, asker, shape, { bareCalls, isStreamed }))
    }
    asker.kill()
    rmSync(home, { recursive: true, force: true })
  }
  return { first, later, bare }
}

async function measureAll(server: ChildProcess, baseUrl: string): Promise<boolean> {
  let isGood = true
  console.log(
    `${'question'.padEnd(34)}  calls   critical      wall     above  ratio  (target ${target})`,
  )
  for (const isStreamed of [true, false]) {
    for (const shape of shapes) {
      const { first, later, bare } = await measureShape(server, baseUrl, shape, isStreamed)
      const name = `${shape.name}${isStreamed ? ', streamed' : ''}`
      row(`${name}: first`, first, false)
      isGood = row(`${name}: later`, later, true) && isGood
      row(`${name}: bare loop`, bare, false)
    }
  }
  return isGood
}

const server = start(new URL('model-server.ts', import.meta.url), String(answerMs))
try {
  const { port } = await talk<{ port: number }>(server)
  process.exitCode = (await measureAll(server, `http://127.0.0.1:${port}/v1`)) ? 0 : 1
} finally {
  server.kill()
}
