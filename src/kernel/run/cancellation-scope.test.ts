import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { type Body, createGate, useRuns } from '../../../test/kernel/runs.ts'
import { FaultStore } from '../../testing/index.ts'
import type { ToolResultPart } from '../agent/message.ts'
import { createToolRegistry, defineTool, type Message, runAgent, toFailure } from '../index.ts'
import { cancelScope, createCancellationScope } from './cancellation-scope.ts'
import type { RunContext } from './run-context.ts'

const current = useRuns()
const model = useHttpModel()

/** A part with a step that ends and one of an effect that is stopped within; the outcome of each. */
function stopped(effect: 'read' | 'write', control: AbortController, done: string[]): Body {
  return async (context) => {
    const part = createCancellationScope(context, 'part', control.signal)
    const first = await part.step('first', 'read', {}, async () => {
      done.push('first')
      return 'first'
    })
    const second = await part
      .step('second', effect, {}, async () => {
        done.push('second')
        await cancelScope(context, 'part', 'The person stopped it.')
        control.abort()
        return new Promise<never>((_, reject) => reject(new Error('broken off')))
      })
      .catch((error: unknown) => toFailure(error).code)
    const stoppedAt = part.now()
    const third = await part.step('third', 'read', {}, async () => 'third').catch(codeOf)
    const after = await context.step('after', 'read', { stoppedAt }, async () => 'after')
    return [first, second, third, after]
  }
}

const codeOf = (error: unknown) => toFailure(error).code

describe.each(['read', 'write'] as const)('a part that is stopped in a step that %ss', (effect) => {
  it('ends with what was done by then, and the run continues; a replay is the same', async () => {
    const [control, done]: [AbortController, string[]] = [new AbortController(), []]
    const body = stopped(effect, control, done)
    const outcome = await current().start(body)
    expect(outcome).toEqual(['first', 'cancelled', 'cancelled', 'after'])
    const replay = await current().replay(stopped(effect, new AbortController(), done))
    expect(replay.result).toEqual(replay.recorded)
    expect(done).toEqual(['first', 'second'])
  })

  it('does nothing of it again when the run is resumed', async () => {
    const [control, done]: [AbortController, string[]] = [new AbortController(), []]
    const failing: Body = async (context, input) => {
      await stopped(effect, control, done)(context, input)
      throw new Error('and then the process died')
    }
    await expect(current().start(failing)).rejects.toThrow('died')
    const outcome = await current().resume(stopped(effect, new AbortController(), done))
    expect(outcome).toEqual(['first', 'cancelled', 'cancelled', 'after'])
    expect(done).toEqual(['first', 'second'])
  })
})

const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Do both.' }],
  createdAt: 0,
}

describe('an agent whose part is stopped', () => {
  it('has told of each message and result by then', async () => {
    const gate = createGate()
    const both = { toolCalls: ['a', 'b'].map((at) => ({ name: 'touch', input: { at } })) }
    model.script = () => both
    const control = new AbortController()
    const made: (Message | ToolResultPart)[] = []
    const body = (context: RunContext) => async () => {
      const touch = defineTool({
        name: 'touch',
        description: 'Touches.',
        input: z.object({ at: z.string() }),
        effect: 'write',
        async execute({ at }) {
          if (at === 'a') return 'touched a'
          await cancelScope(context, 'part', 'The person stopped it.')
          control.abort()
          await gate.opened
          return 'touched b'
        },
      })
      const tools = createToolRegistry([touch])
      const agent = { model: model.binding(), tools, maxTurns: 3, inOrder: true }
      const part = createCancellationScope(context, 'part', control.signal)
      const onMade = (one: Message | ToolResultPart) => made.push(one)
      return codeOf(await runAgent(part, { ...agent, onMade }, [question]).catch((error) => error))
    }
    const outcome = await current().start((context) => body(context)())
    gate.open()
    expect(outcome).toBe('cancelled')
    expect(made).toMatchObject([
      { role: 'assistant' },
      { type: 'tool-result', output: 'touched a' },
    ])
    const live = [...made]
    made.length = 0
    const replay = await current().replay((context) => body(context)())
    expect(replay.result).toEqual(replay.recorded)
    expect(made).toEqual(live)
  })
})

describe('a write that a crash cut off', () => {
  const write =
    (decide: () => Promise<'undone' | { output: string } | undefined>, done: string[]): Body =>
    (context) =>
      context
        .step('write', 'write', {}, async ({ attempt }) => done.push(`attempt ${attempt}`), {
          decide,
        })
        .catch(codeOf)

  it.each([
    ['as done, where that can be seen', { output: 'seen' } as const, 'seen', 1],
    ['again, where it can be seen that it was not', 'undone' as const, 2, 2],
    ['not at all, where it cannot be seen', undefined, 'outcome_unknown', 1],
  ])('counts %s', async (_, decision, outcome, times) => {
    const done: string[] = []
    // The start of the step is the second event, and its end the third.
    const store = new FaultStore(current().store, { event: 3, when: 'before' })
    const body = write(async () => decision, done)
    await expect(current().start(body, { store })).rejects.toThrow()
    expect(await current().resume(body)).toEqual(outcome)
    expect(done).toHaveLength(times)
  })
})
