import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { z } from 'zod'
import { createTemplates } from '../templates/templates.ts'
import { drawDocument, pictureToDot, pictureToMermaid } from './picture.ts'
import { readAgentDocument } from './read-document.ts'

const checks = {
  actions: new Map([['state.set', { name: 'state.set', params: z.looseObject({}) }]]),
  refused: new Map<string, string>(),
  templates: await createTemplates(),
}

const words = fc.constantFrom(
  ...['a', 'b', '__start__', '__end__', 'state.set', '{{ state.x }}', '{{ x', '!x', 'parallel'],
  ...['while_loop', 'dynamic_parallel', 'constructor', 'toString', '', 'return {}'],
)
const keys = fc.constantFrom(
  ...['name', 'uses', 'action', 'with', 'params', 'output', 'run', 'script', 'steps', 'type'],
  ...['condition', 'max_iterations', 'body', 'items', 'fan_in', 'goto', 'next', 'if', 'to', 'from'],
  ...['when', 'edges', 'nodes', 'on_error', 'fallback', 'settings', 'llm', 'secrets', 'config'],
  ...['imports', 'path', 'as', 'constructor', 'hasOwnProperty', '__delete__', 'streams'],
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.constantFrom(null, true, false, 0, 1, -1, 0.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
  ),
}))
const node = fc.record(
  {
    name: words,
    run: fc.constant('return {}'),
    goto: fc.oneof(words, fc.array(fc.record({ if: words, to: words }, { requiredKeys: ['to'] }))),
    fan_in: fc.boolean(),
    more: value,
  },
  { requiredKeys: ['name'] },
)
const edge = fc.record(
  { from: words, to: words, type: words, fan_in: words, when: words },
  { requiredKeys: ['from', 'to'] },
)

const target = fc.constantFrom('a', 'b', 'c', '__end__')
const when = fc.constantFrom('state.x', '!x', true, false, 'state.n > 1')
const soundNode = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c', 'constructor'),
    run: fc.constant('return {}'),
    goto: fc.oneof(target, fc.array(fc.record({ if: when, to: target }), { minLength: 1 })),
    fallback: target,
    fan_in: fc.boolean(),
  },
  { requiredKeys: ['name'] },
)
const soundEdge = fc.record(
  { from: fc.constantFrom('__start__', 'a', 'b', 'c'), to: target, when },
  { requiredKeys: ['from', 'to'] },
)
/** Files most of which are sound. */
const sound = fc.record({
  name: fc.constant('x'),
  nodes: fc.uniqueArray(soundNode, { minLength: 3, selector: ({ name }) => name }),
  edges: fc.array(soundEdge, { maxLength: 4 }),
})

describe('whatever stands in a file', () => {
  it('becomes a document or problems with places, never an exception', async () => {
    const documents = fc.oneof(
      value,
      fc.record({
        name: fc.constant('x'),
        nodes: fc.array(fc.oneof(node, value)),
        edges: fc.array(edge),
      }),
      sound,
    )
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const text = stringify(document)
        const outcome = await readAgentDocument(text, { path: 'x.yaml', checks })
        const lines = text.split('\n').length
        for (const { line, column } of outcome.problems) {
          expect([line >= 1 && line <= lines, column >= 1]).toEqual([true, true])
        }
        if (!outcome.ok) {
          expect(outcome.problems).not.toEqual([])
          return
        }
        const picture = drawDocument(outcome.document)
        expect(pictureToDot(picture) + pictureToMermaid(picture)).toContain('flowchart')
      }),
      { numRuns: 400 },
    )
  })

  it('is read from any bytes without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        const outcome = await readAgentDocument(text, { path: 'x.yaml', checks })
        expect(outcome.ok).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})
