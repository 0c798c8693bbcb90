import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentDocument } from '../../src/agents/document/agent-document.ts'
import { createAgentInput } from '../../src/agents/run/agent-input.ts'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import { startRun } from '../../src/kernel/run/run.ts'
import type { RunStore } from '../../src/kernel/run/run-store.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { executionOn } from '../log/fixture.ts'
import { actions, documentOf } from './read-file.ts'

const rounds = 300
const warmUpRounds = 20

/** Wall times of whole runs, from the document to the result, their log on disk. */
export interface NodeTimes {
  readonly nodes: number
  readonly medianMs: number
  readonly p95Ms: number
  /** The first run of the process: with what is loaded and compiled once. */
  readonly firstMs: number
  /** The median of a run of one node: its start and end, which wait for the disk. */
  readonly plainMs: number
}

/** Times runs of ten nodes and of one node in turns, so that a disk that slows down slows both. */
export async function timeNodes(folder: string): Promise<NodeTimes> {
  const ten = await documentOf(await readFile(join(import.meta.dirname, 'ten-nodes.yaml'), 'utf8'))
  const one = await documentOf(
    'name: one\nnodes:\n  - {name: a, run: {type: expression, value: "1", output_key: a}}',
  )
  const store = openRunStore(join(folder, 'runs.db'))
  let firstMs = 0
  const times = { ten: [] as number[], one: [] as number[] }
  try {
    for (let round = 0; round < rounds; round++) {
      const [tenMs, oneMs] = [
        await timeRun(store, ten, `ten-${round}`),
        await timeRun(store, one, `one-${round}`),
      ]
      if (round === 0) firstMs = tenMs
      if (round < warmUpRounds) continue
      times.ten.push(tenMs)
      times.one.push(oneMs)
    }
  } finally {
    await store.close()
  }
  return {
    nodes: ten.nodes.length,
    medianMs: quantile(times.ten, 0.5),
    firstMs,
    p95Ms: quantile(times.ten, 0.95),
    plainMs: quantile(times.one, 0.5),
  }
}

async function timeRun(store: RunStore, document: AgentDocument, runId: string): Promise<number> {
  const workflow = agentWorkflow({ actions, workspace: '.' })
  const input = createAgentInput({ document, input: {} })
  const execution = executionOn(store)
  const startedAt = performance.now()
  const { result } = await startRun(workflow, input, runId, execution)
  const wallMs = performance.now() - startedAt
  if (result.status !== 'answered') throw new Error(JSON.stringify(result))
  return wallMs
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((left, right) => left - right)[
    Math.floor(values.length * share)
  ] as number
}
