import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { doAction } from '../../../../test/agents/actions/do-action.ts'
import { csvActions } from './csv-actions.ts'
import { jsonActions } from './json-actions.ts'

const json = (name: string, params: object) => doAction(jsonActions(), `json.${name}`, params)
const csv = (name: string, params: object, workspace = tmpdir()) =>
  doAction(csvActions({ workspace }), `csv.${name}`, params)

describe('json.parse', () => {
  it('gives the value', async () => {
    expect(await json('parse', { text: ' {"a": [1, null]} ' })).toEqual({
      data: { a: [1, null] },
      success: true,
    })
  })

  it('says where a text is no JSON', async () => {
    expect(await json('parse', { text: '{\n  "a": 1,\n  x\n}' })).toMatchObject({
      success: false,
      error_type: 'parse',
      position: { line: 3, column: 3 },
    })
    expect(await json('parse', { text: '{"a": ' })).toMatchObject({
      position: { line: 1, column: 7 },
    })
    const quoted = await json('parse', { text: 'what is this' })
    expect(quoted).toMatchObject({ error: expect.stringContaining("Unexpected token 'w'") })
    expect(quoted).not.toHaveProperty('position')
  })

  it('reads soon through what is not closed', async () => {
    const start = performance.now()
    for (const text of ['/*'.repeat(500_000), '"\\'.repeat(300_000), ',  '.repeat(300_000)])
      expect(await json('parse', { text, strict: false })).toMatchObject({ success: false })
    expect(performance.now() - start).toBeLessThan(30_000)
  })

  it('passes over what is often written too much, when told so, and takes the default', async () => {
    const text = '{"a": "//x,]", // note\n "b": [1, 2,],\n}'
    expect(await json('parse', { text, strict: false })).toMatchObject({
      data: { a: '//x,]', b: [1, 2] },
    })
    expect(await json('parse', { text: 'no', strict: false, default: {} })).toMatchObject({
      data: {},
      success: true,
    })
    expect(await json('parse', { text: 'no', default: {} })).toMatchObject({ success: false })
  })
})

describe('json.stringify', () => {
  it('writes with indentation and sorted names', async () => {
    const data = { b: { d: 1, c: 2 }, a: [] }
    expect(await json('stringify', { data })).toEqual({
      text: '{"b":{"d":1,"c":2},"a":[]}',
      success: true,
    })
    const { text } = (await json('stringify', { data, indent: 2, sort_keys: true })) as {
      text: string
    }
    expect(text.replaceAll(/\s/g, '')).toBe('{"a":[],"b":{"c":2,"d":1}}')
    expect(text).toContain('\n  "b"')
  })
})

describe('json.transform', () => {
  const data = {
    users: [{ name: 'Ada', on: true, 'odd-key': 1 }, { name: 'Bob' }],
    n: { name: 'x' },
  }

  it('takes JMESPath', async () => {
    const expression = 'users[?on].name | [0]'
    expect(await json('transform', { data, expression })).toEqual({
      result: 'Ada',
      expression,
      success: true,
    })
  })

  it.each([
    ['$', data],
    ['$.users[0].name', 'Ada'],
    ['$.users[-1].name', 'Bob'],
    ["$['users'][0]['odd-key']", 1],
    ['$.users[0].odd-key', 1],
    ['$.users[*].name', ['Ada', 'Bob']],
    ['$..name', ['Ada', 'Bob', 'x']],
    ['$.users[0:1].name', ['Ada']],
    ["$.users[0]['name','on']", ['Ada', true]],
    ['$.n.*', ['x']],
    ['$.missing.name', null],
    ['$.users.constructor', null],
  ])('takes the JSONPath %s', async (expression, result) => {
    expect(await json('transform', { data, expression, engine: 'jsonpath' })).toMatchObject({
      result,
    })
  })

  it.each([
    ['users[', 'jmespath', 'column 7'],
    ['users', 'jsonpath', 'starts with $'],
    ['$.users[?(@.on)]', 'jsonpath', 'engine: jmespath'],
    ['$users', 'jsonpath', 'not a valid JSONPath step'],
    ['$.users[', 'jsonpath', 'not a valid JSONPath step'],
  ])('says what is wrong with %s in %s', async (expression, engine, told) => {
    const result = await json('transform', { data, expression, engine })
    expect(result).toMatchObject({
      success: false,
      error_type: 'expression',
      error: expect.stringContaining(told),
    })
  })

  it.each([
    ['to_string(@)', '[@, @]'],
    ['@', '[@, @]'],
    ['@', '[@, @][]'],
    ['length(@) == `1`', '[@, @][]'],
  ])('refuses to make what is too large: %s after 40 times %s', async (last, doubling) => {
    const expression = `${Array.from({ length: 40 }, () => doubling).join(' | ')} | ${last}`
    const result = await json('transform', { data: [1], expression })
    expect(result).toMatchObject({
      success: false,
      error: expect.stringMatching(/too large|took longer than/),
    })
  })
})

