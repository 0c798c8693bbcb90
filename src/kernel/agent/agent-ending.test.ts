import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { type Body, useRuns } from '../../../test/kernel/runs.ts'
import type { ScriptedReply } from '../../testing/index.ts'
import { type Agent, createToolRegistry, defineTool, type Message, runAgent } from '../index.ts'
import { messageText } from './message.ts'

const current = useRuns()
const model = useHttpModel()
const done: string[] = []
beforeEach(() => {
  done.length = 0
})

const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Store x.' }],
  createdAt: 0,
}

const store = defineTool({
  name: 'store',
  description: 'Stores a line.',
  input: z.object({ line: z.string() }),
  effect: 'write',
  async execute({ line }) {
    done.push(line)
    return 'stored'
  },
})

const finish = {
  ...defineTool({
    name: 'finish',
    description: 'Ends the work.',
    input: z.object({ answer: z.string() }),
    effect: 'pure',
    execute: async ({ answer }) => answer,
  }),
  endsWork: true as const,
}

/** An agent over the question: how it stopped, its text, and what its tools gave. */
const driving =
  (changes: Partial<Agent> = {}): Body =>
  async (context) => {
    const tools = createToolRegistry([store, finish])
    const agent = { model: model.binding(), tools, maxTurns: 3, ...changes }
    const { stopReason, text, results } = await runAgent(context, agent, [question])
    return [stopReason, text, ...results.map(({ output }) => output)]
  }

function saying(...replies: ScriptedReply[]): void {
  model.script = () => replies[model.server.requests.length - 1] ?? { text: 'nothing more' }
}

const calling = (...calls: readonly { name: string; input: object }[]): ScriptedReply => ({
  toolCalls: calls as never,
})
const stores = { name: 'store', input: { line: 'x' } }
const finishes = { name: 'finish', input: { answer: 'It is stored.' } }

describe('a tool that ends the work', () => {
  it('ends it with what it gave, in a replay too', async () => {
    saying(calling(stores), calling(finishes), { text: 'too late' })
    const expected = ['answer', 'It is stored.', 'stored', 'It is stored.']
    expect(await current().start(driving())).toEqual(expected)
    expect(model.server.requests).toHaveLength(2)
    expect((await current().replay(driving())).result.value).toEqual(expected)
  })

  it('lets the other calls of its turn be done', async () => {
    saying(calling(finishes, stores))
    expect(await current().start(driving())).toEqual([
      'answer',
      'It is stored.',
      'It is stored.',
      'stored',
    ])
    expect(done).toEqual(['x'])
  })

  it('does not end it when it was refused', async () => {
    saying(calling({ name: 'finish', input: {} }), { text: 'Then so.' })
    expect(await current().start(driving())).toEqual([
      'answer',
      'Then so.',
      { error: expect.stringContaining('Invalid arguments for finish') },
    ])
  })
})

describe('calls in a form that was agreed on', () => {
  const reading = (isShapeOnly: boolean): Partial<Agent> => ({
    callsFromText: (text) =>
      text.startsWith('DO ')
        ? {
            calls: [
              { toolName: 'store', input: { line: text.slice(3) }, start: 0, end: 9, isShapeOnly },
            ],
            rest: 'as agreed',
          }
        : undefined,
  })

  it('are done once, also those that write', async () => {
    saying({ text: 'DO y' }, { text: 'Stored.' })
    expect(await current().start(driving(reading(false)))).toEqual(['answer', 'Stored.', 'stored'])
    expect(done).toEqual(['y'])
  })

  it('write nothing where only a shape shows them', async () => {
    saying({ text: 'DO y' }, { text: 'Well.' })
    const [, , refused] = (await current().start(driving(reading(true)))) as unknown[]
    expect(refused).toEqual({ error: expect.stringContaining('store was not called') })
    expect(done).toEqual([])
  })

  it('leave other texts to the parser of all forms', async () => {
    saying(
      { text: '<tool_call>{"name": "store", "arguments": {"line": "z"}}</tool_call>' },
      { text: 'Stored.' },
    )
    await current().start(driving(reading(false)))
    expect(done).toEqual(['z'])
  })
})

describe('who hears of turns', () => {
  it('is told what each has added, in order, and again in a replay', async () => {
    saying(calling(stores), { text: 'Stored.' })
    const heard: string[] = []
    const onTurn = (added: readonly Message[]) => {
      heard.push(added.map((message) => `${message.role}:${messageText(message)}`).join(' '))
    }
    await current().start(driving({ onTurn }))
    expect(heard).toEqual(['assistant: tool:', 'assistant:Stored.'])
    await current().replay(driving({ onTurn }))
    expect(heard).toHaveLength(4)
  })
})
