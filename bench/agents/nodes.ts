import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentDocument } from '../../src/agents/document/agent-document.ts'
import { createAgentInput } from '../../src/agents/run/agent-input.ts'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import { startRun } from '../../src/kernel/run/run.ts'
import type { RunStore } from '../../src/kernel/run/run-store.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { executionOn, workflowOf } from '../log/fixture.ts'
import { median, timeInTurns } from '../timing.ts'
import { actions, documentOf } from './read-file.ts'

/** What a node without a model takes, and a step of the log that does nothing; medians in milliseconds. */
export interface NodeTimes {
  readonly nodeMs: number
  readonly stepMs: number
}

/**
 * Times whole runs of ten nodes and of one, and of ten bare steps and of one, in turns. The difference leaves out a run's start
 * and end, which wait for the disk.
 */
export async function timeNodes(folder: string, rounds: number): Promise<NodeTimes> {
  const ten = await documentOf(await readFile(join(import.meta.dirname, 'ten-nodes.yaml'), 'utf8'))
  const one = await documentOf(
    'name: one\nnodes:\n  - {name: a, run: {type: expression, value: "1", output_key: a}}',
  )
  const store = openRunStore(join(folder, 'runs.db'))
  try {
    const times = await timeInTurns(
      {
        tenNodes: (round) => runFile(store, ten, `ten-nodes-${round}`),
        oneNode: (round) => runFile(store, one, `one-node-${round}`),
        tenSteps: (round) => runSteps(store, 10, `ten-steps-${round}`),
        oneStep: (round) => runSteps(store, 1, `one-step-${round}`),
      },
      rounds,
      Math.min(rounds, 20),
    )
    return {
      nodeMs: (median(times.tenNodes) - median(times.oneNode)) / (ten.nodes.length - 1),
      stepMs: (median(times.tenSteps) - median(times.oneStep)) / 9,
    }
  } finally {
    await store.close()
  }
}

async function runFile(store: RunStore, document: AgentDocument, runId: string): Promise<void> {
  const workflow = agentWorkflow({ actions, workspace: '.' })
  const input = createAgentInput({ document, input: {} })
  const { result } = await startRun(workflow, input, runId, executionOn(store))
  if (result.status !== 'answered') throw new Error(JSON.stringify(result))
}

async function runSteps(store: RunStore, count: number, runId: string): Promise<void> {
  const workflow = workflowOf(async (context) => {
    for (let index = 0; index < count; index++)
      await context.step(`step-${index}`, 'pure', { index }, async () => ({ value: index }))
    return {}
  })
  await startRun(workflow, {}, runId, executionOn(store))
}
