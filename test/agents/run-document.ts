import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AgentDocument } from '../../src/agents/document/agent-document.ts'
import type { KnownAction } from '../../src/agents/document/checks.ts'
import { formatProblem } from '../../src/agents/document/problem.ts'
import { readAgentDocument } from '../../src/agents/document/read-document.ts'
import { type AgentInput, createAgentInput } from '../../src/agents/run/agent-input.ts'
import type { AgentParts } from '../../src/agents/run/agent-parts.ts'
import type { AgentResult } from '../../src/agents/run/agent-result.ts'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import { createTemplates } from '../../src/agents/templates/templates.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { Execution } from '../../src/kernel/run/workflow.ts'
import { runInMemory, type TestRun } from '../../src/testing/test-execution.ts'
import { nameOf, testActions, type World } from './test-actions.ts'

/** An empty world. */
export function newWorld(): World {
  return { written: [], read: [] }
}

/** What documents of tests are run with. */
export function testParts(world: World = newWorld(), more: Partial<AgentParts> = {}): AgentParts {
  return { actions: testActions(world), workspace: '.', ...more }
}

const { all } = testActions(newWorld())
const known = all.map((action): readonly [string, KnownAction] => {
  const { params, needs } = action
  const late = action.kind === 'composed' ? action.lateParams : undefined
  const name = nameOf(action)
  return [
    name,
    {
      name,
      params,
      ...(needs === undefined ? {} : { needs }),
      ...(late === undefined ? {} : { lateParams: late }),
    },
  ]
})

/** A document of a text. @throws with its problems when it has errors */
export async function parseDocument(text: string, path = 'test.yaml'): Promise<AgentDocument> {
  const checks = {
    actions: new Map(known),
    refused: new Map(),
    templates: await createTemplates(),
  }
  const outcome = await readAgentDocument(text, { path, checks })
  if (!outcome.ok) throw new Error(outcome.problems.map(formatProblem).join('\n'))
  return outcome.document
}

/** A document of `test/agents/documents`. */
export async function loadDocument(name: string): Promise<AgentDocument> {
  const path = fileURLToPath(new URL(`documents/${name}.yaml`, import.meta.url))
  return parseDocument(await readFile(path, 'utf8'), `${name}.yaml`)
}

/** Runs a document once over a log in memory. */
export function runDocument(
  document: AgentDocument,
  input: JsonObject = {},
  parts: AgentParts = testParts(),
  changes: Partial<Execution> = {},
  more: Partial<AgentInput> = {},
): Promise<TestRun<AgentResult>> {
  const secretNames = Object.keys(parts.secrets ?? {})
  const given = { document, input, secretNames, ...more }
  return runInMemory(agentWorkflow(parts), createAgentInput(given), changes)
}
