import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createToolRegistry, defineTool } from '../index.ts'
import { wireToolName } from './tool.ts'

const declared = (name: string) =>
  defineTool({
    name,
    description: 'Adds.',
    input: z.object({ a: z.number(), b: z.number().default(1) }),
    effect: 'pure',
    execute: async ({ a, b }) => a + b,
  })
const run = { signal: new AbortController().signal, key: 'k', emit: () => {} }

describe('defineTool', () => {
  it('has a JSON Schema of its arguments, in which a default is optional', () => {
    expect(declared('add').parameters).toMatchObject({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number', default: 1 } },
      required: ['a'],
    })
  })

  it('checks arguments, fills in defaults and says what is wrong', async () => {
    const tool = declared('add')
    expect(tool.parse({ a: 1 })).toEqual({ ok: true, value: { a: 1, b: 1 } })
    expect(tool.parse({ a: 'one' })).toEqual({ ok: false, reason: expect.stringContaining('at a') })
    expect(tool.parse('a=1')).toMatchObject({ ok: false })
    expect(await tool.execute({ a: 1, b: 2 }, run)).toBe(3)
  })

  it('gives a tool 30 seconds unless it says otherwise', () => {
    expect(declared('add').timeoutMs).toBe(30_000)
  })

  it.each(['add', 'search_library', 'a.b', 'a-b.c-d', 'A1'])('takes the name %s', (name) => {
    expect(declared(name).name).toBe(name)
  })

  it.each(['', '1a', 'a b', 'a.', '.a', 'a..b', 'ä', 'a/b'])('refuses the name "%s"', (name) => {
    expect(() => declared(name)).toThrow(
      expect.objectContaining({
        code: 'invalid_configuration',
        message: expect.stringContaining(name),
      }),
    )
  })
})

describe('createToolRegistry', () => {
  it('finds tools by name', () => {
    const tools = [declared('a'), declared('b')]
    const registry = createToolRegistry(tools)
    expect(registry.get('b')).toBe(tools[1])
    expect(registry.get('c')).toBeUndefined()
    expect(registry.get('constructor')).toBeUndefined()
    expect(registry.tools).toEqual(tools)
  })

  it('refuses two tools of one name', () => {
    expect(() => createToolRegistry([declared('a'), declared('a')])).toThrow('two tools named "a"')
  })

  it('finds a tool by the name that models know, and refuses two that are one to a model', () => {
    const dotted = declared('web.fetch')
    const registry = createToolRegistry([dotted])
    expect(registry.get(wireToolName('web.fetch'))).toBe(dotted)
    expect(registry.get('web.fetch')).toBe(dotted)
    expect(() => createToolRegistry([dotted, declared('web_fetch')])).toThrow(
      'both be called "web_fetch"',
    )
  })
})

describe('wireToolName', () => {
  it.each([
    ['search_library', 'search_library'],
    ['a.b-c', 'a_b-c'],
    ['9 lives!', '_9_lives_'],
    ['', '_'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('makes of "%s" %s', (name, wire) => {
    expect(wireToolName(name)).toBe(wire)
  })
})
