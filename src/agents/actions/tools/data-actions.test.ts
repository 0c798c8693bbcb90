import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { doAction } from '../../../../test/agents/actions/do-action.ts'
import type { Json } from '../../../kernel/json.ts'
import type { ActionCall } from '../action.ts'
import { dataActions } from './data-actions.ts'
import { validateActions, validateInputAction } from './validate-actions.ts'

const act = (name: string, params: object, workspace = tmpdir()) =>
  doAction([...dataActions({ workspace }), ...validateActions()], name, params)

describe('data.validate', () => {
  it('says whether a value fits a JSON Schema, and where not', async () => {
    const schema = { type: 'object', required: ['a'] }
    expect(await act('data.validate', { data: { a: 1 }, schema })).toEqual({
      valid: true,
      errors: [],
      success: true,
    })
    const told = {
      valid: false,
      errors: [{ path: '', message: 'must have "a"', keyword: 'required' }],
      success: true,
    }
    expect(await act('data.validate', { data: {}, schema })).toEqual(told)
    const bad = await act('data.validate', { data: {}, schema: { $dynamicRef: '#' } })
    expect(bad).toMatchObject({ success: false, error_type: 'invalid_schema' })
  })
})

describe('data.merge', () => {
  const sources = [
    { a: { x: 1, y: 1 }, l: [1] },
    { a: { y: 2 }, l: [2], n: null },
  ]

  it.each([
    ['deep', { a: { x: 1, y: 2 }, l: [2], n: null }],
    ['shallow', { a: { y: 2 }, l: [2], n: null }],
    ['replace', { a: { y: 2 }, l: [2], n: null }],
  ])('merges %s', async (strategy, result) => {
    expect(await act('data.merge', { sources, strategy })).toEqual({
      result,
      source_count: 2,
      success: true,
    })
  })

  it('makes no member that is an object’s own', async () => {
    const { result } = (await act('data.merge', {
      sources: [JSON.parse('{"__proto__": {"bad": 1}}')],
    })) as { result: object }
    expect((result as { bad?: number }).bad).toBeUndefined()
    expect(({} as { bad?: number }).bad).toBeUndefined()
  })
})

describe('data.filter', () => {
  const data = [
    { s: 'active', n: 3, t: ['x'], u: { v: 1 } },
    { s: 'gone', n: 5, t: [] },
  ]

  it.each([
    [{ field: 's', op: 'eq', value: 'active' }, [0]],
    [{ field: 's', op: 'ne', value: 'active' }, [1]],
    [{ field: 'n', op: 'gt', value: 3 }, [1]],
    [{ field: 'n', op: 'gte', value: 3 }, [0, 1]],
    [{ field: 'n', op: 'lt', value: 'x' }, []],
    [{ field: 'n', op: 'lte', value: 3 }, [0]],
    [{ field: 's', op: 'in', value: ['gone', 'x'] }, [1]],
    [{ field: 's', op: 'not_in', value: ['gone'] }, [0]],
    [{ field: 't', op: 'contains', value: 'x' }, [0]],
    [{ field: 's', op: 'contains', value: 'on' }, [1]],
    [{ field: 's', op: 'startswith', value: 'act' }, [0]],
    [{ field: 's', op: 'endswith', value: 'e' }, [0, 1]],
    [{ field: 'u.v', value: 1 }, [0]],
    [
      [
        { field: 's', value: 'gone' },
        { field: 'n', op: 'gt', value: 9 },
      ],
      [],
    ],
  ])('keeps what fits %j', async (predicate, kept) => {
    const result = kept.map((index) => data[index])
    const expected = { result, original_count: 2, filtered_count: kept.length, success: true }
    expect(await act('data.filter', { data, predicate })).toEqual(expected)
  })
})

describe('schema.merge', () => {
  it('merges schemas of files and of the agent, null takes out', async () => {
    const workspace = await mkdtemp(join(tmpdir(), 'schema-'))
    const base = {
      type: 'object',
      properties: { a: { type: 'string' }, b: {} },
      required: ['a', 'b'],
    }
    await writeFile(join(workspace, 'base.json'), JSON.stringify(base))
    const inline = { properties: { b: null, c: { type: 'number' } }, required: ['a'] }
    const schemas = [{ path: 'base.json' }, { inline }]
    const merged = {
      type: 'object',
      properties: { a: { type: 'string' }, c: { type: 'number' } },
      required: ['a'],
    }
    expect(await act('schema.merge', { schemas, validate: true }, workspace)).toEqual({
      merged_schema: merged,
      success: true,
    })
    expect(await act('schema.merge', { schemas, output_key: 's' }, workspace)).toMatchObject({
      s: merged,
    })
  })

  it('says what cannot be merged', async () => {
    expect(await act('schema.merge', { schemas: [{ path: '../../etc/passwd' }] })).toMatchObject({
      error_type: 'outside_workspace',
    })
    const bad = { schemas: [{ inline: { type: 'strin' } }], validate: true }
    expect(await act('schema.merge', bad)).toMatchObject({ error_type: 'invalid_schema' })
    await expect(act('schema.merge', { schemas: [{ uses: 'a/b@c#d' }] })).rejects.toThrow(
      'not fetched',
    )
  })
})

