import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineTool, type Tool } from '../../kernel/agent/tool.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { CitationIndex } from '../numbers/citation-index.ts'
import type { SourceId } from '../source.ts'
import { adaptTool } from './adapt-tool.ts'

const [a, b] = ['https://a.org/x', 'https://b.org/']

function example(): CitationIndex {
  const index = new CitationIndex()
  index.add({ url: a, title: 'A' })
  index.add({ url: b })
  index.add({ sourceId: 'c'.repeat(64) as SourceId, title: 'My notes' })
  return index
}

function toolOf(shape: z.ZodRawShape): Tool {
  return defineTool({
    name: 'fetch',
    description: 'Fetches.',
    input: z.object(shape),
    effect: 'read',
    execute: async (input) => input as Json,
  })
}

/** What the tool is called with, or why it is not. */
function call(shape: z.ZodRawShape, input: Json, index = example()): unknown {
  const parsed = adaptTool(toolOf(shape), index).parse(input)
  return parsed.ok ? parsed.value : parsed.reason
}

function shownOf(shape: z.ZodRawShape): JsonObject {
  return adaptTool(toolOf(shape), example()).parameters
}

describe('a parameter that takes an address', () => {
  it('is shown as a citation number in its place, with how to give it', () => {
    const tool = adaptTool(
      toolOf({ url: z.url().describe('The page.'), depth: z.number().optional() }),
      example(),
    )
    expect(tool.parameters).toMatchObject({
      type: 'object',
      properties: {
        citation: {
          type: 'integer',
          minimum: 1,
          description: 'The page. Instead of a URL: the number of the source, 3 for [!CITE_3!].',
        },
        depth: { type: 'number' },
      },
      required: ['citation'],
    })
    expect(tool.description).toBe('Fetches. Sources are given by their citation numbers.')
    expect(JSON.stringify(tool.parameters)).not.toMatch(/"url"|uri/)
  })

  it('gets its address when the tool is called, also one that the index took in later', () => {
    const index = example()
    const tool = adaptTool(toolOf({ url: z.url() }), index)
    expect(tool.parse({ citation: 1 })).toEqual({ ok: true, value: { url: a } })
    expect(tool.parse({ citation: 4 })).toMatchObject({ ok: false })
    index.add({ url: 'https://d.org/' })
    expect(tool.parse({ citation: 4 })).toEqual({ ok: true, value: { url: 'https://d.org/' } })
  })

  it('keeps what is said of it, as a sentence of its own', () => {
    const shown = shownOf({ url: z.string().describe('The page') }).properties as JsonObject
    expect(shown.citation).toMatchObject({
      description: expect.stringMatching(/^The page\. Instead/),
    })
  })

  it('may be a list, whose order is kept', () => {
    const shape = { page_urls: z.array(z.url()).min(1).max(3) }
    expect(shownOf(shape).properties).toMatchObject({
      page_citations: {
        type: 'array',
        items: { type: 'integer', minimum: 1 },
        minItems: 1,
        maxItems: 3,
      },
    })
    expect(call(shape, { page_citations: [2, 1] })).toEqual({ page_urls: [b, a] })
    expect(call(shape, { page_citations: [] })).toMatch(/Too small/)
  })

  it('may be one or several, or null', () => {
    const shape = { url: z.union([z.string(), z.array(z.string()), z.null()]) }
    expect(shownOf(shape).properties).toMatchObject({
      citation: {
        anyOf: [
          { type: 'integer', minimum: 1 },
          { type: 'array', items: { type: 'integer', minimum: 1 } },
          { type: 'null' },
        ],
      },
    })
    expect(call(shape, { citation: 2 })).toEqual({ url: b })
    expect(call(shape, { citation: [1] })).toEqual({ url: [a] })
    expect(call(shape, { citation: null })).toEqual({ url: null })
  })

  it('may be left out when it could be before, and keeps its default without showing an address', () => {
    const shape = {
      url: z.string().default('https://home.org/'),
      other_url: z.string().nullable().default(null),
      more_urls: z.array(z.string()).optional(),
    }
    expect(call(shape, {})).toEqual({ url: 'https://home.org/', other_url: null })
    const shown = shownOf(shape)
    expect(shown.required ?? []).toEqual([])
    expect(JSON.stringify(shown)).not.toContain('home.org')
    expect(shown.properties).toMatchObject({ other_citation: { default: null } })
  })

  it('may stand anywhere inside', () => {
    const target = z.object({ url: z.string(), note: z.string().optional() })
    const shape = {
      targets: z.array(target),
      either: z.union([z.object({ page: target }), z.object({ count: z.number() })]).optional(),
      byName: z.record(z.string(), target).optional(),
    }
    const input = {
      targets: [{ citation: 1, note: 'x' }, { citation: 2 }],
      either: { page: { citation: 2 } },
      byName: { one: { citation: 1 } },
    }
    expect(call(shape, input)).toEqual({
      targets: [{ url: a, note: 'x' }, { url: b }],
      either: { page: { url: b } },
      byName: { one: { url: a } },
    })
    expect(call(shape, { targets: [{ citation: 1 }, { citation: 8 }] })).toBe(
      'targets[1].citation: 8 is not a citation number. Numbers go from 1 to 3.',
    )
  })

  it('may be declared elsewhere in the schema, and recursively', () => {
    const parameters = {
      type: 'object',
      properties: { start: { $ref: '#/$defs/Node' } },
      $defs: {
        Address: { type: 'string', format: 'uri' },
        Node: {
          type: 'object',
          properties: {
            url: { $ref: '#/$defs/Address' },
            children: { type: 'array', items: { $ref: '#/$defs/Node' } },
          },
          required: ['url'],
        },
      },
    }
    const plain = { ...toolOf({}), parameters }
    const tool = adaptTool(
      { ...plain, parse: (value) => ({ ok: true, value: value as Json }) },
      example(),
    )
    expect(tool.parameters).toMatchObject({
      $defs: { Node: { properties: { citation: { type: 'integer' } }, required: ['citation'] } },
    })
    const input = { start: { citation: 1, children: [{ citation: 2, children: [] }] } }
    expect(tool.parse(input)).toEqual({
      ok: true,
      value: { start: { url: a, children: [{ url: b, children: [] }] } },
    })
  })

  it('gets another name where the tool has that one already', () => {
    const shape = { url: z.string(), citation: z.number() }
    expect(call(shape, { url_citation: 1, citation: 5 })).toEqual({ url: a, citation: 5 })
  })
})

