import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createToolRegistry, defineTool, wireToolName } from '../../kernel/agent/tool.ts'
import { assignToolNames } from './mcp-tools.ts'

describe('toolNames', () => {
  it('names a tool after its server', () => {
    expect(
      assignToolNames(
        [
          ['files', 'read_file'],
          ['files', 'a/b.c'],
          ['my server', '2nd'],
        ],
        [],
      ),
    ).toEqual(['files.read_file', 'files.a_b_c', 'my_server.x2nd'])
  })

  it('tells names apart that a model would take for one', () => {
    const names = assignToolNames(
      [
        ['a', 'b_c'],
        ['a_b', 'c'],
        ['a', 'd'],
        ['search', 'library'],
      ],
      ['search_library'],
    )
    expect(names).toEqual([
      expect.stringMatching(/^a\.b_c_[0-9a-f]{8}$/),
      expect.stringMatching(/^a_b\.c_[0-9a-f]{8}$/),
      'a.d',
      expect.stringMatching(/^search\.library_[0-9a-f]{8}$/),
    ])
  })

  it('gives names that stand next to each other in a registry, whatever servers call themselves', () => {
    const text = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('a', 'a_b', 'a.b', 'x'.repeat(90), 'é', '1'),
    )
    const pairs = fc.uniqueArray(fc.tuple(text, text), { selector: (pair) => JSON.stringify(pair) })
    fc.assert(
      fc.property(pairs, (some) => {
        const names = assignToolNames(some, ['a_b'])
        const tools = [...names, 'a_b'].map((name) =>
          defineTool({
            name,
            description: '',
            input: z.object({}),
            effect: 'read',
            execute: async () => null,
          }),
        )
        const registry = createToolRegistry(tools)
        expect(tools.every((tool) => registry.get(wireToolName(tool.name)) === tool)).toBe(true)
      }),
    )
  })
})
