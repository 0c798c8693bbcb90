import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AgentDocument } from '../../src/agents/document/agent-document.ts'
import { createAgentInput } from '../../src/agents/run/agent-input.ts'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import { replayRun } from '../../src/kernel/run/run.ts'
import {
  compareSchedules,
  faultSubject,
  runFaults,
  type Schedule,
  seededCrashes,
} from '../../src/testing/index.ts'
import { newWorld, parseDocument, runDocument, testParts } from './run-document.ts'

const read = (text: string) => ({ uses: 'test.read', with: { text }, output: 'heard' })
const count = { run: { type: 'expression', value: 'state.n + 1', output_key: 'n' } }
const graceful = { on_error: { mode: 'graceful' } }

/** Parts that a document is put together from, each a node or a few of them, by their place in it. */
const parts: readonly ((name: string) => readonly object[])[] = [
  (name) => [{ name, ...read(`${name} {{ state.n }}`) }],
  (name) => [{ name, ...count }],
  (name) => [{ name, uses: 'test.fail', ...graceful }],
  (name) => [{ name, steps: [count, read(`${name} {{ state.n }}`), count] }],
  (name) => [{ name, condition: 'state.n % 2 == 0', ...read(name) }],
  (name) => [
    {
      name,
      type: 'while_loop',
      condition: 'state.n % 4 != 0',
      max_iterations: 5,
      body: [count, read(`${name} {{ state.n }}`)],
    },
  ],
  (name) => [
    {
      name,
      type: 'dynamic_parallel',
      items: ['a', 'b', 'c'],
      max_concurrency: 2,
      steps: [
        read(`${name} {{ item }}`),
        { uses: 'test.fail', condition: 'state.item == "b"' },
        count,
      ],
      fan_in: `${name}_in`,
    },
    {
      name: `${name}_in`,
      fan_in: true,
      uses: 'state.set',
      with: { [name]: "{{ parallel_results | map(attribute='success') | list }}" },
    },
  ],
]

const anyDocument = fc
  .array(fc.nat(parts.length - 1), { minLength: 1, maxLength: 6 })
  .map((chosen) => {
    const nodes = chosen.flatMap((part, index) => parts[part]?.(`node_${index}`) ?? [])
    return JSON.stringify({ name: 'any', initial_state: { n: 0 }, nodes })
  })

const seed = 20261120

it('any document comes to the same end when its process dies, is replayed, or goes in another order', async () => {
  await fc.assert(
    fc.asyncProperty(anyDocument, async (text) => {
      const document = await parseDocument(text)
      const workflow = agentWorkflow(testParts())
      const { result, runId, execution } = await runDocument(document)
      expect(result.status).toBe('answered')
      expect(await replayRun(workflow, runId, execution)).toMatchObject({
        result,
        recorded: result,
        unclaimed: [],
      })
      expect(await problemsOf(document)).toEqual([])
      const report = await compareSchedules([1, 2, 3], (schedule) => inOrder(document, schedule))
      expect(report.differences).toEqual([])
    }),
    { numRuns: 40, seed },
  )
}, 120_000)

async function problemsOf(document: AgentDocument): Promise<readonly string[]> {
  const input = createAgentInput({ document, input: {} })
  const subject = faultSubject(() => ({ workflow: agentWorkflow(testParts()), input }))
  const plan = (events: number) => seededCrashes(events, 6, 2, seed)
  return (await runFaults(subject, { plan })).problems.filter(
    (problem) => !problem.endsWith('the run ended before it came there'),
  )
}

async function inOrder(document: AgentDocument, schedule: Schedule) {
  const world = { ...newWorld(), turn: () => schedule.turn() }
  const { result, events } = await runDocument(document, {}, testParts(world))
  return { result, events }
}
