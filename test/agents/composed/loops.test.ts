import { describe, expect, it } from 'vitest'
import { createInProcessMemory } from '../../../src/agents/actions/tools/agent-memory.ts'
import type { AgentCache } from '../../../src/agents/run/agent-parts.ts'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { createSandbox } from '../../../src/tools/sandbox/sandbox.ts'
import { oneNode, useComposedWorld } from './composed-world.ts'

const world = useComposedWorld()

const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const loop = (more: JsonObject = {}): JsonObject => ({
  generator: { action: 'llm.call', prompt: 'Make.' },
  evaluator: { type: 'schema', schema },
  corrector: {
    action: 'llm.call',
    prompt:
      'Mend {{ state.reflection_output | tojson }}: {{ state.reflection_errors[0].message }} ({{ state.reflection_iteration }})',
  },
  ...more,
})

describe('reflection.loop', () => {
  it('fixes an output until it is valid', async () => {
    world().says({ json: { nam: 'Ann' } }, { json: { name: 'Ann' } })
    const { r } = await world().state('reflection.loop', loop())
    expect(r).toMatchObject({
      output: { name: 'Ann' },
      name: 'Ann',
      score: 1,
      iterations: 2,
      valid: true,
      success: true,
      reflection_iteration: 2,
      reflection_best_score: 1,
      reflection_history: [
        { iteration: 1, valid: false },
        { iteration: 2, valid: true },
      ],
    })
    expect(world().requests[1]?.lastText).toMatch(/^Mend \{"nam": ?"Ann"\}: .*name.* \(1\)$/)
  })

  it('gives the best, the last, or ends the run', async () => {
    const judge = { type: 'llm', prompt: 'Good? {{ state.reflection_output }}' }
    const saying = () => {
      const outputs = ['first', 'second']
      world().answers(({ system, lastText }) =>
        system.startsWith('You judge')
          ? { json: { valid: false, score: lastText.includes('first') ? 0.8 : 0.3, reason: 'meh' } }
          : { text: outputs.shift() ?? '' },
      )
    }
    const given = (on_failure: string) => loop({ evaluator: judge, max_iterations: 2, on_failure })
    saying()
    expect((await world().state('reflection.loop', given('return_best'))).r).toMatchObject({
      output: 'first',
      score: 0.8,
      exhausted: true,
      success: false,
    })
    saying()
    expect((await world().state('reflection.loop', given('return_last'))).r).toMatchObject({
      output: 'second',
    })
    saying()
    const { result } = await world().run(oneNode('reflection.loop', given('raise')))
    expect(result).toMatchObject({ status: 'failed', failure: { code: 'tool_failed' } })
  })

  it('lets nodes of the file make and judge', async () => {
    const { result } = await world().run(`name: test
nodes:
  - {name: n, uses: reflection.loop, with: {generator: make, evaluator: {type: custom, node: judge}}, output: r, goto: __end__}
  - {name: make, uses: word.upper, with: {text: "abc{{ state.reflection_iteration }}"}}
  - {name: judge, run: {type: expression, value: 'state["reflection_output"] == "ABC2"', output_key: ok}}`)
    expect(result.state.r).toMatchObject({ output: 'ABC2', iterations: 2, valid: true })
  })

  it('runs code of the file, whose hints the generator finds', async () => {
    const sandbox = createSandbox()
    try {
      const { result } = await world().run(
        `name: test
nodes:
  - name: n
    uses: reflection.loop
    with:
      generator:
        run: |
          iteration = state.get("reflection_iteration", 1)
          result = {"content": "word " * iteration + state.get("hint", "")}
      evaluator:
        type: custom
        language: python
        run: |
          count = len(output.get("content", "").split())
          errors = [] if count >= state["least"] else [{"message": f"{count} words"}]
          result = {"valid": not errors, "score": count / state["least"], "errors": errors}
      corrector:
        run: |
          result = {"hint": "more after " + state["reflection_errors"][0]["message"]}`,
        { least: 6 },
        { parts: { sandbox } },
      )
      expect(result.state).toMatchObject({
        valid: true,
        iterations: 2,
        score: 1,
        content: 'word word more after 1 words',
        reflection_history: [{ score: 1 / 6, errors: [{ message: '1 words' }] }, { valid: true }],
      })
    } finally {
      await sandbox.close()
    }
  }, 90_000)

  it('continues after a generator that fails', async () => {
    world().answers(({ number }) =>
      number === 1 ? { status: 400, body: {} } : { json: { name: 'Ann' } },
    )
    const { r } = await world().state('reflection.loop', {
      generator: { action: 'llm.call', prompt: 'Make.' },
      evaluator: { schema },
    })
    expect(r).toMatchObject({
      valid: true,
      iterations: 2,
      reflection_history: [{ output: null }, {}],
    })
  })

  it('refuses a generator that does nothing', async () => {
    await expect(
      world().parse(oneNode('reflection.loop', loop({ generator: { prompt: 'x' } }))),
    ).rejects.toThrow('give it an action, code to run, or the name of a node')
  })
})

