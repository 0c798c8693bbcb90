import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineTool } from '../../kernel/agent/tool.ts'
import { acceptLooseArguments } from './code-tool.ts'

const make = (input: z.ZodType) =>
  acceptLooseArguments(
    defineTool({ name: 'tool', description: '', input, effect: 'read', execute: async () => null }),
  )
const one = make(z.object({ path: z.string(), lines: z.number().optional() }))
const none = make(z.object({ depth: z.number().default(1) }))

describe('the arguments of a call', () => {
  it.each([
    ['an object', { path: 'a' }],
    ['the text of one', '{"path": "a"}'],
    ['the text of one in words', 'Arguments: {"path": "a"}'],
    ['the bare text of the one that is needed', 'a'],
  ])('may be %s', (_, input) => {
    expect(one.parse(input)).toEqual({ ok: true, value: { path: 'a' } })
  })

  it.each([undefined, null, '', {}])('may be missing (%j) where none is needed', (input) => {
    expect(none.parse(input)).toEqual({ ok: true, value: { depth: 1 } })
  })

  it('are refused with a reason where they do not fit', () => {
    expect(one.parse(undefined)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('path'),
    })
    expect(one.parse('{"lines": 3}')).toMatchObject({ ok: false })
    expect(none.parse('words')).toMatchObject({ ok: false })
  })
})
