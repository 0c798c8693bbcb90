import { join } from 'node:path'
import { type LiveEvent, type RunStore, startRun } from '../../src/kernel/index.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import { decompose } from '../../src/reasoning/index.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { executionOn, workflowOf } from '../log/fixture.ts'
import { start, talk } from '../processes.ts'
import { median, timeInTurns } from '../timing.ts'

const rounds: Readonly<Record<BenchSize, number>> = { smoke: 1, quick: 15, full: 31 }
const solveMs = 100
const parts = 3

/** How long the sub-problems of a decomposition take together, next to plain requests for the same answers. */
export const bench: Bench = {
  title: 'Decomposition',
  async run({ size, folder }) {
    const server = start(
      new URL('./model-server.ts', import.meta.url),
      String(solveMs),
      String(parts),
    )
    const store = openRunStore(join(folder, 'runs.db'))
    try {
      const baseUrl = `http://127.0.0.1:${await talk<number>(server)}/v1`
      const times = { parallel: [] as number[], sequential: [] as number[] }
      const decomposed = (name: keyof typeof times, concurrency: number) => async (round: number) =>
        times[name].push(await timeParts(store, `${name}-${round}`, { baseUrl, concurrency }))
      const plain = await timeInTurns(
        {
          plain: () => Promise.all(Array.from({ length: parts }, () => fetchPlain(baseUrl))),
          parallel: decomposed('parallel', 4),
          plainSequential: async () => {
            for (let part = 0; part < parts; part++) await fetchPlain(baseUrl)
          },
          sequential: decomposed('sequential', 1),
        },
        rounds[size],
      )
      // The first round, which loads the provider, is not counted.
      return [
        measureParts('in parallel', times.parallel.slice(1), plain.plain, 1.3),
        measureParts('one after another', times.sequential.slice(1), plain.plainSequential, 1.15),
      ]
    } finally {
      await store.close()
      server.kill()
    }
  },
}

function measureParts(
  how: string,
  ms: readonly number[],
  plainMs: readonly number[],
  atMost: number,
): Measure {
  return {
    what: `${parts} sub-problems of ${solveMs} ms, ${how}; median`,
    value: median(ms),
    unit: 'ms',
    yardstick: { what: 'plain fetch', value: median(plainMs) },
    target: { atMost },
  }
}

/** From the end of the split to the beginning of the synthesis: the sub-problems alone, in milliseconds. */
async function timeParts(
  store: RunStore,
  runId: string,
  { baseUrl, concurrency }: { readonly baseUrl: string; readonly concurrency: number },
): Promise<number> {
  let splitAt = Number.NaN
  let synthesisAt = Number.NaN
  const hear = ({ type, key }: LiveEvent) => {
    if (type === 'step.done' && key === 'bench/solve') splitAt = performance.now()
    if (type === 'step.started' && key === 'bench/synthesize') synthesisAt = performance.now()
  }
  const workflow = workflowOf(async (context) => ({
    value: (await decompose(context, { problem: 'the whole', concurrency })).finalAnswer,
  }))
  const models = createModelSource({
    choices: { default: { name: 'openai-compatible:m', baseUrl, isStreamed: false } },
    environment: {},
    builtIn: {},
  })
  await startRun(workflow, {}, runId, { ...executionOn(store), models, listeners: [hear] })
  return synthesisAt - splitAt
}

async function fetchPlain(baseUrl: string): Promise<void> {
  const messages = [
    { role: 'system', content: 'Solve this.' },
    { role: 'user', content: 'whole_problem' },
  ]
  const body = JSON.stringify({ model: 'm', messages })
  await (await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body })).json()
}
