import { beforeAll, describe, expect, it } from 'vitest'
import { createTemplates, type SourceKind, type Templates } from './templates.ts'

let templates: Templates
beforeAll(async () => {
  templates = await createTemplates()
})

describe('problemsOf', () => {
  it.each<[string, SourceKind, string, number, number]>([
    ['ab\n  {{ a b }}', 'template', 'Unexpected `b`', 2, 3],
    ['{{ a', 'template', '`{{` is not closed with `}}`', 1, 1],
    ['x {# a', 'template', 'The comment `{#` is not closed with `#}`', 1, 3],
    ['{{ }}', 'template', 'The expression is empty', 1, 1],
    ['{{ a }}\n{{ b | uper }}', 'template', 'There is no filter `uper`', 2, 1],
    ['{{ a.foo() }}', 'template', 'There is no method `foo`', 1, 1],
    ['{{ lenn(a) }}', 'template', 'There is no function `lenn`', 1, 1],
    ['{{ a[0]() }}', 'template', 'Only functions and methods can be called', 1, 1],
    ['{{ a is odf }}', 'template', 'There is no test `odf`', 1, 1],
    ['{{ a | map("uper") }}', 'template', 'There is no filter `uper`', 1, 1],
    ['{{ a | selectattr("b", "odf") }}', 'template', 'There is no test `odf`', 1, 1],
    ['{{ 1 < a < 3 }}', 'template', 'Comparisons cannot be chained', 1, 1],
    ['\n{% if a %}', 'template', '`{% if %}` is not closed', 2, 1],
    ['{% endfor %}', 'template', '`{% endfor %}` closes nothing', 1, 1],
    ['{% include "x" %}', 'template', '`{% include %}` is not part of agent files', 1, 1],
    [
      '{% for a.b in c %}{% endfor %}',
      'template',
      'Expected `in` keyword following loop variable',
      1,
      1,
    ],
    ['{% for x in %}{% endfor %}', 'template', 'The expression ends too early', 1, 1],
    ['{% set a.b = 1 %}', 'template', 'The syntax of `set` is `{% set name = expression %}`', 1, 1],
    ['{% raw %}{{ a }}', 'template', '`{% raw %}` is not closed with `{% endraw %}`', 1, 1],
    ['state.x ==', 'expression', 'The expression ends too early', 1, 1],
    ['a }} {{ b', 'expression', 'There is more than one expression', 1, 1],
    ['! state.x ==', 'condition', 'The expression ends too early', 1, 3],
    ['!{{ x', 'condition', '`{{` is not closed with `}}`', 1, 2],
  ])('%j as %s: %s', (source, kind, message, line, column) => {
    expect(templates.findProblems(source, kind)).toMatchObject([{ message, line, column }])
  })

  it('finds none in what is well formed', () => {
    expect(templates.findProblems('plain')).toEqual([])
    expect(templates.findProblems('{% for a in b %}{{ a }}{% endfor %}')).toEqual([])
    expect(templates.findProblems('name', 'condition')).toEqual([])
    expect(templates.findProblems('', 'condition')).toEqual([])
  })
})

describe('namesOf', () => {
  it('tells roots and keys of the state, without what the template binds itself', () => {
    const source =
      '{{ state.a.b }} {{ state["c"] }} {{ state.get("d") }} {{ variables.m | default(env.X) }}' +
      '{% for k in state.list %}{{ k }}{{ loop.index }}{% endfor %}{% set y = 1 %}{{ y + true }}' +
      '{% if len(state.n) %}{{ state.s[state.from:] }}{% else %}{{ item.state.no }}{% endif %}'
    const { roots, stateKeys, readsWholeState } = templates.findNames(source)
    expect([...roots].sort()).toEqual(['env', 'item', 'state', 'variables'])
    expect([...stateKeys].sort()).toEqual(['a', 'c', 'd', 'from', 'list', 'n', 's'])
    expect(readsWholeState).toBe(false)
  })

  it.each(['{{ state | tojson }}', '{{ state[item] }}', '{{ state.items() }}'])(
    '%s may read any key',
    (source) => {
      expect(templates.findNames(source).readsWholeState).toBe(true)
    },
  )

  it('reads conditions and expressions, and nothing where it cannot read', () => {
    expect([...templates.findNames('!ready', 'condition').stateKeys]).toEqual(['ready'])
    expect([...templates.findNames('{{ state.x }}', 'condition').stateKeys]).toEqual(['x'])
    expect([...templates.findNames('state.y > 1', 'expression').stateKeys]).toEqual(['y'])
    expect(templates.findNames('{{ state.x').roots.size).toBe(0)
  })
})
