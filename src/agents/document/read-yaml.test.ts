import { describe, expect, it } from 'vitest'
import { findPlace, toPlain } from './located.ts'
import { readYaml } from './read-yaml.ts'

const read = async (text: string) => {
  const { root, problems } = await readYaml(text, 'a.yaml')
  const first = problems[0]
  return {
    value: root === undefined ? undefined : toPlain(root),
    root,
    codes: problems.map(({ code }) => code),
    message: first?.message,
    line: first?.line,
    column: first?.column,
  }
}

/** Nine lists of nine aliases each: 9^9 values once written out. */
const bomb = Array.from({ length: 9 }, (_, level) =>
  level === 0
    ? 'a0: &a0 [x,x,x,x,x,x,x,x,x]'
    : `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(',')}]`,
).join('\n')

function names(count: number, name: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => name(n)).join(', ')
}

describe('a YAML text', () => {
  it.each([
    ['a byte order mark', '\uFEFFname: x', { name: 'x' }],
    ['line ends of Windows', 'a: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
    ['JSON', '{"a": [1, true, null, "x"]}', { a: [1, true, null, 'x'] }],
    ['keys that look like numbers and truths', '1: a\ntrue: b', { '1': 'a', true: 'b' }],
    [
      'merge keys',
      'x: &x {a: 1, b: 1}\ny: {<<: *x, b: 2}',
      { x: { a: 1, b: 1 }, y: { a: 1, b: 2 } },
    ],
    ['merge keys of a list', 'y: {<<: [{a: 1}, {a: 2, b: 3}]}', { y: { a: 1, b: 3 } }],
    ['keys without values', 'a:\nb:', { a: null, b: null }],
    ['names of built-in members', 'constructor: 1\ntoString: 2', { constructor: 1, toString: 2 }],
  ])('is read with %s', async (_what, text, value) => {
    expect(await read(text)).toMatchObject({ value, codes: [] })
  })

  it.each([
    ['nothing', '', 'the file is empty', 1],
    ['comments only', '# later\n', 'the file is empty', 1],
    ['a tab as indent', 'a:\n\tb: 1', 'this line is indented with a tab', 2],
    ['a key twice', 'a: 1\nb: 2\na: 3', 'duplicate key', 3],
    ['several documents', 'a: 1\n---\nb: 2', 'a second YAML document starts here', 2],
    ['a template without quotes', 'a: 1\nb: {{ state.x }}', 'a key is not text', 2],
    ['a tag', 'a: !python/object x', 'tags are not supported (!python/object)', 1],
    ['a set', 'a: 1\nb: !!set {x}', 'tags are not supported (tag:yaml.org,2002:set)', 2],
    ['__proto__', 'a: 1\n__proto__: {x: 1}', '"__proto__" is not allowed as a key', 2],
    ['an alias of nothing', 'a: *b', 'there is no anchor &b', 1],
    [
      'an alias in its own anchor',
      'a: &a [*a]',
      'an anchor (&name) contains its own alias (*name)',
      1,
    ],
    ['no number', 'a: .inf', 'Infinity is not a JSON value', 1],
    ['a merge of text', 'a:\n  <<: x', '"<<" needs a map or a list of maps', 2],
    ['an aliases bomb', bomb, 'with its aliases expanded, this has more than 200000 values', 6],
    ['deep nesting', '['.repeat(20_000), 'the file is nested too deeply', 1],
    [
      'nesting that can be parsed',
      `${'['.repeat(80)}${']'.repeat(80)}`,
      'this is nested deeper than 64 levels',
      1,
    ],
  ])('is refused for %s', async (_what, text, message, line) => {
    expect(await read(text)).toMatchObject({
      value: undefined,
      codes: ['YAML_PARSE'],
      message,
      line,
    })
  })

  it('is refused above 1 MB before it is parsed', async () => {
    const { codes } = await read(`a: "${'x'.repeat(1024 * 1024)}"`)
    expect(codes).toEqual(['TOO_LARGE'])
  })

  it.each([
    ['aliases of one value', `a: &a 1\nb:\n${'  - *a\n'.repeat(100_000)}`],
    [
      'as many anchors as aliases',
      `a: [${names(20_000, (n) => `&a${n} 1`)}]\nb: [${names(20_000, (n) => `*a${n}`)}]`,
    ],
    ['keys', `{${names(60_000, (n) => `k${n}: 1`)}}`],
    [
      'merges of a large map',
      `a: &a {${names(5_000, (n) => `k${n}: 1`)}}\nb: [${'{<<: *a}, '.repeat(5_000)}]`,
    ],
    ['errors', 'a: b: c\n'.repeat(60_000)],
  ])('is read soon with many %s', async (_what, text) => {
    const start = performance.now()
    await read(text)
    expect(performance.now() - start).toBeLessThan(30_000)
  })

  it('lets an alias stand for the last anchor of its name before it, also one of a key', async () => {
    const text = 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n&k e: 3\nf: *k'
    expect((await read(text)).value).toEqual({ a: 1, b: 1, c: 2, d: 2, e: 3, f: 'e' })
  })

  it('shows several mistakes of form at once', async () => {
    expect((await read('a: 1\na: 2\nb: 1\nb: 2')).codes).toEqual(['YAML_PARSE', 'YAML_PARSE'])
  })

  it('warns of words that older YAML takes for a truth, and leaves quoted ones alone', async () => {
    expect(await read('a: yes\nb: "on"')).toMatchObject({
      value: { a: 'yes', b: 'on' },
      codes: ['AMBIGUOUS_BOOLEAN'],
      line: 1,
      column: 4,
    })
  })

  it('gives the places of keys and values, and the nearest one for what is not there', async () => {
    const { root } = await read('a:\n  - b: 1\n    c: 2')
    if (root === undefined) throw new Error('not read')
    expect(findPlace(root, ['a', '0', 'c'])).toEqual({ file: 'a.yaml', line: 3, column: 8 })
    expect(findPlace(root, ['a', '0', 'c'], 'key')).toMatchObject({ line: 3, column: 5 })
    expect(findPlace(root, ['a', '0', 'missing'])).toMatchObject({ line: 2, column: 5 })
  })
})
