import { createAgentInput } from '../../src/agents/run/agent-input.ts'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import { runInMemory } from '../../src/testing/test-execution.ts'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'
import { actions, documentOf } from './read-file.ts'

/** Wall times of files with Python nodes, each in a sandbox of its own that has not started anything. */
export interface PythonTimes {
  readonly oneMs: number
  readonly fiveMs: number
}

/** Times a file with one Python node and one with five of them; medians of three. */
export async function timePython(): Promise<PythonTimes> {
  const oneMs: number[] = []
  const fiveMs: number[] = []
  for (let round = 0; round < 3; round++) {
    oneMs.push(await timeFile(1))
    fiveMs.push(await timeFile(5))
  }
  return { oneMs: middle(oneMs), fiveMs: middle(fiveMs) }
}

async function timeFile(nodes: number): Promise<number> {
  const lines = Array.from(
    { length: nodes },
    (_, index) => `  - {name: n${index}, run: "return {'n': state.get('n', 0) + 1}"}`,
  )
  const document = await documentOf(['name: python', 'nodes:', ...lines].join('\n'))
  const sandbox = createSandbox({ spareMs: 0 })
  const workflow = agentWorkflow({ actions, workspace: '.', sandbox })
  const startedAt = performance.now()
  try {
    const { result } = await runInMemory(workflow, createAgentInput({ document, input: {} }))
    if (result.state.n !== nodes) throw new Error(JSON.stringify(result))
    return performance.now() - startedAt
  } finally {
    await sandbox.close()
  }
}

function middle(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[1] as number
}
