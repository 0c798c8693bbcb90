// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is what agent files write
import { beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { createTemplates, type Templates } from './templates.ts'

let templates: Templates
beforeAll(async () => {
  templates = await createTemplates({ EVIL: '{{ secrets.key }}' })
})

const big = 'é'.repeat(900_000)
const scope: JsonObject = {
  state: {
    big,
    half: 'x'.repeat(400_000),
    list: Array.from({ length: 150_000 }, (_, index) => index),
    inject: '{{ secrets.key }} {% for x in range(9) %}x{% endfor %} ${EVIL}',
    deep: nested(20_000),
    digits: `${'1'.repeat(900_000)}x`,
    keys: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index])),
  },
  secrets: { key: 'sk-very-secret' },
}

function nested(depth: number): Json {
  let value: Json = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

describe('what values hold', () => {
  it('is never read as a template, however it gets into text', () => {
    const { inject } = scope.state as { inject: string }
    expect(templates.render('{{ state.inject }}', scope)).toBe(inject)
    expect(templates.render('a {{ state.inject }}', scope)).toBe(`a ${inject}`)
    expect(templates.render('{% set x = state.inject %}{{ x }}', scope)).toBe(inject)
    expect(templates.render({ a: ['{{ state.inject }}'] }, scope)).toEqual({ a: [inject] })
    expect(templates.render('${EVIL}{{ 1 }}', scope)).toBe('{{ secrets.key }}1')
    expect(templates.isTrue('{{ state.inject }}', scope)).toEqual({ value: true })
  })

  it('is usable from secrets and stays out of messages', () => {
    expect(templates.render('Bearer {{ secrets.key }}', scope)).toBe('Bearer sk-very-secret')
    for (const expression of [
      'secrets.key + 1',
      'secrets.key | fromjson',
      'secrets.key > 1',
      'secrets.key | round',
      'secrets.key.get("a")',
      'range(secrets.key)',
      '[1].index(secrets.key)',
      '[1] | map(secrets.key)',
      '[1] | select(secrets.key)',
      '"%d" | format(secrets.key)',
    ]) {
      let thrown: unknown
      try {
        templates.evaluate(expression, scope)
      } catch (error) {
        thrown = error
      }
      expect(thrown, expression).toMatchObject({ name: 'ScholiumError' })
      expect(JSON.stringify({ ...(thrown as object), text: String(thrown) })).not.toContain('sk-')
    }
  })
})

describe('the host', () => {
  it.each([
    'state.__proto__',
    'state["__proto__"]',
    'state.constructor',
    'state["constructor"]["constructor"]',
    'state.toString',
    '"".constructor',
    '[].length',
    'state.list.map',
    '(1).toFixed',
    'state.get("__proto__")',
    'state.get("constructor")',
    '[state] | map(attribute="constructor.name") | first',
    '{"__proto__": {"polluted": 1}}.polluted',
    '(\'{"__proto__": {"polluted": 1}}\' | fromjson).polluted',
  ])('is out of reach through %s', (expression) => {
    expect(templates.evaluate(expression, scope)).toBeNull()
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('lends no functions', () => {
    for (const name of [
      'eval("1")',
      'strftime_now("%Y")',
      'raise_exception("x")',
      'state.big.at(0)',
    ]) {
      expect(templates.findProblems(name, 'expression'), name).toHaveLength(1)
    }
  })
})

describe('limits', () => {
  it.each([
    '{{ range(10**9) }}',
    '{{ range(0, -1000000000, -1) }}',
    '{{ "x" * 10**9 }}',
    '{{ 10**9 * [1] }}',
    '{{ state.big }} {{ state.big }}',
    '{{ state.big ~ state.big }}',
    '{{ state.half | replace("x", state.half) }}',
    '{{ state.half | list | join(state.half) }}',
    '{{ [state.half, state.half, state.half] | tojson }}',
    '{{ ("a\n" * 9000) | indent(1000) }}',
    '{% for a in state.list %}{% for b in state.list %}{% endfor %}{% endfor %}',
    '{% for a in range(100000) %}{% set x = state.big | upper %}{% endfor %}',
    '{% for a in range(100000) %}{% if state.big == state.big ~ "" %}{% endif %}{% endfor %}',
    '{% for a in range(100000) %}{{ state.big[0] }}{% endfor %}',
    '{% for a in range(100000) %}{% set x = state.big | length %}{% endfor %}',
    `{% set a = [1,1] %}${'{% set a = [a,a] %}'.repeat(40)}{{ a | tojson }}`,
    `{% set a = [1,1] %}${'{% set a = [a,a] %}'.repeat(40)}{{ a == a }}`,
    `{{ ${'['.repeat(40)}1${']*2'.repeat(40)} }}`,
    '{{ state.deep | tojson }}',
    `{{ ${'('.repeat(50_000)}1${')'.repeat(50_000)} }}`,
    `{{ ${'1+'.repeat(50_000)}1 }}`,
    `{{ 1${' | string'.repeat(50_000)} }}`,
    `${'{% if 1 %}'.repeat(50_000)}${'{% endif %}'.repeat(50_000)}`,
    `{{ 1 }}${'x'.repeat(1_000_000)}`,
    '{{ state.big.strip("b" * 400000 ~ "é") }}',
    '{{ state.big.find("é" * 300 ~ "b" ~ "é" * 300000) }}',
    '{{ ("é" * 300 ~ "b" ~ "é" * 300000) in state.big }}',
    '{{ state.big | replace("é" * 300 ~ "b" ~ "é" * 300000, "") }}',
    '{{ state.big.startswith([state.big[:-1] ~ "b"] * 90000) }}',
    '{{ "a".startswith([[[1] * 1000] * 1000] * 1000) }}',
    '{{ {[[[1] * 1000] * 1000] * 1000: 1} }}',
    '{{ ([state.big] * 90000) | select("upper") | list }}',
    '{{ ([1] * 90000) | map(attribute="a." * 400000) | list }}',
    '{{ ("%s" * 2) | format(state.big, state.big) }}',
    '{% for n in range(90000) %}{% if state.keys %}{% endif %}{% endfor %}',
    '{% for n in range(90000) %}{% if state.keys | length %}{% endif %}{% endfor %}',
    '{% for n in range(90000) %}{% if state.keys == {} %}{% endif %}{% endfor %}',
    `{% set ${' '.repeat(100_000)}! %}`,
    `{{ a${' '.repeat(900_000)}b }}`,
    '{{ 1 / 0 }}',
    '{{ 10.0 ** 400 }}',
  ])('%.80s is refused soon', (template) => {
    const start = performance.now()
    expect(() => templates.render(template, scope)).toThrow(
      expect.objectContaining({ name: 'ScholiumError' }),
    )
    expect(performance.now() - start).toBeLessThan(30_000)
  })

  it('do not stop what is merely large', () => {
    const start = performance.now()
    expect(templates.render('{{ state.digits | int }} {{ state.digits | float }}', scope)).toBe(
      '0 0',
    )
    expect(performance.now() - start).toBeLessThan(30_000)
    expect(templates.render('{{ state.list }}', scope)).toHaveLength(150_000)
    expect(templates.render('{{ state.list | length }}', scope)).toBe(150_000)
    expect(templates.render('{{ state.list[-1] }}', scope)).toBe(149_999)
    expect(templates.render('{{ state.list | map("string") | join | length }}', scope)).toBe(
      788_890,
    )
    const counted = templates.render('{% for n in range(50000) %}{{ n }} {% endfor %}', scope)
    expect(String(counted).endsWith(' 49999 ')).toBe(true)
  })

  it('name the expression and say what to do', () => {
    expect(() => templates.render('{{ state.count > 3 }}', scope)).toThrow(
      expect.objectContaining({
        code: 'template_failed',
        message:
          '`{{ state.count > 3 }}`: nothing (a missing value) and a number cannot be compared',
        hint: expect.stringContaining('default(0)'),
      }),
    )
  })
})
