import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, hashJson, sha256 } from './index.ts'
import { findNonJson } from './json.ts'

/** The same value with the members of its objects in another order. */
function reordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(reordered)
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(entries.map(([key, member]) => [key, reordered(member)]))
}

describe('canonicalJson', () => {
  it('has keys in code-unit order and no white space', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true, Z: 1e21, é: 1 })).toBe(
      '{"Z":1e+21,"a":true,"b":[1,{"c":"x","d":null}],"é":1}',
    )
  })

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
  })

  it('says the same value and is the same text whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value))
        expect(hashJson(reordered(value))).toBe(hashJson(value))
      }),
    )
  })
})

describe('hashJson', () => {
  it('is the SHA-256 of the canonical text', () => {
    const expected = createHash('sha256').update('{"a":1,"b":"ä"}').digest('hex')
    expect(hashJson({ b: 'ä', a: 1 })).toBe(expected)
    expect(sha256('{"a":1,"b":"ä"}')).toBe(expected)
  })

  it('tells different values apart', () => {
    const values = [
      0,
      '0',
      [0],
      [[0]],
      {},
      [],
      null,
      '',
      false,
      { a: {} },
      { a: [] },
      [1, 2],
      [2, 1],
    ]
    expect(new Set(values.map(hashJson)).size).toBe(values.length)
  })
})

describe('findNonJson', () => {
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  const shared = { a: 1 }

  it.each([
    ['a function', { list: [1, { work: () => 1 }] }, '$.list[1].work'],
    ['undefined in a list', { list: [undefined] }, '$.list[0]'],
    ['a number that is none', { a: { b: Number.NaN } }, '$.a.b'],
    ['an instance of a class', { when: new Date(0) }, '$.when'],
    ['a map', new Map(), '$'],
    ['a cycle', cycle, '$.self'],
    ['a big integer', [1n], '$[0]'],
  ])('finds %s', (_what, value, path) => {
    expect(findNonJson(value)).toBe(path)
  })

  it.each([
    [null],
    [{ a: [1, 'x', true, null, { b: undefined }] }],
    [{ first: shared, second: shared }],
    [Object.create(null)],
  ])('finds nothing in %j', (value) => {
    expect(findNonJson(value)).toBeUndefined()
  })
})
