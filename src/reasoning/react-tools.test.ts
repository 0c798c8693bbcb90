import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createToolRegistry, defineTool, type Tool } from '../kernel/index.ts'
import { createReactRegistry, findTool, isToolName, listTools } from './react-tools.ts'

const tool = (name: string, input: z.ZodType = z.object({})): Tool =>
  defineTool({
    name,
    description: `Does ${name}.`,
    input,
    effect: 'pure',
    execute: async () => name,
  })

const transform = tool(
  'json.transform',
  z.object({ input: z.string(), config: z.object({ indent: z.number() }) }),
)

describe('a tool’s name', () => {
  it.each(['search', 'json.transform', 'a.b_2.C3', 'A'])('can be %s', (name) => {
    expect(isToolName(name)).toBe(true)
  })

  it.each([
    '../../../etc/passwd',
    'json..transform',
    '.json',
    'json.',
    'a/b',
    'a\\b',
    '1a',
    '_a',
    'a b',
    'a\n',
    'a-b',
    '',
    'a'.repeat(101),
  ])('cannot be %j', (name) => {
    expect(isToolName(name)).toBe(false)
  })
})

describe('the tools of ReAct', () => {
  it('are found by their names, and by those that providers allow', () => {
    const registry = createReactRegistry([transform, tool('read-page')])
    expect(registry.get('json.transform')).toBe(transform)
    expect(registry.get('json_transform')).toBe(transform)
    expect(registry.get('read_page')?.name).toBe('read_page')
    expect(['finish', 'answer', 'final_answer'].map((name) => registry.get(name)?.name)).toEqual(
      Array.from({ length: 3 }, () => 'final_answer'),
    )
  })

  it('are not looked up by what cannot be a name', () => {
    const names = ['../../../etc/passwd', '..\\x', 'a/b', 'x'.repeat(101), '']
    const lookedUp: string[] = []
    const registry = { get: (name: string) => void lookedUp.push(name) }
    expect(names.map((name) => findTool(registry, name))).toEqual(names.map(() => undefined))
    expect(lookedUp).toEqual([])
    findTool(registry, 'json.transform')
    expect(lookedUp).toEqual(['json.transform'])
  })

  it('are not what every object has', () => {
    const registry = createReactRegistry([transform])
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
    expect(names.map((name) => registry.get(name))).toEqual(names.map(() => undefined))
  })

  it.each(['finish', 'final_answer', 'answer', '../x', 'a b'])('cannot be named %s', (name) => {
    expect(() => createReactRegistry([{ ...transform, name }])).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    )
  })

  it('cannot have one name for two', () => {
    expect(() => createReactRegistry([tool('a-b'), tool('a_b')])).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    )
  })
})

describe('listTools', () => {
  const registry = createToolRegistry([transform, tool('memory.store'), tool('read-page')])

  it('has all tools with names and schemas, and final_answer', () => {
    const { tools, count } = listTools(registry)
    expect(count).toBe(4)
    expect(tools.map(({ name }) => name)).toEqual([
      'json.transform',
      'memory.store',
      'read_page',
      'final_answer',
    ])
    for (const { description, parameters } of tools) {
      expect(description).not.toBe('')
      expect(parameters).toMatchObject({ type: 'object' })
    }
  })

  it('has the JSON Schema of typed parameters', () => {
    expect(listTools(registry, ['json.transform']).tools[0]?.parameters).toMatchObject({
      type: 'object',
      properties: {
        input: { type: 'string' },
        config: { type: 'object', properties: { indent: { type: 'number' } } },
      },
      required: ['input', 'config'],
    })
  })

  it.each([
    [['memory.store'], ['memory.store', 'final_answer']],
    [['read-page'], ['read_page', 'final_answer']],
    [['nothing'], ['final_answer']],
    [[], ['final_answer']],
  ])('has those of a filter and final_answer: %j', (filter, names) => {
    const { tools, count } = listTools(registry, filter)
    expect(tools.map(({ name }) => name)).toEqual(names)
    expect(count).toBe(names.length)
  })
})