describe('a schema as others write it', () => {
  const text = { type: 'string' }
  const page = { type: 'object', properties: { url: text } }
  const adapted = (parameters: JsonObject) => {
    const parse = (value: unknown) => ({ ok: true as const, value: value as Json })
    return adaptTool({ ...toolOf({}), parameters, parse }, example())
  }

  it.each<[string, JsonObject, Json, Json]>([
    [
      'dependentSchemas',
      { properties: { mode: text }, dependentSchemas: { mode: page } },
      { mode: 'x', citation: 1 },
      { mode: 'x', url: a },
    ],
    [
      'patternProperties',
      { patternProperties: { '^page_': page } },
      { page_1: { citation: 1 } },
      { page_1: { url: a } },
    ],
    [
      'contains',
      { properties: { list: { type: 'array', contains: page } } },
      { list: [{ citation: 1 }] },
      { list: [{ url: a }] },
    ],
    [
      'if and else',
      { if: { properties: { mode: text } }, else: page },
      { citation: 1 },
      { url: a },
    ],
    ['not', { properties: { mode: text }, not: page }, { citation: 1 }, { url: a }],
    [
      'prefixItems',
      { properties: { list: { prefixItems: [text, page] } } },
      { list: ['x', { citation: 1 }] },
      { list: ['x', { url: a }] },
    ],
    [
      'a list of items',
      { properties: { list: { items: [page], additionalItems: page } } },
      { list: [{ citation: 1 }, { citation: 2 }] },
      { list: [{ url: a }, { url: b }] },
    ],
    [
      'unevaluatedProperties',
      { unevaluatedProperties: page },
      { x: { citation: 1 } },
      { x: { url: a } },
    ],
    [
      'one and several by kind',
      { anyOf: [page, { properties: { url: { type: 'array', items: text } } }] },
      { citation: [1, 2] },
      { url: [a, b] },
    ],
    [
      'citations of its own',
      { properties: { url: text, citation: text, url_citation: { type: 'integer' } } },
      { url_citation_2: 1, citation: 'c', url_citation: 7 },
      { url: a, citation: 'c', url_citation: 7 },
    ],
  ])('is shown and translated alike: %s', (_what, rest, input, output) => {
    const tool = adapted({ type: 'object', ...rest })
    const [, name] = /"(\w*citation\w*)"/.exec(JSON.stringify(input)) ?? []
    expect(JSON.stringify(tool.parameters)).toContain(`"${name}":`)
    expect(tool.parse(input)).toEqual({ ok: true, value: output })
    const raw = JSON.parse(JSON.stringify(output))
    expect(tool.parse(raw)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('not taken'),
    })
  })

  it('takes no address where the same name is also that of an object', () => {
    const other = { properties: { url: { type: 'object', properties: { id: text } } } }
    const tool = adapted({ type: 'object', anyOf: [page, other] })
    expect(tool.parse({ url: a })).toMatchObject({ ok: false })
    expect(tool.parse({ url: [a] })).toMatchObject({ ok: false })
    expect(tool.parse({ url: { id: 'x' } })).toEqual({ ok: true, value: { url: { id: 'x' } } })
    expect(tool.parse({ citation: 1 })).toEqual({ ok: true, value: { url: a } })
  })

  it('renames what depends on a parameter too', () => {
    const tool = adapted({
      type: 'object',
      properties: { url: text, depth: { type: 'integer' } },
      dependentRequired: { depth: ['url'] },
    })
    expect(tool.parameters.dependentRequired).toEqual({ depth: ['citation'] })
  })

  it.each<[string, Json]>([
    ['no type', { description: 'The page.' }],
    ['text or a number', { type: ['string', 'integer'] }],
    ['text or an object', { anyOf: [text, { type: 'object', properties: { href: text } }] }],
    ['a list of lists', { type: 'array', items: { type: 'array', items: text } }],
    ['a list of text and objects', { type: 'array', items: { anyOf: [text, page] } }],
    ['a list of anything', { type: 'array', items: {} }],
    ['any object', { type: 'object' }],
    ['text by any name', { type: 'object', additionalProperties: text }],
    ['what is declared elsewhere', { $ref: 'https://schemas.example/url.json' }],
  ])('is refused when it is loaded, with what to do: %s', (_what, url) => {
    const load = () => adapted({ type: 'object', properties: { page: { properties: { url } } } })
    expect(load).toThrow('The tool "fetch" cannot take citation numbers. Its parameter "url"')
    expect(load).toThrow(
      expect.objectContaining({
        code: 'invalid_configuration',
        hint: expect.stringContaining('exceptTools'),
      }),
    )
  })

  it('is refused where a pattern names addresses', () => {
    expect(() => adapted({ type: 'object', patternProperties: { '^url_\\d+$': text } })).toThrow(
      'Its parameter "^url_',
    )
  })
})