describe('reflection.evaluate and reflection.correct', () => {
  it('judges', async () => {
    expect(
      (await world().state('reflection.evaluate', { data: { name: 1 }, schema })).r,
    ).toMatchObject({
      valid: false,
      score: 0,
      errors: [{ path: expect.stringContaining('name') }],
    })
    world().says({ json: { valid: true, score: 0.9 } })
    const asked = { data: 'x', evaluator_type: 'llm', prompt: 'Good?' }
    expect((await world().state('reflection.evaluate', asked)).r).toMatchObject({
      valid: true,
      score: 0.9,
    })
  })

  it('mends', async () => {
    world().says({ text: 'mended' })
    const given = {
      data: 'broken',
      errors: [{ message: 'bad' }],
      prompt: 'Fix {{ state.reflection_output }}.',
    }
    expect((await world().state('reflection.correct', given)).r).toMatchObject({
      corrected_output: 'mended',
      success: true,
    })
    expect(world().requests[0]?.lastText).toBe('Fix broken.')
  })
})

describe('retry.loop', () => {
  const document = (more: string) => `name: test
initial_state: {word: a}
nodes:
  - name: n
    uses: retry.loop
    with: {validate: reflection.evaluate, validate_args: {data: "{{ state.word }}", schema: {type: string, minLength: 3}}, correct: longer${more}}
    goto: __end__
  - {name: longer, uses: state.set, with: {word: "{{ state.word }}x"}}`

  it('checks and fixes until it is valid', async () => {
    const { result } = await world().run(document(', max_retries: 5'))
    expect(result.state).toMatchObject({
      word: 'axx',
      valid: true,
      attempts: 3,
      _retry_count: 2,
      _retry_exhausted: false,
    })
  })

  it('finds what the node gives where its output puts it', async () => {
    const node = 'uses: template, with: {template: {text: "{{ state.word }}x"}}'
    for (const output of ['{word: text}', '{word: "{{ result.text }}"}']) {
      const text = document(', max_retries: 5').replace(
        'uses: state.set, with: {word: "{{ state.word }}x"}',
        `${node}, output: ${output}`,
      )
      expect((await world().run(text)).result.state).toMatchObject({ word: 'axx', valid: true })
    }
  })

  it('says that the node failed, wherever its output puts that', async () => {
    const failing = document('').replace(
      'uses: state.set, with',
      'uses: llm.tools, output: o, with',
    )
    const text = failing.replace('{word: "{{ state.word }}x"}', '{prompt: Q, tools: [no.tool]}')
    const { result } = await world().run(text)
    expect(result.state).toMatchObject({ valid: false, success: false, _retry_exhausted: false })
    expect(result.state.error).toContain('There is no tool "no.tool"')
  })

  it('ends after its retries', async () => {
    const { result } = await world().run(document(''))
    expect(result.state).toMatchObject({ valid: false, attempts: 2, _retry_exhausted: true })
    expect(result.state._retry_errors).toHaveLength(1)
  })
})