describe('csv.parse', () => {
  it('gives rows as maps, quotes and line ends read', async () => {
    const text = '\ufeffname,note\r\nAda,"a ""b"", c"\r\n\r\nBob,"two\nlines"\r\nCy\r\n'
    expect(await csv('parse', { text })).toEqual({
      data: [
        { name: 'Ada', note: 'a "b", c' },
        { name: 'Bob', note: 'two\nlines' },
        { name: 'Cy', note: null },
      ],
      headers: ['name', 'note'],
      row_count: 3,
      success: true,
    })
  })

  it('gives rows as lists without a header', async () => {
    const table = { data: [['1', '2']], headers: null, row_count: 1, success: true }
    expect(await csv('parse', { text: '1;2', delimiter: ';', has_header: false })).toEqual(table)
  })

  it('reads a file of the workspace, and none outside', async () => {
    const workspace = await mkdtemp(join(tmpdir(), 'csv-'))
    await writeFile(join(workspace, 'a.csv'), 'a\n1\n')
    expect(await csv('parse', { path: 'a.csv' }, workspace)).toMatchObject({ data: [{ a: '1' }] })
    expect(await csv('parse', { path: '/etc/passwd' }, workspace)).toMatchObject({
      error_type: 'outside_workspace',
    })
  })

  it.each([
    ['a,b\n"open,1\n', 'parse'],
    ['a,a\n1,2\n', 'parse'],
    ['a\n1,2\n', 'parse'],
  ])('says what is wrong with %j', async (text, errorType) => {
    expect(await csv('parse', { text })).toMatchObject({ success: false, error_type: errorType })
  })

  it('takes either a text or a path', async () => {
    await expect(csv('parse', {})).rejects.toThrow('either text or path')
    await expect(csv('parse', { text: 'a', path: 'b' })).rejects.toThrow('either text or path')
  })
})

describe('csv.stringify', () => {
  it('writes what csv.parse reads', async () => {
    const data = [
      { name: 'Ada', note: 'a "b", c' },
      { name: 'Bob', note: ' two\nlines' },
    ]
    const { text } = (await csv('stringify', { data })) as { text: string }
    expect(await csv('parse', { text })).toMatchObject({ data, row_count: 2 })
  })

  it('takes the columns that are named, and lists', async () => {
    const data = [{ a: 1, b: { c: 2 } }, { b: null }]
    expect(await csv('stringify', { data, headers: ['b', 'a'] })).toMatchObject({
      text: 'b,a\n"{""c"":2}",1\n,\n',
    })
    expect(await csv('stringify', { data: [[1, 'x;y']], delimiter: ';' })).toMatchObject({
      text: '1;"x;y"\n',
    })
    expect(await csv('stringify', { data: [[1], { a: 1 }] })).toMatchObject({ success: false })
  })
})
