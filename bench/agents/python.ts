import { createAgentInput } from '../../src/agents/run/agent-input.ts'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import { runInMemory } from '../../src/testing/test-execution.ts'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'
import { actions, documentOf } from './read-file.ts'

/** Runs a file with some Python nodes, in a sandbox of its own that has not started anything. */
export async function runPythonFile(nodes: number): Promise<void> {
  const lines = Array.from(
    { length: nodes },
    (_, index) => `  - {name: n${index}, run: "return {'n': state.get('n', 0) + 1}"}`,
  )
  const document = await documentOf(['name: python', 'nodes:', ...lines].join('\n'))
  const sandbox = createSandbox({ spareMs: 0 })
  const workflow = agentWorkflow({ actions, workspace: '.', sandbox })
  try {
    const { result } = await runInMemory(workflow, createAgentInput({ document, input: {} }))
    if (result.state.n !== nodes) throw new Error(JSON.stringify(result))
  } finally {
    await sandbox.close()
  }
}
