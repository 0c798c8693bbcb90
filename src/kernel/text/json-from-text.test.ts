import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJson, parseJsonObject } from './json-from-text.ts'

const values = (text: string) => findJson(text).map(({ value }) => value)
const container = fc.jsonValue().filter((value) => value !== null && typeof value === 'object')

describe('findJson', () => {
  it('reads every valid JSON text as JSON.parse does, compact, indented or between words', () => {
    fc.assert(
      fc.property(container, (value) => {
        const compact = JSON.stringify(value)
        const expected = [JSON.parse(compact)]
        expect(values(compact)).toEqual(expected)
        expect(values(JSON.stringify(value, null, 2))).toEqual(expected)
        expect(values(`Sure, here it is: ${compact}. Anything else?`)).toEqual(expected)
      }),
    )
  })

  it('keeps a key named __proto__ as a plain member', () => {
    const [found] = findJson('{"__proto__": {"polluted": true}}')
    expect(Object.keys(found?.value as object)).toEqual(['__proto__'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('gives spans, the order of appearance, and nothing nested twice', () => {
    const text = 'First {"a": [1, {"b": 2}]} and then [3].'
    expect(findJson(text)).toEqual([
      { value: { a: [1, { b: 2 }] }, start: 6, end: 26, fenced: false, truncated: false },
      { value: [3], start: 36, end: 39, fenced: false, truncated: false },
    ])
  })

  it('lists complete JSON inside something that fails to be JSON', () => {
    expect(values('{not json [1, 2] "x"} {"a": 1}')).toEqual([[1, 2], { a: 1 }])
    expect(values('Broken {"a": "b} and good {"c": 1}')).toEqual([{ c: 1 }])
  })

  it('says which candidates are fenced, by the fence’s language', () => {
    const text =
      '{"n": 1}\n```json\n{"n": 2}\n```\n```python\n{"n": 3}\n```\n```\n{"n": 4}\n```\n{"n": 5}'
    expect(findJson(text).map(({ value, fenced }) => [value, fenced])).toEqual([
      [{ n: 1 }, false],
      [{ n: 2 }, true],
      [{ n: 3 }, false],
      [{ n: 4 }, true],
      [{ n: 5 }, false],
    ])
  })

  it('does not end a fence at fence marks inside a string', () => {
    const text = '```json\n{"code": "```js\\nx\\n```", "n": 1}\n```\nAfter {"n": 2}'
    expect(findJson(text).map(({ value, fenced }) => [value, fenced])).toEqual([
      [{ code: '```js\nx\n```', n: 1 }, true],
      [{ n: 2 }, false],
    ])
  })

  it('ends a cut object where its fence ends', () => {
    const [found, ...others] = findJson('```json\n{"a": 1, "b": [2, 3\n```\nThat is all, "really".')
    expect(found).toMatchObject({ value: { a: 1, b: [2, 3] }, fenced: true, truncated: true })
    expect(others).toEqual([])
  })

  it.each([
    ['{"a": [1, {"b": "x', { a: [1, { b: 'x' }] }],
    ['{"a": 1, "b": "line\\', { a: 1, b: 'line' }],
    ['{"a": 1, "b": "\\u00', { a: 1, b: '' }],
    ['{"a": 1, "b', { a: 1 }],
    ['{"a": 1, "b":', { a: 1 }],
    ['{"a": 1, "b": tru', { a: 1 }],
    ['{"a": {', { a: {} }],
  ])('closes what %s left open', (text, expected) => {
    expect(findJson(text)).toMatchObject([{ value: expected, truncated: true }])
  })

  it('leaves out a number that the end of the text may have cut', () => {
    expect(values('{"count": 12, "total": 12')).toEqual([{ count: 12 }])
    expect(values('[1, 2.')).toEqual([[1]])
  })

  it('gives every prefix of a valid text only parts of its value', () => {
    const text = JSON.stringify({ a: ['x"y', { b: 1234 }], c: 'é\\', d: null, e: 0.5 })
    for (let end = 1; end < text.length; end++) {
      for (const { value, truncated } of findJson(text.slice(0, end))) {
        expect(truncated).toBe(true)
        expect(isPartOf(value, JSON.parse(text)), JSON.stringify(value)).toBe(true)
      }
    }
  })

  it.each([
    ["{'a': 'it\\'s', 'b': True, 'c': None}", { a: "it's", b: true, c: null }],
    ["{'a': 'it's'}", { a: "it's" }],
    ['{a: 1, b_c: false}', { a: 1, b_c: false }],
    ['{“a”: “b”}', { a: 'b' }],
    ['[1, 2, ]', [1, 2]],
    ['{"a": 1, /* one */ "b": 2, // two\n}', { a: 1, b: 2 }],
    ['{"html": "<p id="x">y</p>"}', { html: '<p id="x">y</p>' }],
    ['{"a": "one\ntwo"}', { a: 'one\ntwo' }],
    ['{"a": 1\n "b": 2}', { a: 1, b: 2 }],
    ['["a" "b"]', ['a', 'b']],
    ['[{"a": 1} {"a": 2}]', [{ a: 1 }, { a: 2 }]],
    ['[{"a": {"b": 1}]', [{ a: { b: 1 } }]],
    ['{"pattern": "\\d+ \\alpha"}', { pattern: '\\d+ \\alpha' }],
  ])('reads %s leniently', (text, expected) => {
    expect(values(text)).toEqual([expected])
  })

  it.each([
    'A set {x, y} and an interval [a, b).',
    'body { color: red }',
    '[a link](https://example.org) and [TOOL_CALLS]',
    '[1, 2, ...]',
    '{"a": 007}',
    '{"a": 1e999}',
    '{"a": value}',
    'It opens [ and never closes',
    '"a string" and 42',
  ])('finds nothing in %s', (text) => {
    expect(values(text)).toEqual([])
  })

  it('refuses what is nested beyond any use', () => {
    const [found] = findJson(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`)
    expect(JSON.stringify(found?.value ?? null).length).toBeLessThan(1_100)
  })

  // One reading takes under a fifth of a second; a quadratic one would take minutes.
  it.each([
    ['open brackets', '['],
    ['open braces', '{'],
    ['both', '[{'],
    ['quotes', '"'],
    ['brace and quote', '{"'],
    ['brace and apostrophe', "{'a"],
    ['unfinished arrays', '["",'],
    ['unfinished objects', '{"a":'],
    ['failing arrays', '[x'],
    ['fences', '```\n[x'],
    ['comments', '[/*'],
    ['backslashes', '{"\\'],
  ])('reads 200 KB of %s in linear time', (_name, unit) => {
    const text = unit.repeat(200_000 / unit.length)
    expect(findJson(text).length).toBeLessThan(2)
    expect(findJson(`${'['.repeat(400)}${unit.repeat(20_000)}`).length).toBeLessThan(2)
  })

  it('takes time in proportion to fences that follow each other without a space', () => {
    const timeOf = (length: number) => {
      const text = '```a```'.repeat(length / 7)
      const startedAt = performance.now()
      expect(findJson(text)).toEqual([])
      return performance.now() - startedAt
    }
    timeOf(10_000)
    const short = timeOf(20_000)
    // Eight times the text: with the square of its length it takes 64 times as long.
    expect(timeOf(160_000)).toBeLessThan(Math.max(short, 5) * 30)
  }, 60_000)
})

describe('parseJsonObject', () => {
  it('takes the first object with all keys: whole text, then fenced, then others, then cut off', () => {
    const keys = ['approved']
    expect(parseJsonObject(' {"approved": true}\n', keys)).toEqual({
      ok: true,
      value: { approved: true },
      truncated: false,
    })
    const text =
      'As in {"approved": 1}: {"x": 0}\n```json\n{"approved": 2}\n```\n{"approved": 3, "y": "'
    expect(parseJsonObject(text, keys)).toMatchObject({ value: { approved: 2 } })
    expect(parseJsonObject(text, ['x'])).toMatchObject({ value: { x: 0 } })
    expect(parseJsonObject(text, ['approved', 'y'])).toMatchObject({ ok: true, truncated: true })
  })

  it('takes an array with one object as that object, and no array with several', () => {
    expect(parseJsonObject('[{"a": 1}]', ['a'])).toMatchObject({ value: { a: 1 } })
    expect(parseJsonObject('[{"a": 1}, {"a": 2}]', ['a'])).toMatchObject({ ok: false })
  })

  it('says what is missing', () => {
    expect(parseJsonObject('No.', ['a'])).toEqual({
      ok: false,
      reason: 'There is no JSON object in the text.',
    })
    expect(parseJsonObject('{"a": 1} {}', ['a', 'b', 'c'])).toEqual({
      ok: false,
      reason: 'The JSON object lacks "b", "c".',
    })
    expect(parseJsonObject('{"a": 1, "b": 12', ['a', 'b'])).toEqual({
      ok: false,
      reason: 'The JSON object is cut off before "b".',
    })
  })
})

function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part)
  if (typeof part !== 'object' || part === null) return part === whole
  const members = Object.entries(whole as object)
  return Object.entries(part).every(([key, value], index) => {
    return members[index]?.[0] === key && isPartOf(value, members[index]?.[1])
  })
}

const data = process.env.SCHOLIUM_DATA
describe.skipIf(!data)('findJson on published repair cases (needs SCHOLIUM_DATA)', () => {
  // What these repairers guess at (unquoted words, elided items) is refused here on purpose, so the share is well below 1.
  it.each([
    ['json_repair_python', 0.45],
    ['jsonrepair_js', 0.38],
  ])('agrees with %s on at least a share of %d', (name, share) => {
    const file = join(data ?? '', '05-llm-output/json-repair-cases', `${name}.dev.jsonl`)
    const cases = readFileSync(file, 'utf8').trim().split('\n').map(repairCase)
    const containers = cases.filter(
      ({ expected }) => expected !== null && typeof expected === 'object',
    )
    const equal = containers.filter(({ input, expected }) =>
      isDeepStrictEqual(values(input)[0], expected),
    )
    expect(equal.length / containers.length).toBeGreaterThan(share)
  })
})

function repairCase(line: string): { input: string; expected: unknown } {
  const { input, expected } = JSON.parse(line) as { input: string; expected: unknown }
  if (typeof expected !== 'string') return { input, expected }
  try {
    return { input, expected: JSON.parse(expected) }
  } catch {
    return { input, expected }
  }
}
