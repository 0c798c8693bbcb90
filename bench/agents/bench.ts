import type { Bench, BenchSize, Measure } from '../bench.ts'
import { median, timeInTurns } from '../timing.ts'
import { timeNodes } from './nodes.ts'
import { runPythonFile } from './python.ts'

const rounds: Readonly<Record<BenchSize, { nodes: number; python: number }>> = {
  smoke: { nodes: 5, python: 0 },
  quick: { nodes: 200, python: 3 },
  full: { nodes: 500, python: 5 },
}

/** What an agent file costs besides what its nodes do. */
export const bench: Bench = {
  title: 'Agent files',
  async run({ size, folder }) {
    const { nodeMs, stepMs } = await timeNodes(folder, rounds[size].nodes)
    const node: Measure = {
      what: 'a node without a model, with its log; median',
      value: nodeMs,
      unit: 'ms',
      yardstick: { what: 'a bare step', value: stepMs },
      target: { atMost: 5 },
    }
    return rounds[size].python === 0 ? [node] : [node, await measurePython(rounds[size].python)]
  },
}

async function measurePython(rounds: number): Promise<Measure> {
  const { one, five } = await timeInTurns(
    { one: () => runPythonFile(1), five: () => runPythonFile(5) },
    rounds,
    0,
  )
  return {
    what: 'a file with five Python nodes; median',
    value: median(five),
    unit: 'ms',
    yardstick: { what: 'a file with one', value: median(one) },
    target: { atMost: 2 },
  }
}
