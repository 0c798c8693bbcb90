import { readFileSync } from 'node:fs'
import { Ajv } from '@modelcontextprotocol/client/validators/ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { generatedFiles } from '../../../../tools/agent-schema.ts'
import { type AgentJsonSchema, agentJsonSchema } from './document-schema.ts'

const { $schema: _dialect, ...schema } = agentJsonSchema() as AgentJsonSchema & { $schema: string }
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema)

const kinds: Readonly<Record<string, string>> = {
  uses: '{name: a, uses: llm.call, with: {x: 1}, output: k}',
  action: '{name: a, action: llm.call, params: {x: 1}, outputs: {k: "{{ result.x }}"}}',
  actionThenCode: '{name: a, uses: llm.call, with: {x: 1}, run: "return {}", language: python}',
  code: '{name: a, run: "return {}", language: lua, fan_in: true}',
  script: '{name: a, script: "return {}"}',
  expression: '{name: a, run: {type: expression, value: 1 + 1, output_key: n}}',
  steps:
    '{name: a, steps: [{run: x}, {name: s, uses: y.z}], goto: [{if: state.x, to: b}, {to: __end__}]}',
  while: '{name: a, type: while_loop, condition: state.x, max_iterations: 3, body: [{run: x}]}',
  eachAction: '{name: a, type: dynamic_parallel, items: [1], fan_in: b, action: {uses: x.y}}',
  eachSteps:
    '{name: a, type: dynamic_parallel, items: "{{ state.x }}", fan_in: b, steps: [{run: x}]}',
  eachSubgraph: '{name: a, type: dynamic_parallel, items: [1], fan_in: b, subgraph: c.yaml}',
  empty: '{name: a, fan_in: true, on_error: {mode: retry}, retry: 2, cache: true}',
}

const isValid = (nodes: string, rest = '') => validate(parse(`name: x\nnodes: [${nodes}]\n${rest}`))

describe('the schema of agent files for editors', () => {
  it.each(Object.entries(generatedFiles()))(
    '%s is up to date; if not: node tools/agent-schema.ts',
    (path, text) => {
      expect(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')).toBe(text)
    },
  )

  it.each(Object.entries(kinds))('knows nodes of the kind %s', (_kind, node) => {
    expect([isValid(node), validate.errors]).toEqual([true, null])
  })

  it('knows the rest of a file', () => {
    const rest = `edges: [{from: __start__, to: a}, {from: a, to: [b, c], type: parallel, fan_in: d, when: "!x"}]
settings: {llm: {model: m}, agents: {w: {system_prompt: p}}, other: 1}
secrets: [KEY]
imports: [{path: b.yaml, as: lib}]
config: {interrupt_before: [a]}
features: {reasoning: false}`
    expect([isValid(kinds.code as string, rest), validate.errors]).toEqual([true, null])
  })

  it.each([
    ['a key that there is not', '{name: a, runn: x}', ''],
    ['two kinds of work', '{name: a, run: x, steps: [{run: y}]}', ''],
    ['two actions', '{name: a, uses: x.y, action: y.z}', ''],
    ['a step with an action and code', '{name: a, steps: [{uses: x.y, run: y}]}', ''],
    ['a loop without a bound', '{name: a, type: while_loop, condition: x, body: [{run: x}]}', ''],
    [
      'too many rounds',
      '{name: a, type: while_loop, condition: x, max_iterations: 1001, body: [{run: x}]}',
      '',
    ],
    ['a key at the top that there is not', '{name: a, run: x}', 'naem: 1'],
    [
      'a strategy that there is not',
      '{name: a, run: x}',
      'edges: [{from: a, to: b, parallel_strategy: remote}]',
    ],
  ])('refuses %s', (_what, node, rest) => {
    expect(isValid(node, rest)).toBe(false)
  })

  it('says what every key means', () => {
    const silent: string[] = []
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return
      const { properties } = value as AgentJsonSchema
      for (const [key, member] of Object.entries(properties ?? {})) {
        const reference = (member as { readonly $ref?: string }).$ref
        if (member.description === undefined && reference === undefined)
          silent.push(`${path}.${key}`)
      }
      for (const [key, member] of Object.entries(value)) visit(member, `${path}/${key}`)
    }
    visit(schema, '')
    expect(silent).toEqual([])
  })
})
