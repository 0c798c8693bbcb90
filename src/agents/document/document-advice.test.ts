import { describe, expect, it } from 'vitest'
import { suggestProvider } from '../actions/composed/model-choice.ts'
import { createTemplates } from '../templates/templates.ts'
import { formatProblem } from './problem.ts'
import { readAgentDocument } from './read-document.ts'

async function told(text: string, files: Readonly<Record<string, string>> = {}) {
  const checks = {
    actions: new Map(),
    refused: new Map(),
    templates: await createTemplates(),
    misnamedProvider: (name: string) => suggestProvider(name, ['ollama', 'mistral', 'deepseek']),
  }
  const outcome = await readAgentDocument(text, {
    path: 'a.yaml',
    checks,
    readFile: async (path) => {
      if (files[path] === undefined) throw new Error(`${path} cannot be read: it is not there.`)
      return files[path]
    },
  })
  return { ok: outcome.ok, lines: outcome.problems.map(formatProblem) }
}

const node = '  - {name: a, run: "return 1"}'

describe('what is said of a file', () => {
  it.each([
    ['name: a\nnodes:\n  - name: a\n      run: x\n', 'a.yaml:4:10: .* indented deeper than line 3'],
    ['name: a\nnodes:\n  - name: a\n    run: x\n   goto: b\n', 'a.yaml:5:1: .* indented less'],
    ['name: a\nnodes:\n - name: a\n- name: b\n', 'a.yaml:4:1: .* is not indented like those above'],
    ['name: a\nnodes:\n  - name: b: c\n', 'a.yaml:3:11: .* a second ": "'],
  ])(
    'with a line that is indented wrongly points at that line alone: %j',
    async (text, expected) => {
      const { lines } = await told(text)
      expect(lines).toEqual([expect.stringMatching(expected)])
    },
  )

  it.each([
    ['use', 'uses'],
    ['step', 'steps'],
    ['typ', 'type'],
  ])('that does nothing by a mistyped key says which was meant: %s', async (key, meant) => {
    const { lines } = await told(`name: a\nnodes: [{name: a, ${key}: x}]`)
    expect(lines).toEqual([
      expect.stringMatching(`unknown key "${key}" in node "a" .*Did you mean "${meant}"`),
    ])
  })

  it.each([
    ['- a\n- b\n', 'it contains a list'],
    ['root:x:0:0\n', 'it contains a single value'],
  ])('that imports what is no agent file says what it holds: %j', async (text, expected) => {
    const { ok, lines } = await told(`name: a\nimports: [{path: b}]\nnodes:\n${node}`, { b: text })
    expect(ok).toBe(false)
    expect(lines).toEqual([
      expect.stringContaining(`IMPORT_FAILED: b is not an agent file: ${expected}`),
    ])
  })

  it('that imports what is not there says it once', async () => {
    const { lines } = await told(`name: a\nimports: [{path: b}]\nnodes:\n${node}`)
    expect(lines).toEqual(['a.yaml:2:11: error IMPORT_FAILED: b cannot be read: it is not there'])
  })

  it('with a misspelt goto says only that', async () => {
    const { lines } = await told(
      'name: a\nnodes:\n  - {name: a, run: "return 1", goto: finsh}\n  - {name: b, run: "return 1", goto: a}\n  - {name: finish, run: "return 1"}',
    )
    expect(lines).toEqual([expect.stringContaining('GOTO_UNDEFINED')])
  })

  it.each([
    ['{topic: {type: string}}', '"topic" of input_schema is not a JSON Schema keyword'],
    ['{properties: {n: {type: int}}}', 'Did you mean integer?'],
    ['{properties: {n: {type: string, required: true}}}', 'must be a list of keys'],
    ['{properties: {n: int}}', 'input_schema.properties.n must be a schema'],
    ['{propertys: 1}', 'Did you mean "properties"?'],
  ])('with the input_schema %s names the mistake', async (schema, expected) => {
    const { ok, lines } = await told(`name: a\ninput_schema: ${schema}\nnodes:\n${node}`)
    expect(ok).toBe(false)
    expect(lines.join('\n')).toContain(expected)
  })

  it('takes a good input_schema', async () => {
    const schema =
      '{type: object, properties: {n: {type: [integer, "null"], minimum: 0}, l: {type: array, items: {type: string}}}, required: [n]}'
    const { lines } = await told(
      `name: a\ninput_schema: ${schema}\nnodes:\n  - {name: a, run: "return 1", condition: state.n and state.l}`,
    )
    expect(lines).toEqual([])
  })

  it('with a misspelt provider names the one that was meant', async () => {
    const file = (model: string) => `name: a\nsettings: {llm: {model: "${model}"}}\nnodes:\n${node}`
    const { ok, lines } = await told(file('olama:llama3'))
    expect(ok).toBe(false)
    expect(lines).toEqual([expect.stringMatching(/^a.yaml:2:.*Did you mean ollama:llama3\?/)])
    const good = ['ollama:llama3', 'llama3', 'qwen3:8b', 'deepseek-r1:8b', 'mixtral:8x7b']
    for (const name of good) expect(await told(file(name))).toEqual({ ok: true, lines: [] })
  })

  it('tells of keys and addresses of services that they are ignored, and of a loop without an end how to end it', async () => {
    const { lines } = await told(
      `name: a\nsettings: {llm: {api_base: "http://x", model: m}}\nnodes:\n${node}`,
    )
    expect(lines.join('\n')).toMatch(/IGNORED_KEY: api_base of settings.llm is ignored/)
    const loop = '{name: a, type: while_loop, condition: "true", body: [{run: "return 1"}]}'
    expect((await told(`name: a\nnodes:\n  - ${loop}`)).lines).toEqual([
      expect.stringContaining('max_iterations: 10'),
    ])
  })
})
