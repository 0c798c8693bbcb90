import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/kernel/json.ts'
import { oneNode, useComposedWorld } from './composed-world.ts'

const world = useComposedWorld()

const step = (action: string, input: JsonObject) => ({
  json: { thought: `I use ${action}.`, action, action_input: input },
})

describe('reason.cot', () => {
  it('gives all result keys, the trace in both shapes', async () => {
    world().says({ json: { thinking: 'Step 1.', answer: 42 } })
    const { r } = await world().state('reason.cot', {
      problem: 'How far?',
      thinking_format: 'tree',
      few_shot_examples: [{ problem: 'p', thinking: 't', answer: 'a' }],
      temperature: 0.3,
    })
    expect(r).toMatchObject({
      thinking: 'Step 1.',
      answer: 42,
      model: 'openai-compatible:scripted',
      thinking_format: 'tree',
      reasoning_thinking: 'Step 1.',
      reasoning_answer: 42,
      reasoning_trace: [{ step: 1, kind: 'think', answer: 42, timestamp: expect.any(String) }],
      reasoning_trace_object: {
        span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        action_type: 'cot',
        entries: [{ step: 1, kind: 'think' }],
      },
    })
    expect(world().requests[0]?.body.temperature).toBe(0.3)
    expect(world().requests[0]?.system).toContain('"answer":"a"')
  })

  it.each([
    ['reason.cot', { problem: 'p' }],
    ['reason.react', { goal: 'g', max_steps: 1 }],
    ['reason.self_correct', { task: 't', improvement_rounds: 1 }],
    ['reason.decompose', { problem: 'p' }],
  ])('%s asks as settings.llm says, and tells what of it does not hold', async (name, params) => {
    world().answers(() => ({ text: '{"thinking": "t", "answer": "a", "sub_problems": []}' }))
    const head = 'settings: {llm: {max_tokens: 77, temperature: 0.4, max_retries: 2}}'
    const { events } = await world().run(oneNode(name, params, head))
    const bodies = world().requests.map(({ body }) => [body.max_tokens, body.temperature])
    expect(new Set(bodies.map(String))).toEqual(new Set(['77,0.4']))
    const told = events.filter(({ data }) => 'text' in data && data.text.includes('max_retries'))
    expect(told).toHaveLength(1)
  })

  it('ends a call after the time that settings.llm says', async () => {
    world().answers(() => ({ hang: true }))
    const head = 'settings: {llm: {timeout: 0.05}}'
    const { r } = (await world().run(oneNode('reason.cot', { problem: 'p' }, head))).result.state
    expect(r).toMatchObject({ success: false, error_type: 'model_unavailable' })
  })

  it('gives as data that the model kept to no form', async () => {
    world().answers(() => ({ text: 'random garbage' }))
    const { result } = await world().run(oneNode('reason.cot', { problem: 'p' }))
    expect(result).toMatchObject({
      status: 'answered',
      state: {
        r: {
          success: false,
          error: expect.stringContaining('random garbage'),
          error_type: 'model_output_malformed',
        },
      },
    })
  })

  it('asks the model that the file names', async () => {
    world().says({ json: { thinking: 't', answer: 'a' } })
    const named = { problem: 'p', model: 'openai-compatible:thinker' }
    expect((await world().state('reason.cot', named)).r).toMatchObject({
      model: 'openai-compatible:thinker',
    })
  })
})

describe('reason.react', () => {
  it('calls tools by the names of actions, and shows the steps', async () => {
    world().says(step('word.upper', { text: 'abc' }), step('finish', { answer: 'ABC' }))
    const { r } = await world().state('reason.react', {
      goal: 'Shout abc.',
      tools: ['word.upper', 'final_answer'],
    })
    const steps = [
      { step: 1, action: 'word.upper', action_input: { text: 'abc' }, observation: 'ABC' },
      { step: 2, action: 'finish' },
    ]
    expect(r).toMatchObject({
      steps,
      react_steps: steps,
      final_answer: 'ABC',
      reasoning_answer: 'ABC',
      total_steps: 2,
    })
    expect(r).not.toHaveProperty('warning')
    expect(world().called).toEqual(['word.upper abc'])
  })

  it.each(['../../../etc/passwd', 'no.such', 'llm.call', 'word.upper/../x'])(
    'asks no model with the tool %s',
    async (name) => {
      const { r } = await world().state('reason.react', { goal: 'g', tools: [name] })
      expect(r).toMatchObject({ success: false, error: expect.any(String) })
      expect(world().requests).toEqual([])
    },
  )

  it('makes exactly as many calls as it may with a model that never stops', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 12 }), async (most) => {
        const before = world().requests.length
        world().answers(({ number }) => step('word.count', { text: `${number}` }))
        const { r } = await world().state('reason.react', {
          goal: 'g',
          tools: ['word.count'],
          max_steps: most,
        })
        expect(world().requests.length - before).toBe(most)
        expect(r).toMatchObject({ total_steps: most, max_steps_reached: true, final_answer: null })
        expect((r as { warning: string }).warning).toContain(`${most} step`)
      }),
      { numRuns: 8 },
    )
  })

  it('changes nothing once it was given text from elsewhere', async () => {
    world().says(step('note.write', { text: 'x' }), step('finish', { answer: 'done' }))
    const { result } = await world().run(`name: test
nodes:
  - {name: a, uses: page.read, with: {text: owls}, output: page}
  - {name: b, uses: reason.react, with: {goal: "{{ state.page }}", tools: [note.write]}, output: r}`)
    const { steps } = result.state.r as { steps: readonly { observation: JsonObject }[] }
    expect(String(steps[0]?.observation.error)).toContain('was not called')
    expect(world().called).toEqual(['page.read owls'])
  })

  it('changes what the operator allows, even so', async () => {
    world().says(step('note.write', { text: 'x' }), step('finish', { answer: 'done' }))
    const text = `name: test
nodes:
  - {name: a, uses: page.read, with: {text: owls}, output: page}
  - {name: b, uses: reason.react, with: {goal: "{{ state.page }}", tools: [note.write]}, output: r}`
    await world().run(text, {}, { parts: { allow: ['note.*'] } })
    expect(world().called).toEqual(['page.read owls', 'note.write x'])
  })

  it('taints what comes after a tool that reads elsewhere', async () => {
    world().says(
      step('page.read', { text: 'owls' }),
      step('finish', { answer: 'done' }),
      step('note.write', { text: 'x' }),
      step('finish', { answer: 'done' }),
    )
    await world().run(`name: test
nodes:
  - {name: a, uses: reason.react, with: {goal: g, tools: [page.read]}, output: r}
  - {name: b, uses: reason.react, with: {goal: g, tools: [note.write]}, output: s}`)
    expect(world().called).toEqual(['page.read owls'])
  })
})

