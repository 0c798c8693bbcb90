import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Message } from '../../src/kernel/message.ts'
import { toModelPrompt } from '../../src/kernel/model-prompt.ts'
import { repairHistory } from '../../src/kernel/repair-history.ts'
import { defineTool } from '../../src/kernel/tool.ts'
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

function pointsOf(messages: readonly Message[]): readonly Damaged[] {
  return [...damages(messages)].flatMap((damaged) =>
    continuations.map(([what, added]) => ({
      what: damaged.what + what,
      messages: [...damaged.messages, ...added],
    })),
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

beforeAll(async () => {
  wire = await openWire([search])
})

afterAll(async () => {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  console.info(
    `${total} cut points of ${conversations.length} conversations, ${wire.count} requests over HTTP to ${shapes.length} services`,
  )
  await wire.close()
})

/** What `shape` gets of each point; where two come to the same prompt, the same is sent for both, and goes out once. */
function sender(shape: Shape): (point: Damaged) => Promise<string> {
  const known = new Map<string, Promise<string>>()
  return ({ messages }) => {
    const prompt = JSON.stringify(toModelPrompt(repairHistory(messages), shape.model))
    const sent = known.get(prompt) ?? wire.send(shape, messages)
    known.set(prompt, sent)
    return sent
  }
}

/** What is wrong with what `shape` got of `point`. */
function judge(shape: Shape, point: Damaged, sent: string): readonly string[] {
  const broken = shape.judge(JSON.parse(sent))
  const lost = marksOf(point.messages).filter((mark) => !sent.includes(mark))
  return [...broken, ...lost.map((mark) => `lost: ${mark}`)].map(
    (found) => `${point.what}: ${found}`,
  )
}

describe('a conversation that is cut, torn or mixed up anywhere', () => {
  it.each(conversations)(
    '$name is accepted by every provider',
    async ({ name, messages }) => {
      const points = pointsOf(messages)
      counts.set(name, points.length)
      for (const shape of shapes) {
        const found: string[] = []
        const send = sender(shape)
        for (const point of points) found.push(...judge(shape, point, await send(point)))
        expect(found, shape.model).toEqual([])
      }
    },
    120_000,
  )

  it.each(conversations)('$name is repaired once and for all', ({ messages }) => {
    for (const point of pointsOf(messages)) {
      const repaired = repairHistory(point.messages)
      expect(repairHistory(repaired), point.what).toBe(repaired)
      expect(repairHistory(structuredClone(point.messages)), point.what).toEqual(repaired)
    }
  })
})
