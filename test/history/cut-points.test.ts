import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Message } from '../../src/kernel/agent/message.ts'
import { repairHistory } from '../../src/kernel/agent/repair-history.ts'
import { defineTool } from '../../src/kernel/agent/tool.ts'
import { toModelPrompt } from '../../src/kernel/model/model-prompt.ts'
import { conversations } from './conversations.ts'
import { type Damaged, damages } from './damage.ts'
import { openWire, type Shape, shapes, type Wire } from './wire.ts'

const search = defineTool({
  name: 'search',
  description: 'Searches.',
  input: z.object({ query: z.string() }),
  effect: 'read',
  execute: async () => null,
})

/** What a person does then: nothing, or asks on. */
const continuations: readonly (readonly [string, readonly Message[]])[] = [
  ['', []],
  [
    ', asked on',
    [{ id: 'next', role: 'user', parts: [{ type: 'text', text: 'Go on, please.' }], createdAt: 9 }],
  ],
]

interface Point extends Damaged {
  readonly repaired: readonly Message[]
  readonly marks: readonly string[]
}

function pointsOf(messages: readonly Message[]): readonly Point[] {
  return [...damages(messages)].flatMap((damaged) =>
    continuations.map(([what, added]) => {
      const all = [...damaged.messages, ...added]
      return {
        what: damaged.what + what,
        messages: all,
        repaired: repairHistory(all),
        marks: marksOf(all),
      }
    }),
  )
}

/** The words that only the results of tools have. */
function marksOf(messages: readonly Message[]): readonly string[] {
  const results = messages.flatMap(({ parts }) =>
    parts.filter(({ type }) => type === 'tool-result'),
  )
  return [...new Set(JSON.stringify(results).match(/#\w+#/g))]
}

let wire: Wire
const counts = new Map<string, number>()
let composed = 0

beforeAll(async () => {
  wire = await openWire([search])
})

afterAll(async () => {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  console.info(
    `${total} cut points of ${conversations.length} conversations, ${wire.count} requests over HTTP, and ${composed} bodies, for ${shapes.length} services`,
  )
  await wire.close()
})

interface Received {
  readonly body: string
  readonly broken: readonly string[]
}

/** What `shape` gets of each point; where two come to the same prompt, it is composed and judged once for both. */
function receiver(shape: Shape): (point: Point) => Promise<Received> {
  const known = new Map<string, Promise<Received>>()
  return ({ repaired }) => {
    const prompt = toModelPrompt(repaired, shape.model)
    const key = JSON.stringify(prompt)
    const received = known.get(key) ?? receive(shape, prompt)
    known.set(key, received)
    return received
  }
}

async function receive(shape: Shape, prompt: LanguageModelV4Prompt): Promise<Received> {
  composed++
  const body = await wire.compose(shape, prompt)
  return { body, broken: shape.judge(JSON.parse(body)) }
}

/** What is wrong with what `shape` got of `point`. */
function judge({ what, marks }: Point, { body, broken }: Received): readonly string[] {
  const lost = marks.filter((mark) => !body.includes(mark))
  return [...broken, ...lost.map((mark) => `lost: ${mark}`)].map((found) => `${what}: ${found}`)
}

describe('a conversation that is cut, torn or mixed up anywhere', () => {
  it.each(conversations)(
    '$name is accepted by every provider',
    async ({ name, messages }) => {
      const points = pointsOf(messages)
      counts.set(name, points.length)
      for (const shape of shapes) {
        const found: string[] = []
        const receive = receiver(shape)
        for (const point of points) found.push(...judge(point, await receive(point)))
        expect(found, shape.model).toEqual([])
      }
    },
    120_000,
  )

  it('goes out over HTTP as the packages compose it', async () => {
    for (const { messages } of conversations) {
      const [whole, ...others] = pointsOf(messages)
      for (const point of [whole, others[Math.floor(others.length / 2)]])
        for (const shape of shapes) {
          const { repaired = [], messages: all = [] } = point ?? {}
          const body = await wire.compose(shape, toModelPrompt(repaired, shape.model))
          expect(await wire.send(shape, all), shape.model).toBe(body)
        }
    }
  })

  it.each(conversations)('$name is repaired once and for all', ({ messages }) => {
    for (const { what, messages: all, repaired } of pointsOf(messages)) {
      expect(repairHistory(repaired), what).toBe(repaired)
      expect(repairHistory(structuredClone(all)), what).toEqual(repaired)
    }
  })
})
