import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../kernel/json.ts'
import { checkSchema, schemaOutcome } from './check-schema.ts'

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    email: { type: 'string', format: 'email' },
    age: { type: 'integer', minimum: 0 },
  },
  required: ['name', 'email'],
  additionalProperties: false,
}
const tree = {
  $defs: {
    node: {
      type: 'object',
      properties: { kids: { type: 'array', items: { $ref: '#/$defs/node' } } },
    },
  },
  $ref: '#/$defs/node',
}

describe('checkSchema', () => {
  it.each<[unknown, readonly Json[], readonly Json[]]>([
    [true, [1, null], []],
    [false, [], [1, null]],
    [{}, [1, {}], []],
    [
      person,
      [{ name: 'A', email: 'a@b.org' }],
      [
        { name: 'A' },
        { name: '', email: 'a@b.org' },
        { name: 'A', email: 'a' },
        { name: 'A', email: 'a@b.org', x: 1 },
        5,
      ],
    ],
    [{ type: 'integer' }, [1, 1.0], [1.5, '1']],
    [{ type: ['string', 'null'] }, ['a', null], [1, []]],
    [{ enum: [null, 'a', { b: [1] }] }, [null, 'a', { b: [1] }], ['b', { b: [2] }]],
    [{ const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }]],
    [{ required: ['a'] }, [{ a: null }, 5], [{}]],
    [{ minLength: 2, maxLength: 3 }, ['ab', '😀😀😀', 5], ['a', 'abcd']],
    [{ exclusiveMinimum: 1, maximum: 3 }, [2, 3], [1, 4]],
    [{ multipleOf: 0.1 }, [0.3, 1], [0.35]],
    [
      { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true },
      [[1], [1, 2]],
      [[], [1, 2, 3], [{ a: 1 }, { a: 1 }]],
    ],
    [
      { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      [['a', 1]],
      [['a', 'b'], [1]],
    ],
    [{ items: [{ type: 'string' }] }, [['a', 1]], [[1]]],
    [{ contains: { type: 'number' }, maxContains: 1 }, [['a', 1], 'a'], [['a'], [1, 2]]],
    [
      { properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
      [{ a: 'x', b: 1 }],
      [{ b: 'x' }],
    ],
    [
      { patternProperties: { '^n_': { type: 'number' } }, additionalProperties: false },
      [{ n_a: 1 }],
      [{ n_a: 'x' }, { b: 1 }],
    ],
    [
      { propertyNames: { pattern: '^a' }, minProperties: 1, maxProperties: 1 },
      [{ a: 1 }],
      [{ b: 1 }, {}, { a: 1, ab: 1 }],
    ],
    [{ dependentRequired: { a: ['b'] } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
    [{ allOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1, b: 1 }], [{ a: 1 }]],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, ['a', null], [1]],
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, [1.5], [1, 'a']],
    [{ not: { type: 'string' } }, [1], ['a']],
    [
      JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}'),
      [{ a: 1, b: 1 }, { c: 1 }],
      [{ a: 1 }, {}],
    ],
    [tree, [{ kids: [{ kids: [] }] }], [{ kids: [{ kids: [1] }] }]],
    [{ definitions: { 'a/b': { type: 'string' } }, $ref: '#/definitions/a~1b' }, ['x'], [1]],
    [{ format: 'date' }, ['2024-02-29', 5], ['2023-02-29', '2023-1-1']],
    [{ format: 'date-time' }, ['2020-01-01T00:00:00Z'], ['2020-01-01']],
    [{ format: 'uri' }, ['http://a'], ['a b']],
    [{ format: 'of-its-own' }, ['x'], []],
  ])('%j', (schema, good, bad) => {
    for (const value of good) expect(schemaOutcome(schema, value)).toEqual({ ok: true, errors: [] })
    for (const value of bad) {
      const outcome = schemaOutcome(schema, value)
      expect(outcome.ok && outcome.errors.length).toBeGreaterThan(0)
    }
  })

  it('says where and what', () => {
    const schema = { type: 'object', properties: { users: { type: 'array', items: person } } }
    expect(schemaOutcome(schema, { users: [{ name: 1 }] })).toEqual({
      ok: true,
      errors: [
        { path: '/users/0/name', message: 'must be string, not number', keyword: 'type' },
        { path: '/users/0', message: 'must have "email"', keyword: 'required' },
      ],
    })
  })

  it.each<[unknown, string]>([
    [5, 'must be a map'],
    [{ type: 'strin' }, 'no type'],
    [{ unevaluatedProperties: false }, 'not supported'],
    [{ $ref: 'http://x/y' }, 'points outside the schema'],
    [{ $ref: '#/none' }, 'does not exist'],
    [{ $ref: '#' }, 'circular'],
    [{ $ref: '#/%' }, 'cannot be followed'],
    [{ pattern: '(' }, 'not a valid pattern'],
    [{ enum: 'a' }, 'must be a list'],
    [{ minimum: 'a' }, 'must be a number'],
  ])('says why %j cannot be used', (schema, problem) => {
    expect(schemaOutcome(schema, 'x')).toEqual({
      ok: false,
      problem: expect.stringContaining(problem),
    })
  })

  it('ends a pattern that tries for ever, and stops at once when the run does', async () => {
    const stop = new AbortController()
    const check = () => checkSchema({ pattern: '^(a+)+$' }, `${'a'.repeat(40)}b`, stop.signal)
    expect(await check()).toEqual({ ok: false, problem: 'The check took longer than 2000 ms.' })
    const checked = check()
    stop.abort(new Error('stopped'))
    await expect(checked).rejects.toThrow('stopped')
  })
})
