import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { workflowOf } from '../../test/kernel/runs.ts'
import {
  callModel,
  createToolRegistry,
  defineTool,
  type RunContext,
  replayRun,
  runAgent,
} from '../kernel/index.ts'
import {
  createMemoryStore,
  faultSubject,
  runFaults,
  runInMemory,
  scriptModels,
  testExecution,
} from './index.ts'

const question = (context: RunContext, text: string) => [
  {
    id: context.id('question'),
    role: 'user' as const,
    parts: [{ type: 'text' as const, text }],
    createdAt: context.now(),
  },
]

const ask = (context: RunContext, text: string) =>
  callModel(context, 'model', context.services.models.forRole('critic'), {
    messages: question(context, text),
  })

describe('scriptModels', () => {
  it('say what they are told to, and tell what they were asked', async () => {
    const { models, calls, paidCalls } = scriptModels(
      ({ lastText, number, role }) => ({ json: { lastText, number, role } }),
      { price: { inputUsdPerMTok: 1, outputUsdPerMTok: 2 } },
    )
    const workflow = workflowOf(async (context) => {
      const { message, finishReason } = await ask(context, 'Hello')
      return [finishReason, message.parts as never]
    })
    const { result, events } = await runInMemory(workflow, {}, { models })
    const text = '{"lastText":"Hello","number":1,"role":"critic"}'
    expect(result.value).toEqual(['stop', [{ type: 'text', text }]])
    expect(events.find((event) => event.type === 'step.done')?.data.usage).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      costUsd: 0.00002,
    })
    expect([calls.length, [...paidCalls().values()]]).toEqual([1, [1]])
  })

  it('call tools and see what these gave', async () => {
    const double = defineTool({
      name: 'double',
      description: 'Doubles.',
      input: z.object({ n: z.number() }),
      effect: 'pure',
      execute: async ({ n }) => ({ twice: 2 * n }),
    })
    const { models, calls } = scriptModels(({ lastRole, lastText, tools }) =>
      lastRole === 'tool'
        ? { text: `It is ${lastText}, by ${tools}.` }
        : { toolCalls: [{ name: 'double', input: { n: 21 } }] },
    )
    const workflow = workflowOf(async (context) => {
      const model = context.services.models.forRole('default')
      const agent = { model, tools: createToolRegistry([double]), maxTurns: 3 }
      return (await runAgent(context, agent, question(context, 'Double 21.'))).text
    })
    const { result } = await runInMemory(workflow, {}, { models })
    expect(result.value).toMatch(/^It is .*"twice":42.*, by double\.$/)
    expect(calls).toHaveLength(2)
  })
})

describe('runInMemory', () => {
  it('gives a run that can be replayed', async () => {
    const { models, calls } = scriptModels(() => ({ text: 'yes' }))
    const workflow = workflowOf(async (context) => (await ask(context, 'Hi')).finishReason)
    const { runId, result, execution } = await runInMemory(workflow, {}, { models })
    const replay = await replayRun(workflow, runId, execution)
    expect(replay).toEqual({ result, recorded: result, steps: 1, unclaimed: [] })
    expect(calls).toHaveLength(1)
  })

  it('has no model where none was given, and says how to give one', async () => {
    const run = runInMemory(
      workflowOf(async (context) => (await ask(context, 'Hi')).finishReason),
      {},
    )
    await expect(run).rejects.toMatchObject({
      code: 'invalid_configuration',
      hint: expect.stringContaining('testExecution'),
    })
    expect(testExecution(createMemoryStore()).configuration).toEqual({})
  })
})

describe('faultSubject', () => {
  const worlds: { closed: boolean }[] = []
  /** A workflow that writes a line with this effect. */
  const subject = (effect: 'read' | 'write', isHonest: boolean) =>
    faultSubject(
      () => {
        const lines = new Map<string, number>()
        const world = { closed: false }
        worlds.push(world)
        const workflow = workflowOf((context) =>
          context.step('line', effect, {}, async () => {
            lines.set('line', (lines.get('line') ?? 0) + 1)
            return null
          }),
        )
        return {
          workflow,
          input: {},
          writes: () => lines,
          close: async () => {
            world.closed = true
          },
        }
      },
      { acceptsFailure: ({ code }) => isHonest && code === 'outcome_unknown' },
    )

  it('finds nothing wrong where a write that was cut off may be told of', async () => {
    const report = await runFaults(subject('write', true))
    expect(report).toMatchObject({ events: 4, trials: 8, problems: [] })
  })

  it('finds out a failure that is not to be accepted, and a write that was done twice', async () => {
    expect((await runFaults(subject('write', false))).problems).toContainEqual(
      expect.stringMatching(/^killed after event 2: It is unknown whether "test\/line" happened/),
    )
    expect((await runFaults(subject('read', true))).problems).toEqual([
      'killed before event 2: "line" was written 2 times',
    ])
  })

  it('closes every world', () => {
    expect(worlds.length).toBeGreaterThan(20)
    expect(worlds.every(({ closed }) => closed)).toBe(true)
  })
})
