import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../kernel/json.ts'
import { filterNames } from './filters.ts'
import { createTemplates, type Templates } from './templates.ts'

let templates: Templates
beforeAll(async () => {
  templates = await createTemplates()
})

const state = {
  empty: '',
  nothing: null,
  rows: [
    { k: 'b', v: 2, on: true },
    { k: 'A', v: 3, on: false },
    { k: 'c', v: 1 },
  ],
}

const cases: readonly (readonly [string, Json])[] = [
  ['state.missing | default("d")', 'd'],
  ['unheard_of | default("d")', 'd'],
  ['state.nothing | default("d")', null],
  ['state.empty | default("d", true)', 'd'],
  ['state.empty | default("d", boolean=true)', 'd'],
  ['state.missing | d(5)', 5],
  ['state.missing.deep | default([])', []],
  ['{"b": [1, none, true]} | tojson', '{"b":[1,null,true]}'],
  ['[1] | tojson(indent=2)', '[\n  1\n]'],
  ['{"a": 1} | json', '{"a":1}'],
  ['\'{"a": [1]}\' | fromjson', { a: [1] }],
  ['[1, "b", true] | join("-")', '1-b-True'],
  ['state.rows | join(",", attribute="k")', 'b,A,c'],
  ['"ab" | upper ~ ("CD" | lower)', 'ABcd'],
  ['"hello big-world" | title', 'Hello Big-World'],
  ['"hELLO you" | capitalize', 'Hello you'],
  ['"  a " | trim', 'a'],
  ['"xxaxx" | trim("x")', 'a'],
  ['"a-b-c" | replace("-", "+", 1)', 'a+b-c'],
  ['"a-b-c" | replace("-", "")', 'abc'],
  ['"one two  three" | wordcount', 3],
  ['"a\nb" | indent(2)', 'a\n  b'],
  ['"a\nb" | indent(2, true)', '  a\n  b'],
  ['"foo bar baz qux" | truncate(9)', 'foo...'],
  ['"foo bar baz qux" | truncate(9, true)', 'foo ba...'],
  ['"foo bar baz" | truncate(9)', 'foo bar baz'],
  ['"%s: %.2f" | format("a", 1.5)', 'a: 1.50'],
  ['"%05.1f|%4d|%-4s|%03d" | format(3.14, 7, "ab", -5)', '003.1|   7|ab  |-05'],
  ['"a b&c" | urlencode', 'a%20b%26c'],
  ['[1, 2] | length + ("😀" | length) + ({"a": 1} | count)', 4],
  ['state.missing | length', 0],
  ['[3, 1, 2] | first', 3],
  ['[3, 1, 2] | last', 2],
  ['[] | first', null],
  ['3.9 | int', 3],
  ['-3.9 | int', -3],
  ['"3.7" | int', 3],
  ['"x" | int(-1)', -1],
  ['" 2.5 " | float', 2.5],
  ['"3 apples" | float(0.5)', 0.5],
  ['true | string', 'True'],
  ['"abc" | list', ['a', 'b', 'c']],
  ['{"b": 1, "a": 2} | list', ['b', 'a']],
  ['2.5 | round', 2],
  ['2.345 | round(2)', 2.35],
  ['2.1 | round(0, "ceil")', 3],
  ['-2.5 | abs', 2.5],
  ['["b", "A", "c"] | sort', ['A', 'b', 'c']],
  ['[1, 3, 2] | sort(reverse=true)', [3, 2, 1]],
  ['state.rows | sort(attribute="v") | map(attribute="k") | list', ['c', 'b', 'A']],
  ['[1, 2, 1, "a", "A"] | unique', [1, 2, 'a']],
  ['"abc" | reverse', 'cba'],
  ['[1, 2] | reverse', [2, 1]],
  ['[1, 2, 3] | sum', 6],
  ['state.rows | sum(attribute="v")', 6],
  ['[2, 1] | min', 1],
  ['[2, 1] | max', 2],
  ['state.rows | max(attribute="v") | items | first', ['k', 'A']],
  ['{"b": 1, "a": 2} | dictsort', [['a', 2], ['b', 1]]], // biome-ignore format: a pair a line says less
  ['{"b": 1, "a": 2} | dictsort(by="value")', [['b', 1], ['a', 2]]], // biome-ignore format: as above
  ['state.rows | map(attribute="none", default=0) | list', [0, 0, 0]],
  ['["1", "2"] | map("int") | sum', 3],
  ['["ab", "cb"] | map("replace", "b", "") | list', ['a', 'c']],
  ['state.rows | selectattr("on") | map(attribute="k") | list', ['b']],
  ['state.rows | rejectattr("on") | map(attribute="k") | list', ['A', 'c']],
  ['state.rows | selectattr("v", "ge", 2) | list | length', 2],
  ['state.rows | selectattr("k", "in", ["b", "c"]) | list | length', 2],
  ['[0, 1, 2, 3] | select | list', [1, 2, 3]],
  ['[0, 1, 2, 3] | select("odd") | list', [1, 3]],
  ['[0, 1, 2, 3] | reject("divisibleby", 2) | list', [1, 3]],
  ['"a" | safe', 'a'],
  ['"abc" | sha256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['({"a": 1, "b": 2} | hash) == ({"b": 2, "a": 1} | hash)', true],
]

describe('filters', () => {
  it.each(cases)('%s', (expression, value) => {
    expect(templates.evaluate(expression, { state })).toEqual(value)
  })

  it('are all tried here', () => {
    const tried = cases.map(([expression]) => expression).join('\n')
    const untried = filterNames().filter((name) => !new RegExp(`\\| ${name}\\b`).test(tried))
    expect(untried).toEqual([])
  })

  it('say which name was meant', () => {
    expect(() => templates.evaluate('state.rows | lenght', { state })).toThrow(
      expect.objectContaining({ hint: 'Did you mean `length`?' }),
    )
  })
})

describe('functions', () => {
  it.each<[string, Json]>([
    ['len(state.rows) + len("ab") + len({})', 5],
    ['str(1.5) ~ str(true)', '1.5True'],
    ['int("7") + float("0.5") + abs(-1)', 8.5],
    ['round(2.345, 2)', 2.35],
    ['sum([1, 2]) + min([3, 1]) + max(4, 2, 3)', 8],
    ['sorted(["b", "a"], reverse=true)', ['b', 'a']],
    ['list("ab")', ['a', 'b']],
    ['bool([]) or bool("x")', true],
    ['range(2, 0, -1)', [2, 1]],
  ])('%s', (expression, value) => {
    expect(templates.evaluate(expression, { state })).toEqual(value)
  })
})

describe('methods', () => {
  it.each<[string, Json]>([
    ['"a,b,c".split(",")', ['a', 'b', 'c']],
    ['" a  b c ".split()', ['a', 'b', 'c']],
    ['"a,b,c".split(",", 1)', ['a', 'b,c']],
    ['" a  b c ".split(none, 1)', ['a', 'b c ']],
    ['"a\nb\n".splitlines()', ['a', 'b']],
    ['"aB".upper() ~ "aB".lower()', 'ABab'],
    ['" a ".strip() ~ "xay".strip("xy") ~ " b".lstrip() ~ "c ".rstrip()', 'aabc'],
    ['"aXbX".replace("X", "-", 1)', 'a-bX'],
    ['"abc".replace("", "-")', '-a-b-c-'],
    ['"abc".startswith("ab") and "abc".endswith(("x", "c"))', true],
    ['", ".join(["a", 1])', 'a, 1'],
    ['"banana".find("n") + "banana".count("a")', 5],
    ['"hello world".title() ~ "ABC".capitalize()', 'Hello WorldAbc'],
    ['"12".isdigit()', true],
    ['{"a": 1}.get("a") + {"a": 1}.get("b", 5)', 6],
    ['{"a": 1}.get("b")', null],
    ['{"a": 1, "b": 2}.keys()', ['a', 'b']],
    ['{"a": 1, "b": 2}.values()', [1, 2]],
    ['["a", "b"].index("b") + ["a", "a"].count("a")', 3],
    ['state.missing.get("x", 1)', null],
  ])('%s', (expression, value) => {
    expect(templates.evaluate(expression, { state })).toEqual(value)
  })
})
