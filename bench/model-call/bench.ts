import { join } from 'node:path'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { start, talk } from '../processes.ts'
import { median, timeInTurns } from '../timing.ts'
import { bindModel, openRunStore, runAgentLoop } from './agent-run.ts'
import { resultsWanted } from './conversation.ts'
import { runPlainLoop } from './plain-loop.ts'

const rounds: Readonly<Record<BenchSize, number>> = { smoke: 1, quick: 20, full: 60 }

/** What a step of the agent loop with its log takes, next to the same requests and results by plain fetch; the model is a server in another process. */
export const bench: Bench = {
  title: 'The agent loop',
  async run({ size, folder }) {
    const server = start(new URL('./server.ts', import.meta.url))
    const port = await talk<number>(server)
    const url = `http://127.0.0.1:${port}`
    const store = openRunStore(join(folder, 'runs.db'))
    try {
      const agent = (name: string, isStreamed: boolean) => {
        const model = bindModel(url, isStreamed)
        return async (round: number) =>
          expectAll(await runAgentLoop(store, `${name}-${round}`, model))
      }
      const times = await timeInTurns(
        {
          plainWhole: async () => expectAll(await runPlainLoop(url, false)),
          agentWhole: agent('whole', false),
          plainStreamed: async () => expectAll(await runPlainLoop(url, true)),
          agentStreamed: agent('streamed', true),
        },
        rounds[size],
        size === 'smoke' ? 0 : 5,
      )
      return [
        measureStep('whole answers', times.agentWhole, times.plainWhole, 2.5),
        measureStep('streamed answers', times.agentStreamed, times.plainStreamed, 2.5),
      ]
    } finally {
      await store.close()
      server.disconnect()
    }
  },
}

function expectAll(steps: number): void {
  if (steps !== resultsWanted) throw new Error(`${steps} steps instead of ${resultsWanted}.`)
}

function measureStep(
  kind: string,
  agentMs: readonly number[],
  plainMs: readonly number[],
  atMost: number,
): Measure {
  return {
    what: `a step of the agent loop, ${kind}; median`,
    value: median(agentMs) / resultsWanted,
    unit: 'ms',
    yardstick: { what: 'plain fetch', value: median(plainMs) / resultsWanted },
    target: { atMost },
  }
}
