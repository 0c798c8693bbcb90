import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  callModel,
  createToolRegistry,
  defineTool,
  type Json,
  type RunContext,
  runAgent,
  type StepFacts,
  systemClock,
  toFailure,
} from '../../src/kernel/index.ts'
import { withLimits } from '../../src/kernel/limits/with-limits.ts'
import { useHttpModel } from '../kernel/http-model.ts'
import { type Body, useRuns } from '../kernel/runs.ts'

const current = useRuns()
const model = useHttpModel()

const parts = [{ type: 'text' as const, text: 'Hello' }]
const messages = [{ id: 'q', role: 'user' as const, parts, createdAt: 0 }]
const body: Body = async (context) =>
  (await callModel(context, 'call', model.binding(), { messages })).finishReason
const timely = { clock: systemClock, limits: { maxWallMs: 300 } }

describe('a limit of time', () => {
  it.each([
    ['does not answer', { hang: true } as const],
    [
      'falls silent in its answer',
      { text: 'x'.repeat(900), cut: { afterChunks: 3, by: 'silence' } } as const,
    ],
    ['streams on and on', { text: 'x'.repeat(900), chunkDelayMs: 1_000 } as const],
    ['is busy and asks to wait', { status: 429, headers: { 'retry-after': '60' } } as const],
  ])('binds while a model %s', async (_what, reply) => {
    model.script = () => reply
    const startedAt = performance.now()
    await expect(current().start(body, timely)).rejects.toMatchObject({
      code: 'limit_reached',
      details: { limit: 'maxWallMs' },
    })
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect(model.server.requests).toHaveLength(1)
  })

  it('that stopped a run lets it continue when it is raised, and what was under way counts as paid', async () => {
    model.script = () => ({ hang: true })
    const prices = { 'openai-compatible:scripted': { inputUsdPerMTok: 1, outputUsdPerMTok: 1 } }
    const priced: Body = async (context) =>
      (await callModel(context, 'call', model.binding({ prices }), { messages })).finishReason
    await expect(current().start(priced, timely)).rejects.toThrow('time')
    const reached = (await current().events()).find(({ type }) => type === 'limit.reached')
    const { usage } = (reached?.data ?? {}) as Partial<StepFacts>
    if (typeof usage?.costUsd !== 'number') throw new Error('What was used is not told.')
    expect(usage.inputTokens).toBeGreaterThan(4_096)
    model.script = () => ({ text: 'hello' })
    const poor = { clock: systemClock, limits: { maxWallMs: 60_000, maxCostUsd: usage.costUsd } }
    await expect(current().resume(priced, poor)).rejects.toMatchObject({
      details: { limit: 'maxCostUsd' },
    })
    const more = { ...poor, limits: { maxCostUsd: 2 * usage.costUsd } }
    expect(await current().resume(priced, more)).toBe('stop')
  })
})

describe('the limit of time of a part', () => {
  const ownTime = { maxWallMs: 200 }
  const endless = () => new Promise<never>(() => undefined)
  const execution = { clock: systemClock, limits: { maxWallMs: 60_000, maxSteps: 50 } }

  /** An agent whose only tool is an agent with time of its own; the outcome of both. */
  const nesting =
    (workWithin: (part: RunContext) => Promise<Json>): Body =>
    async (context) => {
      const helper = defineTool({
        name: 'helper',
        description: 'An agent of its own.',
        input: z.object({}),
        effect: 'read',
        execute: async () => workWithin(await withLimits(context, 'helper', ownTime)),
      })
      const agent = { model: model.binding(), tools: createToolRegistry([helper]), maxTurns: 3 }
      const { text, results } = await runAgent(context.child('agent'), agent, messages)
      return [text, results.map(({ output }) => output) as Json]
    }
  const calling = (name: string) => ({ toolCalls: [{ name, input: {} }] })
  const stopped = {
    code: 'limit_reached',
    error: 'The limit on time of test/helper was reached. The limit is 0.2 s of work.',
  }

  it.each<[string, (part: RunContext) => Promise<Json>]>([
    [
      'its model hangs',
      async (part) => (await callModel(part, 'inner', model.binding(), { messages })).finishReason,
    ],
    [
      'its tool hangs and hears no signal',
      async (part) => {
        const never = defineTool({
          name: 'never',
          description: 'Never ends.',
          input: z.object({}),
          effect: 'read',
          execute: endless,
        })
        const agent = { model: model.binding(), tools: createToolRegistry([never]), maxTurns: 3 }
        return (await runAgent(part, agent, messages)).text
      },
    ],
  ])('stops a nested agent while %s, and the agent around it goes on', async (_what, within) => {
    model.script = ({ tools, lastRole }) => {
      if (lastRole === 'tool') return { text: 'Without it.' }
      if (tools.length === 0) return { hang: true }
      return calling(tools[0] as string)
    }
    const startedAt = performance.now()
    const value = await current().start(nesting(within), execution)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect(value).toEqual(['Without it.', [expect.objectContaining(stopped)]])
    expect((await current().replay(nesting(within))).result.value).toEqual(value)
  })

  it('stops a call that waits for what a sibling outside of it holds, before the sibling ends', async () => {
    const ended: string[] = []
    const all = { steps: 1, tokens: 100, costUsd: 0 }
    const body: Body = async (context) => {
      const sibling = context.branch('sibling')
      const holding = sibling.step(
        'holds',
        'read',
        {},
        async () => {
          await new Promise((resolve) => setTimeout(resolve, 1_000))
          ended.push('sibling')
          return null
        },
        { reservation: all },
      )
      const part = await withLimits(context.branch('beside'), 'helper', ownTime)
      const waiting = part.step('waits', 'read', {}, async () => 'made', { reservation: all })
      const failure = await waiting.then(
        () => null,
        (error: unknown) => toFailure(error),
      )
      ended.push('part')
      await holding
      return [failure?.details?.limit ?? null, failure?.details?.part ?? null]
    }
    const limits = { ...execution.limits, maxTokens: 100 }
    const value = await current().start(body, { ...execution, limits })
    expect(value).toEqual(['maxWallMs', 'test/beside/helper'])
    expect(ended).toEqual(['part', 'sibling'])
    ended.length = 0
    expect((await current().replay(body)).result.value).toEqual(value)
  })
})