describe('validate.input', () => {
  const state = { name: 'Ada', age: '36' }
  const validate = (params: object) => {
    const { params: schema, run } = validateInputAction()
    const { signal } = new AbortController()
    const step = (
      _name: string,
      _effect: string,
      _input: Json,
      work: (attempt: object) => unknown,
    ) => work({ signal })
    return run(schema.parse(params) as never, { state, context: { step } } as unknown as ActionCall)
  }

  it('takes the state, fills in defaults and makes numbers of texts', async () => {
    const schema = {
      name: { type: 'str', required: true, min_length: 1 },
      age: { type: 'int', min: 0 },
      lang: { default: 'en' },
    }
    expect(await validate({ schema })).toEqual({
      valid: true,
      data: { name: 'Ada', age: 36, lang: 'en' },
    })
  })

  it('says what each field must be', async () => {
    const schema = {
      name: { type: 'str', required: true },
      age: { type: 'int', min: 0, max: 10 },
      kind: { choices: ['a', 'b'] },
      mail: { pattern: '^\\S+@\\S+$' },
      tags: { type: 'list', items: { type: 'str', max_length: 2 } },
      user: { type: 'dict', properties: { id: { type: 'int', required: true } } },
      on: { type: 'bool' },
    }
    const data = { age: 11, kind: 'c', mail: 'x', tags: ['ok', 'long', 5], user: {}, on: 'yes' }
    const { valid, errors } = (await validate({ data, schema })) as {
      valid: boolean
      errors: { field: string; error: string }[]
    }
    expect(valid).toBe(false)
    expect(errors.map(({ field, error }) => `${field}: ${error}`)).toEqual([
      'name: required',
      'age: max',
      'kind: choices',
      'mail: pattern',
      'tags[1]: max_length',
      'tags[2]: type',
      'user.id: required',
      'on: type',
    ])
  })

  it('ends the run when told so, and for a pattern that takes for ever', async () => {
    const schema = { name: { type: 'int' } }
    await expect(validate({ schema, raise_on_error: true })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    const data = { a: `${'a'.repeat(50)}b` }
    await expect(validate({ data, schema: { a: { pattern: '^(a+)+$' } } })).rejects.toThrow(
      'longer than',
    )
    expect(() => validate({ schema: { a: { pattern: '(' } } })).toThrow('not a valid pattern')
    expect(() => validate({ schema: { a: { typo: 1 } } })).toThrow('typo')
  })
})

describe('validate.extraction and validate.generate_prompt', () => {
  const schema = {
    relationships: { types: ['mother'], type_requirements: { mother: ['since'] } },
    confidence_tracking: true,
  }

  it('say what is missing', async () => {
    const entities = [{ name: 'Mary', type: 'person', confidence: 1 }, { name: 'X' }]
    const relationships = [
      { type: 'aunt', subject: 'a', object: 'b', confidence: 1 },
      { type: 'mother', subject: 'a', object: 'b', confidence: 1 },
    ]
    const result = await act('validate.extraction', {
      entities,
      relationships,
      extraction_schema: schema,
      source_text: 'Mary was there.',
    })
    expect(result).toMatchObject({ valid: false, warnings: [expect.stringContaining('X')] })
    const { errors } = result as { errors: { error_type: string; field?: string }[] }
    expect(errors.map(({ error_type: type, field }) => [type, field])).toEqual([
      ['missing_required_field', 'type'],
      ['missing_required_field', 'confidence'],
      ['invalid_relationship_type', undefined],
      ['missing_required_field', 'since'],
    ])
    expect(await act('validate.extraction', {})).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      success: true,
    })
  })

  it('tell a model what to do', async () => {
    const { prompt } = (await act('validate.generate_prompt', { extraction_schema: schema })) as {
      prompt: string
    }
    for (const part of [
      'name, type',
      'one of: mother',
      'mother must also have: since',
      '"confidence"',
    ])
      expect(prompt).toContain(part)
  })

  it('validate.schema gives rules back', async () => {
    const rules = { a: { type: 'int', required: true } }
    expect(await act('validate.schema', { schema: rules })).toEqual({
      schema: rules,
      fields: ['a'],
      required: ['a'],
      success: true,
    })
  })
})