describe('reason.self_correct', () => {
  it('gives the history in both shapes', async () => {
    world().says(
      { text: 'first' },
      { json: { issues_found: ['dull'], suggestions: ['wit'], improvement_score: 0.5 } },
      { text: 'second' },
    )
    const { r } = await world().state('reason.self_correct', {
      task: 'Write.',
      improvement_rounds: 1,
      generator_model: 'openai-compatible:writer',
      critic_model: 'openai-compatible:critic',
      critic_prompt: 'Look at {{ output }}.',
      temperature: 0.1,
    })
    expect(r).toMatchObject({
      output: 'second',
      final_output: 'second',
      rounds_completed: 1,
      generator_model: 'openai-compatible:writer',
      critic_model: 'openai-compatible:critic',
      improvement_history: [
        { round: 1, output: 'first', improved: 'second', issues_found: ['dull'] },
      ],
      improvement_history_list: [
        { round: 0, type: 'initial', output: 'first' },
        { round: 1, type: 'improvement', output: 'second', improvement_score: 0.5 },
      ],
    })
    expect(world().requests.map(({ model }) => model)).toEqual(['writer', 'critic', 'writer'])
    expect(world().requests.map(({ body }) => body.temperature)).toEqual([0.1, 0.1, 0.1])
    expect(world().requests[1]?.system).toContain('Look at the output that you are shown.')
  })
})

/** Splits whatever it may. */
function splits({ system }: { readonly system: string }) {
  if (system.includes('or split it')) return { json: { sub_problems: ['one', 'two'] } }
  return { json: { answer: 'part', reasoning: 'r', confidence: 0.5, final_answer: 'all' } }
}

describe('reason.decompose', () => {
  it('gives parts, answers and how they were put together', async () => {
    world().answers(splits)
    const { r } = await world().state('reason.decompose', {
      problem: 'root',
      max_depth: 1,
      synthesis_prompt: 'Join {{ sub_answers | tojson }}.',
      temperature: 0.1,
    })
    expect(new Set(world().requests.map(({ body }) => body.temperature))).toEqual(new Set([0.1]))
    expect(r).toMatchObject({
      sub_problems: [{ id: '1', description: 'one', depends_on: [], dependencies: [] }, {}],
      sub_answers: [{ id: '1', description: 'one', answer: 'part', confidence: 0.5 }, {}],
      final_answer: 'all',
      synthesis_reasoning: expect.any(String),
      depth_used: 1,
    })
  })

  it('never goes deeper than it may with a model that always splits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 3 }), async (most) => {
        world().answers(splits)
        const { r } = await world().state('reason.decompose', { problem: 'root', max_depth: most })
        expect(r).toMatchObject({ depth_used: most })
      }),
      { numRuns: 4 },
    )
  })
})

describe('the feature reasoning', () => {
  it.each(['cot', 'react', 'self_correct', 'decompose'])(
    'leaves out reason.%s by the configuration',
    async (name) => {
      const off = { features: { reasoning: false } }
      expect(world().actions(off).get(`reason.${name}`)).toBeUndefined()
      await expect(world().parse(oneNode(`reason.${name}`, { problem: 'p' }), off)).rejects.toThrow(
        `reason.${name}, which is not supported: it would need the feature reasoning, which is switched off`,
      )
    },
  )

  it('leaves it out by the file', async () => {
    const text = oneNode('reason.cot', { problem: 'p' }, 'features: {reasoning: false}')
    await expect(world().parse(text)).rejects.toThrow('disables with features.reasoning')
  })

  it('leaves all other actions as they are', async () => {
    const { result } = await world().run(
      oneNode('llm.call', { prompt: 'Q' }),
      {},
      { options: { features: { reasoning: false } } },
    )
    expect(result.status).toBe('answered')
  })
})

it('refuses DSPy by its name', async () => {
  await expect(world().parse(oneNode('reason.dspy.cot', { problem: 'p' }))).rejects.toThrow(
    'reason.dspy.cot, which is not supported: it would need DSPy',
  )
})

describe('tools.list', () => {
  it('lists tools with their schemas, final_answer always among them', async () => {
    const { r } = await world().state('tools.list', { filter: ['word.upper', 'nothing'] })
    expect(r).toMatchObject({
      count: 2,
      tools: [
        { name: 'word.upper', parameters: { type: 'object', required: ['text'] } },
        { name: 'final_answer' },
      ],
    })
    const { r: all } = await world().state('tools.list', {})
    const names = (all as { tools: readonly { name: string }[] }).tools.map(({ name }) => name)
    expect(names).toContain('file.write')
    expect(names).not.toContain('llm.call')
  })
})
