import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { createTemplates, type Templates } from './templates.ts'

let templates: Templates
beforeAll(async () => {
  templates = await createTemplates()
})

const state = {
  name: 'Ann',
  count: 3,
  ratio: 1.5,
  flag: true,
  nothing: null,
  tags: ['a', 'b', 'c'],
  items: ['shadow'],
  user: { name: 'Bob', address: { city: 'Oslo' } },
  rows: [
    { k: 'b', v: 2 },
    { k: 'a', v: 1 },
  ],
  'odd key': 'x',
}
const scope: JsonObject = { state, variables: { model: 'm' } }
const render = (value: Json): Json => templates.render(value, scope)

describe('one expression alone', () => {
  it.each<[string, Json]>([
    ['{{ state.count }}', 3],
    ['  {{ state.ratio }}\n', 1.5],
    ['{{ state.flag }}', true],
    ['{{ state.tags }}', ['a', 'b', 'c']],
    ['{{ state.user.address }}', { city: 'Oslo' }],
    ['{{ state.nothing }}', null],
    ['{{ state.missing }}', null],
    ['{{ state.missing.deeper.still }}', null],
    ['{{ state["odd key"] }}', 'x'],
    ['{{ state.tags[-1] }}', 'c'],
    ['{{ state.rows.0.k }}', 'b'],
    ['{{- state.count -}}', 3],
    ['{{ {"a": {"b": [1, none]}} }}', { a: { b: [1, null] } }],
    ['{{ "}}" }}', '}}'],
  ])('%s gives the native value', (template, value) => {
    expect(render(template)).toEqual(value)
  })
})

describe('text', () => {
  it.each([
    ['Hi {{ state.name }}!', 'Hi Ann!'],
    ['{{ state.name }}{{ state.count }}', 'Ann3'],
    ['[{{ state.missing }}|{{ state.nothing }}]', '[|]'],
    ['is {{ state.flag }}', 'is True'],
    ['{{ state.tags }} {{ state.user.address }}', '["a","b","c"] {"city":"Oslo"}'],
    ['{# no #}a {#- c -#} b', 'ab'],
    ['a\n{{ state.name }}\n', 'a\nAnn'],
    ['{% raw %}{{ state.name }}{% endraw %} {{ 1 }}', '{{ state.name }} 1'],
  ])('%j becomes %j', (template, text) => {
    expect(render(template)).toBe(text)
  })
})

describe('tags', () => {
  it.each([
    ['{% if state.count > 5 %}big{% elif state.count > 2 %}mid{% else %}small{% endif %}', 'mid'],
    ['{% if state.missing %}a{% else %}b{% endif %}', 'b'],
    [
      '{% for r in state.rows %}{{ loop.index }}/{{ loop.length }}{{ r.k }}{% if not loop.last %},{% endif %}{% endfor %}',
      '1/2b,2/2a',
    ],
    ['{% for k, v in state.user.address.items() %}{{ k }}={{ v }}{% endfor %}', 'city=Oslo'],
    ['{% for n in state.missing %}a{% else %}none{% endfor %}', 'none'],
    ['{% for n in [1, 2, 3] if n > 1 %}{{ n }}{% endfor %}', '23'],
    ['{% for a in [1,2] %}{% for b in [3,4] %}{{ a * b }} {% endfor %}{% endfor %}', '3 4 6 8 '],
    ['{% set x = state.count * 2 %}{{ x }}', '6'],
    ['{% set x %}<{{ state.name }}>{% endset %}{{ x }}{{ x }}', '<Ann><Ann>'],
    ['{% set a, b = [1, 2] %}{{ b }}{{ a }}', '21'],
    ['{% set x = 1 %}{% for n in [5] %}{% set x = n %}{{ x }}{% endfor %}{{ x }}', '51'],
    ['{%- if true -%}  a  {%- endif -%}  b', 'ab'],
  ])('%s', (template, text) => {
    expect(render(template)).toBe(text)
  })
})

describe('operators', () => {
  it.each<[string, Json]>([
    ['state.count + 1', 4],
    ['7 // 2', 3],
    ['-7 // 2', -4],
    ['-1 % 3', 2],
    ['2 ** 10', 1024],
    ['1 / 4', 0.25],
    ['"a" ~ 1 ~ true', 'a1True'],
    ['"ab" * 2', 'abab'],
    ['[1] + [2]', [1, 2]],
    ['1 == 1.0 and "1" != 1', true],
    ['[1, {"a": 2}] == [1, {"a": 2}]', true],
    ['state.missing == none', true],
    ['state.missing == false', false],
    ['"a" in state.tags', true],
    ['"nam" in "name" and "name" in state.user', true],
    ['2 not in [1, 3]', true],
    ['"x" in state.missing', false],
    ['not state.flag or state.count', 3],
    ['state.missing and 1', null],
    ['"yes" if state.count > 2 else "no"', 'yes'],
    ['"yes" if state.count > 5', null],
    ['state.tags[1:]', ['b', 'c']],
    ['state.tags[::-1]', ['c', 'b', 'a']],
    ['state.tags[-2:-1]', ['b']],
    ['"😀bc"[:2]', '😀b'],
    ['"😀bc"[0] ~ "a😀"[-1]', '😀😀'],
    ['state.count is odd and state.missing is not defined', true],
    ['range(1, 6, 2)', [1, 3, 5]],
  ])('%s', (expression, value) => {
    expect(templates.evaluate(expression, scope)).toEqual(value)
  })
})

describe('data before methods', () => {
  it('reads a key that has the name of a method, and calls the method all the same', () => {
    expect(render('{{ state.items }}')).toEqual(['shadow'])
    expect(render('{{ state.user.items() }}')).toEqual([
      ['name', 'Bob'],
      ['address', { city: 'Oslo' }],
    ])
    expect(render('{{ (state.items() | first)[0] }}')).toBe('name')
  })
})

describe('deep values', () => {
  it('renders every text and leaves keys and other values as they are', () => {
    const value = { '{{ k }}': ['{{ state.count }}', { a: 'n={{ state.count }}' }], n: 1, z: null }
    expect(render(value)).toEqual({ '{{ k }}': [3, { a: 'n=3' }], n: 1, z: null })
  })
})

describe('properties', () => {
  it('text without marks renders to itself', () => {
    const plain = fc.string({ unit: 'grapheme' }).filter((text) => !/\{[{%#]|\$\{/.test(text))
    fc.assert(fc.property(plain, (text) => render(text) === text))
  })

  it('any JSON value comes through an expression unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const given = { state: { value } } as JsonObject
        expect(templates.render('{{ state.value }}', given)).toEqual(value)
        // A key that would change what an object is comes out of no text.
        const read = JSON.parse(JSON.stringify(value), (key, member) =>
          key === '__proto__' ? undefined : member,
        )
        expect(templates.render('{{ state.value | tojson | fromjson }}', given)).toEqual(read)
      }),
    )
  })

  it('no text makes it throw anything but its own errors', () => {
    const part = fc.constantFrom(
      ...[
        '{{',
        '}}',
        '{%',
        '%}',
        '{#',
        '#}',
        ' if ',
        ' for ',
        'x in ',
        'state',
        '.a',
        '|',
        'default',
      ],
      ...['(', ')', '[', ']', '"', "'", ',', '1', '~', ' else ', ' end', 'set x=', '-', '\\', ':'],
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        try {
          render(parts.join(''))
        } catch (thrown) {
          expect(thrown).toMatchObject({ name: 'ScholiumError' })
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