describe('whatever a model gives,', () => {
  const target = z.object({ url: z.string(), count: z.number().optional() })
  const tool = adaptTool(
    toolOf({
      urls: z.array(z.string()).optional(),
      targets: z.array(target).optional(),
      by_name: z.record(z.string(), z.union([target, z.null()])).optional(),
    }),
    example(),
  )
  const key = fc.constantFrom(
    'citation',
    'citations',
    'url',
    'urls',
    'targets',
    'by_name',
    '__proto__',
  )
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<Json[]>(null, 0, 1, 2, 3, 4, -1, 0.5, 'x', a, true),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map((all) => Object.fromEntries(all)),
    ),
  }))

  it('a tool gets addresses of the index, or a reason is given', () => {
    fc.assert(
      fc.property(json, (input) => {
        const parsed = tool.parse(input)
        if (!parsed.ok) {
          expect(parsed.reason).toMatch(/\w{3}/)
          return
        }
        for (const url of JSON.stringify(parsed.value).match(/https?:[^"]*/g) ?? [])
          expect([a, b]).toContain(url)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a tool', () => {
  it.each<[string, z.ZodRawShape]>([
    ['names that only contain it', { curl_cmd: z.string(), hurl: z.string() }],
    [
      'no text',
      { url: z.number(), urls: z.array(z.object({ a: z.string() })), has_url: z.boolean() },
    ],
    ['addresses to choose from', { url: z.enum(['https://a.org/', 'https://b.org/']) }],
    ['no parameters', {}],
  ])('stays as it is with %s', (_what, shape) => {
    const tool = toolOf(shape)
    expect(adaptTool(tool, example())).toBe(tool)
  })

  it('keeps its own checks, name, effect and time', () => {
    const tool = { ...toolOf({ url: z.string(), depth: z.number() }), timeoutMs: 5 }
    const adapted = adaptTool(tool, example())
    expect([adapted.name, adapted.effect, adapted.timeoutMs]).toEqual(['fetch', 'read', 5])
    expect(adapted.parse({ citation: 1, depth: 'x' })).toMatchObject({ ok: false })
    expect(adapted.parse('no object')).toMatchObject({ ok: false })
  })

  it('runs with what was translated', async () => {
    const tool = adaptTool(toolOf({ url: z.string() }), example())
    const parsed = tool.parse({ citation: 2 })
    const run = { signal: AbortSignal.any([]), key: 'k', emit() {} }
    expect(await tool.execute((parsed as { value: Json }).value, run)).toEqual({ url: b })
  })
})

describe('a number that cannot be taken is refused with the valid range', () => {
  const one = { url: z.string() }
  const many = { urls: z.array(z.string()) }
  const range = 'Numbers go from 1 to 3.'
  it.each<[string, z.ZodRawShape, Json, string]>([
    ['0', one, { citation: 0 }, `citation: 0 is not a citation number. ${range}`],
    ['too large', one, { citation: 4 }, `citation: 4 is not a citation number. ${range}`],
    ['below 0', one, { citation: -1 }, `citation: -1 is not a citation number. ${range}`],
    ['a fraction', one, { citation: 1.5 }, `citation: 1.5 is not a citation number. ${range}`],
    ['text', one, { citation: '1' }, `citation: must be a whole number. ${range}`],
    ['an address', one, { citation: a }, `citation: must be a whole number. ${range}`],
    ['a list for one', one, { citation: [1] }, `citation: must be a whole number. ${range}`],
    ['null', one, { citation: null }, `citation: must be a whole number. ${range}`],
    [
      'one wrong in a list',
      many,
      { citations: [1, 9, 2] },
      `citations[1]: 9 is not a citation number. ${range}`,
    ],
    [
      'one for a list',
      many,
      { citations: 1 },
      `citations must be a list of citation numbers. ${range}`,
    ],
    ['missing', one, {}, `citation is missing. ${range}`],
    [
      'an address under the old name',
      one,
      { url: a },
      `url is not taken: give citation, the number of the source. ${range}`,
    ],
    [
      'a file',
      one,
      { citation: 3 },
      'citation: [3] is no page but My notes: read it with read_source or quote_source.',
    ],
  ])('as %s', (_what, shape, input, reason) => {
    expect(call(shape, input)).toBe(reason)
  })

  it('or says that there are none yet', () => {
    expect(call(one, { citation: 1 }, new CitationIndex())).toBe(
      'citation: 1 is not a citation number. There are no numbers yet.',
    )
  })
})
