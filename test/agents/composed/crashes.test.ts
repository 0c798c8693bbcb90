import { describe, expect, it } from 'vitest'
import { createComposedActions } from '../../../src/agents/actions/composed/create-composed-actions.ts'
import type { AgentDocument } from '../../../src/agents/document/agent-document.ts'
import { formatProblem } from '../../../src/agents/document/problem.ts'
import { readAgentDocument } from '../../../src/agents/document/read-document.ts'
import { createAgentInput } from '../../../src/agents/run/agent-input.ts'
import { agentWorkflow } from '../../../src/agents/run/agent-workflow.ts'
import { createTemplates } from '../../../src/agents/templates/templates.ts'
import { replayRun } from '../../../src/kernel/index.ts'
import type { Json } from '../../../src/kernel/json.ts'
import {
  faultSubject,
  type ModelCallSeen,
  runFaults,
  runInMemory,
  type ScriptedAnswer,
  scriptModels,
} from '../../../src/testing/index.ts'

const all = createComposedActions({ providers: ['test'] })
const byName = new Map(all.map((action) => [action.name, action]))
const parts = { actions: { all, get: (name: string) => byName.get(name) }, workspace: '.' }

async function parse(action: string, params: Json, rest = ''): Promise<AgentDocument> {
  const text = `name: test\n${rest}\nnodes:\n  - name: n\n    uses: ${action}\n    with: ${JSON.stringify(params)}\n    output: r\n`
  const checks = { actions: byName, refused: new Map(), templates: await createTemplates() }
  const outcome = await readAgentDocument(text, { path: 'test.yaml', checks })
  if (!outcome.ok) throw new Error(outcome.problems.map(formatProblem).join('\n'))
  return outcome.document
}

const team = 'settings: {agents: {ann: {system_prompt: Ann}, bob: {system_prompt: Bob}}}'
const plan = {
  goal: 'g',
  subtasks: [
    { id: 'a', description: 'a' },
    { id: 'b', description: 'b' },
    { id: 'c', description: 'c', dependencies: ['a', 'b'] },
  ],
}
const echo = ({ lastText }: ModelCallSeen): ScriptedAnswer => ({ text: `said ${lastText.length}` })

const subjects: readonly {
  readonly action: string
  readonly params: Json
  readonly rest?: string
  readonly say: (seen: ModelCallSeen) => ScriptedAnswer
  readonly parallelCalls?: number
}[] = [
  {
    action: 'llm.call',
    params: { prompt: 'Q', response_format: 'json' },
    say: ({ lastText }) => (lastText === 'Q' ? { text: 'no' } : { json: { a: 1 } }),
  },
  {
    action: 'agent.parallel',
    params: { agents: ['ann', 'bob'], task: 't', aggregation: 'consensus', consensus_threshold: 1 },
    rest: team,
    say: ({ prompt, lastText }) =>
      lastText.includes('<answer>') ? { text: 'same' } : { text: String(prompt[0]?.content) },
    parallelCalls: 2,
  },
  {
    action: 'agent.coordinate',
    params: { leader: 'ann', workers: ['ann', 'bob'], task: 't' },
    rest: team,
    say: echo,
    parallelCalls: 2,
  },
  { action: 'plan.execute', params: { plan, parallel: true }, say: echo, parallelCalls: 2 },
  {
    action: 'reflection.loop',
    params: {
      generator: { action: 'llm.call', prompt: 'Make {{ state.reflection_iteration }}' },
      evaluator: { type: 'schema', schema: { type: 'object', required: ['ok'] } },
    },
    say: ({ lastText }) => (lastText === 'Make 1' ? { text: 'x' } : { json: { ok: true } }),
  },
]

/** A result without times: they differ where a run was done in two parts. */
function comparable(result: Json): unknown {
  return JSON.parse(JSON.stringify(result), (key, value) => (key === 'timestamp' ? 0 : value))
}

describe('a run of an action that dies at any event and is resumed', () => {
  it.each(subjects)(
    'comes to the same by $action, and pays no finished call again',
    async ({ action, params, rest, say, parallelCalls = 1 }) => {
      const document = await parse(action, params, rest)
      const subject = faultSubject(
        () => {
          const { models, paidCalls } = scriptModels(say)
          const input = createAgentInput({ document, input: {}, subgraphs: {} })
          return { workflow: agentWorkflow(parts), input, execution: { models }, paidCalls }
        },
        { parallelCalls, comparable },
      )
      const report = await runFaults(subject)
      expect(report.problems).toEqual([])
      expect(report.trials).toBeGreaterThan(5)
    },
  )
})

describe('a replay', () => {
  it.each(subjects)(
    'gives the same result of $action without any model',
    async ({ action, params, rest, say }) => {
      const input = createAgentInput({
        document: await parse(action, params, rest),
        input: {},
        subgraphs: {},
      })
      const { models } = scriptModels(say)
      const run = await runInMemory(agentWorkflow(parts), input, { models })
      expect(run.result.status).toBe('answered')
      const replay = await replayRun(agentWorkflow(parts), run.runId, run.execution)
      expect(replay.result).toEqual(run.result)
    },
  )
})
