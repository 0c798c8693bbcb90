import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { ToolResultPart } from '../../src/kernel/agent/message.ts'
import {
  createToolRegistry,
  defineTool,
  type Json,
  type Message,
  runAgent,
} from '../../src/kernel/index.ts'
import type { ScriptedReply } from '../../src/testing/index.ts'
import { Editor } from '../acp/editor.ts'
import { SessionWorld } from '../code/session-world.ts'
import { useHttpModel } from '../kernel/http-model.ts'
import { type Body, useRuns } from '../kernel/runs.ts'

const million = 1_000_000
const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Note it.' }],
  createdAt: 0,
}
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
/** Arguments of so many levels. */
const deep = (levels: number): Readonly<Record<string, string>> => ({
  lists: `{"line": ${nested(levels)}}`,
  objects: `{"line": ${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
  'lists without end': `{"line": ${'['.repeat(levels)}`,
})
/** How a model prints a call; a new form is one line. */
const printed: Readonly<Record<string, (input: string) => string>> = {
  'in a tag': (input) => `<tool_call>{"name": "note", "arguments": ${input}}</tool_call>`,
  'behind a name': (input) => `[TOOL_CALLS]note[ARGS]${input}`,
  'under labels': (input) => `Action: note\nAction Input: ${input}`,
  bare: (input) => `{"name": "note", "arguments": ${input}}`,
}
const calls = (count: number): ScriptedReply => ({
  toolCalls: Array.from({ length: count }, (_, index) => ({
    name: 'note',
    input: { line: `${index}` },
  })),
})

describe('what a model asks for beyond all measure', () => {
  const current = useRuns()
  const model = useHttpModel()
  let noted: string[] = []
  const note = defineTool({
    name: 'note',
    description: 'Notes a line.',
    input: z.object({ line: z.string() }),
    effect: 'write',
    async execute({ line }) {
      noted.push(line)
      return 'noted'
    },
  })

  /** The outcome of a first answer, after which the model says that it is done. */
  async function resultsAfter(reply: ScriptedReply): Promise<readonly ToolResultPart[]> {
    noted = []
    model.script = ({ lastRole }) => (lastRole === 'tool' ? { text: 'done' } : reply)
    const body: Body = async (context) => {
      const agent = { model: model.binding(), tools: createToolRegistry([note]), maxTurns: 3 }
      const { text, results } = await runAgent(context, agent, [question])
      return { text, results } as unknown as Json
    }
    const made = (await current().start(body)) as unknown as {
      text: string
      results: ToolResultPart[]
    }
    expect(made.text).toBe('done')
    expect((await current().replay(body)).result.value).toEqual(made)
    return made.results
  }

  it.each([
    [99, 99, 99],
    [100, 100, 100],
    [101, 100, 101],
    [10_000, 100, 101],
  ])(
    '%i calls of one message: %i are made, and the next one says why',
    async (count, made, told) => {
      const results = await resultsAfter(calls(count))
      expect(noted).toHaveLength(made)
      expect(results).toHaveLength(told)
      const last = results.at(-1)?.output
      if (told > made)
        expect(last).toMatchObject({ error: expect.stringContaining(`yours held ${count}`) })
      expect(JSON.stringify(model.server.requests.at(-1)?.body).length).toBeLessThan(100_000)
    },
  )

  it.each(Object.entries(deep(million)))(
    'arguments a million levels deep: %s',
    async (_what, input) => {
      const [result] = await resultsAfter({ toolCalls: [{ name: 'note', input }] })
      expect(result).toMatchObject({
        isError: true,
        output: { error: expect.stringContaining('nested more than 500 levels deep') },
      })
      expect(noted).toEqual([])
    },
  )

  it.each(
    Object.entries(printed).flatMap(([form, print]) =>
      // In all forms they are read by the same reader.
      Object.entries(deep(form === 'in a tag' ? million : 10_000)).map(
        ([what, input]) => [what, form, print(input)] as const,
      ),
    ),
  )('the same printed: %s, %s', async (_what, _form, text) => {
    const [result] = await resultsAfter({ text })
    expect(result).toMatchObject({
      isError: true,
      output: { error: expect.stringContaining('The call of note was not made') },
    })
    expect(noted).toEqual([])
  })
})

describe('what is said to a session beyond all measure', () => {
  let world: SessionWorld | undefined
  let editor: Editor | undefined
  afterEach(async () => {
    await world?.close()
    await editor?.close()
    world = undefined
    editor = undefined
  })

  it('a request of 20 MB is refused, and the session continues', async () => {
    world = new SessionWorld()
    world.say([{ text: 'heard' }])
    const session = await (await world.app()).code()
    await expect(session.send('x'.repeat(20 * million))).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('1000000'),
    })
    expect(await session.send('short')).toMatchObject({ answer: 'heard' })
    await session.finish()
  })

  it('a prompt of 20 MB over ACP is answered with an error, and all sessions continue', async () => {
    editor = new Editor()
    await editor.start()
    editor.script = () => ({ text: 'heard' })
    const [one, two] = [await editor.open(), await editor.open()]
    for (const text of ['x'.repeat(20 * million), 'x'.repeat(2 * million)]) {
      await expect(editor.prompt(one, text)).rejects.toThrow(/may have 16\.8 MB|1000000/)
      expect(await editor.prompt(one, 'short')).toEqual({ stopReason: 'end_turn' })
      expect(await editor.prompt(two, 'short')).toEqual({ stopReason: 'end_turn' })
    }
    expect(editor.model.requests).toHaveLength(4)
  })

  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: 1, clientCapabilities: {} },
  }
  const long = 'x'.repeat(20 * million)
  it.each([
    ['its id ahead', `{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":"${long}"}`, 7],
    [
      'its id behind',
      `{"method":"session/prompt","params":{"id":9,"a":["${long}"]},"id":"b"}`,
      'b',
    ],
    ['another id inside of it', `{"params":{"id":9,"a":"${long}"},"method":"x"}`, null],
    ['no JSON', long, null],
    ['levels', `{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":${nested(million)}}`, 7],
  ])('a message of 20 MB, or a million levels, with %s is answered', async (_what, line, id) => {
    editor = new Editor()
    const child = editor.spawn()
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    const ask = async (text: string) => {
      const answer = once(lines, 'line')
      child.stdin?.write(`${text}\n`)
      return JSON.parse((await answer)[0])
    }
    expect(await ask(JSON.stringify(hello))).toMatchObject({ id: 1, result: {} })
    expect(await ask(line)).toMatchObject({ id, error: { message: expect.any(String) } })
    expect(await ask(JSON.stringify({ ...hello, id: 2 }))).toMatchObject({ id: 2, result: {} })
  })
})
