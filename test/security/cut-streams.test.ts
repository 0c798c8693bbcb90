import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createToolRegistry, defineTool, type Message, runAgent } from '../../src/kernel/index.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import { useRuns } from '../kernel/runs.ts'
import { type Shape, shapes } from '../models/shapes.ts'
import { tellsText, type WireMessage, wires } from './wire-calls.ts'

const current = useRuns()
const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Write it.' }],
  createdAt: 0,
}
const whole = '{"path":"a","content":"// head\\n// the whole of it"}'
const half = '{"path":"a","content":"// head'

let close = () => {}
afterEach(() => close())

const levels = '['.repeat(1e5) + ']'.repeat(1e5)
/** What no object in memory could be written as. */
const deepened = (json: string) => json.replace('"DEEP"', levels)

/** A service that says one thing first, and `done` once it is told the outcome. */
async function serve(shape: Shape, first: WireMessage): Promise<string> {
  const wire = wires[shape.label]
  if (wire === undefined) throw new Error(shape.label)
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    const message = /was not made|written to/.test(body) ? { text: 'done', isCut: false } : first
    const isStreamed = /"stream":true|:streamGenerateContent/.test(`${body}${request.url}`)
    if (!isStreamed) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(deepened(JSON.stringify(wire.whole(message))))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of wire.stream(message)) {
      const { type } = event as { type?: string }
      if (type !== undefined) response.write(`event: ${type}\n`)
      response.write(
        `data: ${typeof event === 'string' ? event : deepened(JSON.stringify(event))}\n\n`,
      )
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a model's first message came to: what was written, and what it was told. */
async function comesTo(shape: Shape, isStreamed: boolean, first: WireMessage) {
  const written: string[] = []
  const write = defineTool({
    name: 'write_file',
    description: 'Writes a file.',
    input: z.object({ path: z.string(), content: z.string().optional() }),
    effect: 'write',
    execute: async ({ path, content }) => {
      written.push(`${path}: ${content}`)
      return `written to ${path}`
    },
  })
  const url = await serve(shape, first)
  const choice = { ...shape.model(url), isStreamed }
  const source = createModelSource({ choices: { default: choice }, environment: {}, builtIn: {} })
  const agent = {
    model: source.forRole('default'),
    tools: createToolRegistry([write]),
    maxTurns: 3,
  }
  let told: readonly string[] = []
  const said = await current().start(async (context) => {
    const { text, results } = await runAgent(context, agent, [question])
    told = results.map(({ output }) => String((output as { error?: string }).error ?? output))
    return text
  })
  return { said, written, told }
}

const call = (input: string, more: object = {}) => ({ name: 'write_file', input, ...more })
const notMade = expect.stringMatching(
  /^The call of write_file was not made: .*Make it again, whole/,
)

/** What a service says, and which of its calls are made; a new case is one line. */
const cases: readonly (readonly [what: string, message: WireMessage, made: readonly string[]])[] = [
  ['half of its arguments', { calls: [call(half)], isCut: true }, []],
  ['none of its arguments', { calls: [call('')], isCut: true }, []],
  ['all of its arguments, where it had to stop', { calls: [call(whole)], isCut: true }, []],
  ['a call without an end', { calls: [call(half, { isClosed: false })], isCut: true }, []],
  ['a call without a beginning', { calls: [call('', { isClosed: false })], isCut: true }, []],
  ['words and half a call', { text: 'I write it.', calls: [call(half)], isCut: true }, []],
  [
    'a whole call and half of one',
    { calls: [call('{"path":"b"}'), call(half)], isCut: true },
    ['b: undefined'],
  ],
]

/** The same of services that tell of arguments as text, and say that they ended in order. */
const malformed: typeof cases = [
  ['half of its arguments', { calls: [call(half)], isCut: false }, []],
  ['a value that is missing', { calls: [call('{"path":"a","content": }')], isCut: false }, []],
  [
    'arguments nested a hundred thousand deep',
    { calls: [call(`{"path":"a","content":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)], isCut: false },
    [],
  ],
]

/** Of those that tell of them as an object. */
const deepObject: typeof cases = [
  [
    'arguments nested a hundred thousand deep',
    { calls: [call('{"path":"a","content":"DEEP"}')], isCut: false },
    [],
  ],
]

describe.each(shapes)('of a message of $label', (shape) => {
  describe.each([
    ['as it is written', true],
    ['as a whole', false],
  ])('%s', (_how, isStreamed) => {
    const all = tellsText(shape.label, isStreamed)
      ? [...cases, ...malformed]
      : [...cases, ...deepObject]
    it.each(all)('no call is made with %s', async (_what, message, made) => {
      const { said, written, told } = await comesTo(shape, isStreamed, message)
      expect(written).toEqual(made)
      expect(told).toEqual([...made.map(() => expect.stringContaining('written')), notMade])
      expect(said).toBe('done')
    })

    it('what is whole is made', async () => {
      const { written, said } = await comesTo(shape, isStreamed, {
        calls: [call(whole)],
        isCut: false,
      })
      expect(written).toEqual(['a: // head\n// the whole of it'])
      expect(said).toBe('done')
    })
  })
})