describe('cache.wrap', () => {
  it('gives a kept result, from run to run', async () => {
    const memory = createInProcessMemory(() => 0)
    const options = { memory: () => memory }
    const text = oneNode('cache.wrap', { action: 'llm.call', args: { prompt: 'Q {{ state.x }}' } })
    world().says({ text: 'one' }, { text: 'two' })
    const run = (x: string) => world().run(text, { x }, { options })
    expect((await run('1')).result.state.r).toMatchObject({
      content: 'one',
      _cache_hit: false,
      success: true,
    })
    expect((await run('1')).result.state.r).toMatchObject({ content: 'one', _cache_hit: true })
    expect((await run('2')).result.state.r).toMatchObject({ content: 'two', _cache_hit: false })
    expect(world().requests).toHaveLength(2)
  })

  it.each([
    ['cache.wrap', { action: 'llm.call', key: 'k', args: { prompt: 'Q' } }, ''],
    ['llm.call', { prompt: 'Q' }, '    cache: {key: k}\n'],
  ])(
    'gives no other model what one answered, nor one with other settings: %s',
    async (name, params, rule) => {
      const memory = createInProcessMemory(() => 0)
      const kept = new Map<string, Json>()
      const cache: AgentCache = {
        get: async (key) => kept.get(key),
        set: async (key, value) => void kept.set(key, value),
      }
      const options = { memory: () => memory }
      const texts = ['one', 'two', 'three']
      world().says(...texts.map((text) => ({ text })))
      const run = async (model: string, head = '') => {
        const models = world().model.source({ name: `openai-compatible:${model}` })
        const text = `${oneNode(name, params, head)}${rule}`
        const { result } = await world().run(
          text,
          {},
          { options, parts: { cache }, changes: { models } },
        )
        return (result.state.r as JsonObject).content
      }
      expect([await run('a'), await run('b'), await run('b')]).toEqual(['one', 'two', 'two'])
      expect(await run('b', 'settings: {llm: {temperature: 0}}')).toBe('three')
    },
  )

  it('keeps nothing that a secret goes into, and says so', async () => {
    const memory = createInProcessMemory(() => 0)
    const text = oneNode('cache.wrap', {
      action: 'llm.call',
      args: { prompt: 'Q {{ env.MY_TOKEN | length }}' },
    })
    const parts = { secrets: { MY_TOKEN: 'sk-correct-horse' } }
    const { result, events } = await world().run(
      text,
      {},
      { parts, options: { memory: () => memory } },
    )
    expect(result.state.r).toMatchObject({ success: true, _cache_hit: false, _cache_key: null })
    expect(await memory.list('cache')).toEqual([])
    expect(events.map(({ data }) => ('text' in data ? data.text : ''))).toContain(
      'The result of llm.call is not cached between runs because it depends on a secret.',
    )
  })

  it('keeps a result for the smallest time that is said, and says since when', async () => {
    let nowMs = 0
    const memory = createInProcessMemory(() => nowMs)
    const args = { prompt: 'Q' }
    const text = oneNode('cache.wrap', { action: 'llm.call', args, ttl_days: 9, ttl_hours: 1 })
    const run = async () =>
      (await world().run(text, {}, { options: { memory: () => memory } })).result
    await run()
    nowMs = 3_599_000
    const { r } = (await run()).state
    expect(r).toMatchObject({ _cache_hit: true, _cache_created_at: '1970-01-01T00:00:00.000Z' })
    nowMs = 3_601_000
    expect((await run()).state.r).toMatchObject({ _cache_hit: false })
  })

  it('makes the key of a member of the parameters, or keeps nothing', async () => {
    const memory = createInProcessMemory(() => 0)
    const options = { options: { memory: () => memory } }
    const text = (system: string, more: JsonObject) =>
      oneNode('cache.wrap', { action: 'llm.call', args: { prompt: 'Q', system }, ...more })
    const run = async (system: string, more: JsonObject) =>
      (await world().run(text(system, more), {}, options)).result.state.r
    const bySource = { key_strategy: 'sha256', key_source: 'prompt' }
    expect(await run('a', bySource)).toMatchObject({ _cache_hit: false })
    expect(await run('b', bySource)).toMatchObject({ _cache_hit: true })
    expect(await run('b', { ...bySource, cache_enabled: false })).toMatchObject({
      success: true,
      _cache_hit: false,
      _cache_key: null,
    })
    expect(await run('a', { key_strategy: 'custom' })).toMatchObject({ success: false })
    expect(await memory.list('cache')).toHaveLength(1)
  })

  it('keeps nothing that failed, and says where there is no memory', async () => {
    const memory = createInProcessMemory(() => 0)
    const text = oneNode('cache.wrap', {
      action: 'agent.dispatch',
      args: { agent: 'x', task: 't' },
    })
    const { result } = await world().run(text, {}, { options: { memory: () => memory } })
    expect(result.state.r).toMatchObject({ success: false })
    expect(await memory.list('cache')).toEqual([])
    expect((await world().run(text)).result.failure?.message).toContain('no memory')
  })
})

describe('memory.summarize', () => {
  it('sums up what the state holds', async () => {
    world().says({ text: 'They spoke.' })
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Ho' },
    ]
    const { result } = await world().run(oneNode('memory.summarize', {}), { messages })
    expect(result.state.r).toMatchObject({
      summary: 'They spoke.',
      original_count: 2,
      success: true,
    })
    expect(world().requests[0]?.lastText).toContain('user: Hi\nassistant: Ho')
  })
})

describe('state.set, core.switch, core.return and template', () => {
  it('set, choose and end', async () => {
    const { result } = await world().run(`name: test
nodes:
  - {name: a, uses: state.set, with: {n: 2, list: [1, "{{ 1 + 1 }}"]}}
  - {name: b, action: core.switch, params: {value: "{{ state.n > 1 }}"}, edges: {"true": c, default: d}}
  - {name: c, uses: template, with: {template: "n is {{ state.n }}"}, output: said, goto: e}
  - {name: d, uses: state.set, with: {wrong: true}}
  - {name: e, uses: core.return, with: {value: "{{ state.said }}"}}`)
    expect(result).toMatchObject({
      status: 'answered',
      output: 'n is 2',
      state: { n: 2, list: [1, 2], said: 'n is 2' },
    })
    expect(result.state).not.toHaveProperty('wrong')
  })
})
