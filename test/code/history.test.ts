import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { chooseCut, findCutPoints } from '../../src/code/compact.ts'
import { createStoppedMessages } from '../../src/code/request-turn.ts'
import { type Message, toolCallsOf } from '../../src/kernel/agent/message.ts'
import { repairHistory } from '../../src/kernel/agent/repair-history.ts'
import { defineTool } from '../../src/kernel/agent/tool.ts'
import type { RunContext } from '../../src/kernel/run/run-context.ts'
import { conversations } from '../history/conversations.ts'
import { openWire, shapes, type Wire } from '../history/wire.ts'

const search = defineTool({
  name: 'search',
  description: 'Searches.',
  input: z.object({ query: z.string() }),
  effect: 'read',
  execute: async () => null,
})

const text = (id: string, role: Message['role'], words: string): Message => ({
  id,
  role,
  parts: [{ type: 'text', text: words }],
  createdAt: 0,
})

/** A session's request after its beginning became a summary. */
function compacted(messages: readonly Message[], cut: number): readonly Message[] {
  return [
    text('system', 'system', 'You are a coding agent.'),
    text('summary', 'user', 'What this session came to so far: it began.'),
    ...messages.slice(cut).filter(({ role }) => role !== 'system'),
  ]
}

let wire: Wire
let cuts = 0
let stops = 0
const naming = { id: (name: string) => `stopped ${name}`, now: () => 0 } as unknown as RunContext
beforeAll(async () => {
  wire = await openWire([search])
})
afterAll(async () => {
  console.info(
    `${cuts} cut points and ${stops} stops of ${conversations.length} conversations are accepted by the rules of ${shapes.length} services (${wire.count} requests over HTTP)`,
  )
  await wire.close()
})

describe('a conversation that is made shorter', () => {
  it.each(conversations)(
    '$name is accepted by every provider wherever it is cut',
    async ({ messages }) => {
      const sound = repairHistory(messages)
      const points = findCutPoints(sound)
      cuts += points.length
      for (const point of points) {
        const sent = compacted(sound, point)
        for (const shape of shapes)
          expect(
            shape.judge(JSON.parse(await wire.send(shape, sent))),
            `${shape.model} at ${point}`,
          ).toEqual([])
      }
    },
    120_000,
  )

  it.each(conversations)(
    '$name keeps calls and results together and needs no repair',
    ({ messages }) => {
      const sound = repairHistory(messages)
      for (const point of findCutPoints(sound)) {
        const kept = sound.slice(point)
        const left = sound.slice(0, point)
        expect(repairHistory(kept)).toBe(kept)
        expect(repairHistory(left)).toBe(left)
      }
    },
  )

  it.each(conversations)(
    '$name is accepted wherever its turn was stopped',
    async ({ messages }) => {
      const sound = repairHistory(messages)
      for (const [at, message] of sound.entries()) {
        if (message.role !== 'assistant') continue
        const results = (sound[at + 1]?.parts ?? []).filter((part) => part.type === 'tool-result')
        const answered = toolCallsOf(message).length === 0 ? [] : results
        for (let done = 0; done <= answered.length; done++) {
          const open = { message, results: answered.slice(0, done) }
          const left = createStoppedMessages(naming, open, '', (result) => result)
          const sent = [...sound.slice(0, at), ...left, text('next', 'user', 'Go on.')]
          stops++
          for (const shape of shapes) {
            const body = await wire.send(shape, sent)
            expect(shape.judge(JSON.parse(body)), `${shape.model} at ${at}`).toEqual([])
          }
        }
      }
    },
    120_000,
  )

  const sizes = fc.array(fc.nat(500), { minLength: 1, maxLength: 30 })
  const roles = fc.array(fc.constantFrom('user', 'assistant', 'tool' as const), {
    minLength: 1,
    maxLength: 30,
  })

  it('is cut at such a place, with the newest messages kept and no more than may be', () => {
    fc.assert(
      fc.property(roles, sizes, fc.nat(3_000), (given, tokens, keptTokens) => {
        const messages = given.map((role, index) => text(String(index), role, 'x'))
        const tokensOf = messages.map((_, index) => tokens[index % tokens.length] as number)
        const cut = chooseCut(messages, tokensOf, keptTokens)
        const points = findCutPoints(messages)
        expect(points.length === 0 ? [undefined] : points).toContain(cut)
        const kept = (from: number) => tokensOf.slice(from).reduce((sum, count) => sum + count, 0)
        const isFitting = points.some((point) => kept(point) <= keptTokens)
        if (isFitting) expect(kept(cut as number)).toBeLessThanOrEqual(keptTokens)
        else expect(cut).toBe(points.at(-1))
      }),
    )
  })
})
