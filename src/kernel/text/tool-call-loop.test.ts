import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { type Body, useRuns } from '../../../test/kernel/runs.ts'
import { FaultStore } from '../../testing/index.ts'
import { createToolRegistry, defineTool, type Message, runAgent } from '../index.ts'

const current = useRuns()
const model = useHttpModel()
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-text-calls-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const path = () => join(folder, 'written.txt')
const written = () => (existsSync(path()) ? readFileSync(path(), 'utf8') : '')

const write = defineTool({
  name: 'write',
  description: 'Writes a line.',
  input: z.object({ line: z.string() }),
  effect: 'write',
  async execute({ line }) {
    appendFileSync(path(), `${line}\n`)
    return 'written'
  },
})

const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Write x, then y.' }],
  createdAt: 0,
}

const body: Body = async (context) => {
  const agent = { model: model.binding(), tools: createToolRegistry([write]), maxTurns: 4 }
  const { text, results } = await runAgent(context, agent, [question])
  return [text, ...results.map(({ output }) => output)]
}

const bare = (line: string) => JSON.stringify({ name: 'write', arguments: { line } })
const call = (line: string) => `<tool_call>${bare(line)}</tool_call>`

/** A model that prints its calls, and then answers. */
function printing(text: string): void {
  model.script = ({ lastRole }) => ({ text: lastRole === 'tool' ? 'done' : text })
}

describe('calls that a model prints', () => {
  it.each([
    ['twice, in a tag and fenced', `${call('x')}\n\`\`\`json\n${bare('x')}\n\`\`\``],
    ['twice, told and made', `I'll write it:\n${call('x')}\n\nI'll write it now:\n${call('x')}`],
    [
      'with what it invents to come of it',
      `Action: write\nAction Input: {"line": "x"}\nObservation: written\nAction: write\nAction Input: {"line": "x"}`,
    ],
    ['in thoughts and then', `<think>\n${call('x')}\n</think>\n${call('x')}`],
  ])('%s are done once, and not again in a replay', async (_how, text) => {
    printing(text)
    expect(await current().start(body)).toEqual(['done', 'written'])
    expect(written()).toBe('x\n')
    await current().replay(body)
    expect(written()).toBe('x\n')
  })

  it('are done in their order, each once', async () => {
    printing(`<tool_call>[${bare('x')}, ${bare('y')}]</tool_call>`)
    expect(await current().start(body)).toEqual(['done', 'written', 'written'])
    expect(written().split('\n').sort()).toEqual(['', 'x', 'y'])
  })

  it('are not done where the model only tells of them', async () => {
    const text = `You could call it like this:\n${call('x')}`
    printing(text)
    expect(await current().start(body)).toEqual([text])
    expect(written()).toBe('')
  })

  it.each([
    ['bare', bare('x')],
    ['fenced', `\`\`\`json\n${bare('x')}\n\`\`\``],
    ['in the notation of Python', 'write(line="x")'],
  ])('change nothing where only their shape shows them: %s', async (_how, text) => {
    printing(text)
    const refusal = { error: expect.stringContaining('write was not called') }
    expect(await current().start(body)).toEqual(['done', refusal])
    expect(written()).toBe('')
    await current().replay(body)
    expect(written()).toBe('')
  })

  it('are done when the model then makes its call properly', async () => {
    let turn = 0
    model.script = () => ({ text: [bare('x'), call('x'), 'done'][turn++] ?? '' })
    expect(await current().start(body)).toEqual(['done', expect.anything(), 'written'])
    expect(written()).toBe('x\n')
  })

  it('are done by their shape alone where the tool only reads', async () => {
    const read = defineTool({
      ...write,
      name: 'read',
      input: z.object({}),
      effect: 'read',
      execute: async () => 'seen',
    })
    model.script = ({ lastRole }) => ({
      text: lastRole === 'tool' ? 'done' : '{"name": "read", "arguments": {}}',
    })
    const results = await current().start(async (context) => {
      const agent = { model: model.binding(), tools: createToolRegistry([read]), maxTurns: 4 }
      return (await runAgent(context, agent, [question])).results.map(({ output }) => output)
    })
    expect(results).toEqual(['seen'])
  })

  it('are not done where the model was stopped within them, which it is told', async () => {
    const text = 'Action: write\nAction Input: half of a li'
    model.script = ({ lastRole }) =>
      lastRole === 'tool' ? { text: 'done' } : { text, finishReason: 'length' }
    const refusal = { error: expect.stringMatching(/^The call of write was not made: .*maximum/) }
    expect(await current().start(body)).toEqual(['done', refusal])
    expect(written()).toBe('')
  })

  // The events: the run 1, the call of the model 2 and 3, the tool 4 and 5, its turn 6.
  it.each([
    [3, 'after'],
    [5, 'after'],
    [6, 'before'],
    [6, 'after'],
    [7, 'after'],
  ] as const)(
    'are done once in all when the process dies (event %i, %s) and the run goes on',
    async (event, when) => {
      printing(`I'll write it.\n<tool_call>\n${bare('x')}\n</tool_call>`)
      const store = new FaultStore(current().store, { event, when })
      await expect(current().start(body, { store })).rejects.toThrow()
      expect(await current().resume(body)).toEqual(['done', 'written'])
      expect(written()).toBe('x\n')
    },
  )
})
