/*
 * How long the sub-problems of a decomposition take together: node bench/reasoning/run.ts
 * Exits with 1 when the target is missed: by the median, since one run may have been disturbed.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LiveEvent, type RunStore, startRun, systemClock } from '../../src/kernel/index.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import { decompose } from '../../src/reasoning/index.ts'
import { currentOwner } from '../../src/stores/process-owner.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'

const solveMs = 100
const parts = 3
const targetMs = 150
const runs = 15

/** What one decomposition took. */
interface Measured {
  /** From the end of the split to the beginning of the synthesis: the sub-problems alone. */
  readonly partsMs: number
  readonly wallMs: number
}

let count = 0

async function measure(store: RunStore, baseUrl: string, concurrency: number): Promise<Measured> {
  let splitAt = 0
  let synthesisAt = 0
  const hear = ({ type, key }: LiveEvent) => {
    if (type === 'step.done' && key === 'bench/solve') splitAt = performance.now()
    if (type === 'step.started' && key === 'bench/synthesize') synthesisAt = performance.now()
  }
  const workflow = {
    name: 'bench',
    version: '1',
    promptHashes: {},
    title: () => '',
    run: async (context: Parameters<typeof decompose>[0]) => ({
      value: (await decompose(context, { problem: 'the whole', concurrency })).finalAnswer,
    }),
    status: () => 'answered' as const,
  }
  const models = createModelSource({
    choices: { default: { name: 'openai-compatible:m', baseUrl, isStreamed: false } },
    environment: {},
    builtIn: {},
  })
  const begun = performance.now()
  await startRun(workflow, {}, `run-${++count}`, {
    store,
    owner: currentOwner(),
    clock: systemClock,
    models,
    packageVersion: '0',
    configuration: {},
    listeners: [hear],
  })
  return { partsMs: synthesisAt - splitAt, wallMs: performance.now() - begun }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number
}

function portOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('message', (port) => resolve(port as number))
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
}

const server = fork(new URL('model-server.ts', import.meta.url), [String(solveMs), String(parts)])
const folder = mkdtempSync(join(tmpdir(), 'scholium-bench-reasoning-'))
const store = openRunStore(join(folder, 'runs.db'))
try {
  const baseUrl = `http://127.0.0.1:${await portOf(server)}/v1`
  console.log(
    '| what | median | worst | whole decomposition | target | |\n|---|---|---|---|---|---|',
  )
  for (const concurrency of [4, 1]) {
    // The first one loads the provider.
    await measure(store, baseUrl, concurrency)
    const measured: Measured[] = []
    for (let run = 0; run < runs; run++) measured.push(await measure(store, baseUrl, concurrency))
    const times = measured.map(({ partsMs }) => partsMs)
    const isJudged = concurrency > 1
    const isMissed = isJudged && median(times) >= targetMs
    if (isMissed) process.exitCode = 1
    const cells = [
      `${parts} sub-problems of ${solveMs} ms, ${concurrency} calls at once`,
      `${median(times).toFixed(1)} ms`,
      `${Math.max(...times).toFixed(1)} ms`,
      `${median(measured.map(({ wallMs }) => wallMs)).toFixed(1)} ms`,
      isJudged ? `< ${targetMs} ms` : '',
      isJudged ? (isMissed ? 'MISSED' : 'ok') : '',
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
} finally {
  await store.close()
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}
