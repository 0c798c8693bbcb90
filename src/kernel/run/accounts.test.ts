import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { useRuns } from '../../../test/kernel/runs.ts'
import { scriptedBinding } from '../../../test/kernel/scripted-binding.ts'
import {
  callModel,
  createToolRegistry,
  defineTool,
  type RunEvent,
  runAgent,
  sha256,
  sumAccounts,
} from '../index.ts'

const current = useRuns()
const question = {
  id: '1',
  role: 'user' as const,
  parts: [{ type: 'text' as const, text: 'q' }],
  createdAt: 0,
}

async function accounts() {
  return sumAccounts(current().store.events('run', { withOutput: false }))
}

async function* listed(events: readonly Partial<RunEvent>[]): AsyncGenerator<RunEvent> {
  for (const event of events) yield event as RunEvent
}

describe('sumAccounts', () => {
  it('adds up model calls and tool calls, and counts steps of other kinds as neither', async () => {
    const tool = defineTool({
      name: 'look',
      description: 'Looks.',
      input: z.object({}),
      effect: 'read',
      execute: async () => ({ seen: true }),
    })
    const { binding } = scriptedBinding(
      (number) =>
        number > 1
          ? 'done'
          : {
              content: [
                { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{}' },
                { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: '{}' },
              ],
            },
      { price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 } },
    )
    await current().start(async (context) => {
      await context.step('other', 'read', {}, async () => null)
      const tools = createToolRegistry([tool])
      return (await runAgent(context, { model: binding, tools, maxTurns: 3 }, [question])).text
    })
    expect(await accounts()).toEqual({
      modelCalls: 2,
      toolCalls: 2,
      inputTokens: 20,
      outputTokens: 10,
      embeddingTokens: 0,
      costUsd: (20 * 1 + 10 * 10) / 1e6,
      wallMs: expect.any(Number),
      modelMs: expect.any(Number),
    })
  })

  it('does not know the cost of a run when it does not know a price', async () => {
    const { binding } = scriptedBinding(() => 'x', { price: null })
    const { binding: free } = scriptedBinding(() => 'x', {
      price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0 },
    })
    await current().start(async (context) => {
      await callModel(context, 'unpriced', binding, { messages: [question] })
      return (await callModel(context, 'free', free, { messages: [question] })).finishReason
    })
    expect((await accounts()).costUsd).toBeNull()
  })

  it('leaves the pauses between sessions out', async () => {
    const event = (type: RunEvent['type'], ts: number) =>
      ({ type, ts, key: '', data: {} }) as RunEvent
    const { wallMs } = await sumAccounts(
      listed([
        event('run.started', 1_000),
        event('notice', 1_500),
        event('run.resumed', 90_000),
        event('run.finished', 90_250),
      ]),
    )
    expect(wallMs).toBe(750)
  })

  it('adds the times of model calls, which may be more than the wall shows', async () => {
    const call = (ts: number, startedAt: number) => ({
      type: 'step.done' as const,
      ts,
      key: 'a/model',
      data: {
        name: 'model',
        effect: 'read' as const,
        inputHash: sha256(''),
        attempt: 1,
        startedAt,
        usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 },
      },
    })
    const { modelMs, wallMs } = await sumAccounts(listed([call(1_000, 0), call(1_100, 100)]))
    expect({ modelMs, wallMs }).toEqual({ modelMs: 2_000, wallMs: 100 })
  })

  it('is nothing for nothing', async () => {
    expect(await sumAccounts(listed([]))).toMatchObject({ modelCalls: 0, costUsd: 0, wallMs: 0 })
  })
})
