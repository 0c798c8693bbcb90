import { describe, expect, it } from 'vitest'
import { createExtractiveModel } from '../../../src/extractive/extractive-model.ts'
import { createModelSource } from '../../../src/models/model-source.ts'
import { oneNode, useComposedWorld } from './composed-world.ts'

const world = useComposedWorld()

describe('llm.call', () => {
  it('gives what the model says, what it used and who it was', async () => {
    world().says({ text: 'Hello.' })
    const { r } = await world().state('llm.call', {
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi {{ 1 + 1 }}' },
      ],
      max_tokens: 50,
    })
    expect(r).toMatchObject({
      content: 'Hello.',
      model: 'openai-compatible:scripted',
      finish_reason: 'stop',
      usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
    })
    const { usage } = r as { usage: { prompt_tokens: number; total_tokens: number } }
    expect(usage.prompt_tokens).toBeGreaterThan(0)
    expect(usage.total_tokens).toBeGreaterThan(usage.prompt_tokens)
    const [seen] = world().requests
    expect(seen).toMatchObject({ system: 'Be kind.', lastText: 'Hi 2' })
    expect(seen?.body).toMatchObject({ temperature: 0.7, max_tokens: 50 })
  })

  it('takes a prompt with instructions, and settings of the file as defaults', async () => {
    await world().state(
      'llm.call',
      { prompt: 'Q', system: 'S' },
      'settings: {llm: {temperature: 0.2, max_tokens: 9}}',
    )
    expect(world().requests[0]).toMatchObject({
      system: 'S',
      lastText: 'Q',
      body: { temperature: 0.2, max_tokens: 9 },
    })
  })

  it('merges the members of asked-for JSON where they clash with nothing', async () => {
    world().says({ json: { format: 'prose', content: 'not this', model: 'nor this' } })
    const { r } = await world().state('llm.call', { prompt: 'Q', response_format: 'json' })
    expect(r).toMatchObject({
      format: 'prose',
      model: 'openai-compatible:scripted',
      parsed: { format: 'prose', content: 'not this' },
    })
    expect((r as { content: string }).content).toContain('"prose"')
  })

  it('asks once more for JSON, and then says that there is none', async () => {
    world().says({ text: 'sorry' }, { text: 'no' })
    const { r } = await world().state('llm.call', {
      prompt: 'Q',
      response_format: { type: 'json_object' },
    })
    expect(r).toMatchObject({
      success: false,
      content: 'no',
      error: expect.stringContaining('JSON'),
    })
    expect(world().requests).toHaveLength(2)
    expect(world().requests[1]?.lastText).toContain('could not be used')
  })

  it('holds JSON against its schema', async () => {
    const schema = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } }
    world().says({ json: { n: 'one' } }, { json: { n: 1 } })
    const { r } = await world().state('llm.call', {
      prompt: 'Q',
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    })
    expect(r).toMatchObject({ n: 1, parsed: { n: 1 } })
    expect(world().requests).toHaveLength(2)
  })

  it('calls a model that is fully named, and says once whom half a name stands for', async () => {
    const nodes = ['gpt-4o', 'gpt-4o', 'openai-compatible/other'].map(
      (model, index) =>
        `  - {name: n${index}, uses: llm.call, with: {model: ${model}, prompt: Q}, output: r${index}}`,
    )
    const { result, events } = await world().run(`name: test\nnodes:\n${nodes.join('\n')}`)
    expect(result.state.r0).toMatchObject({ model: 'openai-compatible:scripted' })
    expect(result.state.r2).toMatchObject({ model: 'openai-compatible:other' })
    expect(world().requests.map(({ model }) => model)).toEqual(['scripted', 'scripted', 'other'])
    const told = events.filter(
      ({ type, data }) => type === 'notice' && String(data.text).includes('gpt-4o'),
    )
    expect(told).toHaveLength(1)
  })

  it('takes the provider next to the name, and never the address of a file', async () => {
    const { result, events } = await world().run(
      oneNode('llm.call', {
        provider: 'openai-compatible',
        model: 'other',
        api_base: 'http://192.0.2.1/v1',
        prompt: 'Q',
      }),
    )
    expect(result.state.r).toMatchObject({ model: 'openai-compatible:other' })
    const text = events.map(({ data }) => ('text' in data ? data.text : '')).join('\n')
    expect(text).toContain('api_base http://192.0.2.1/v1, which is ignored')
  })

  it('needs a language model', async () => {
    const models = createModelSource({
      choices: {},
      environment: {},
      builtIn: { extractive: async () => createExtractiveModel() },
    })
    const { result } = await world().run(
      oneNode('llm.call', { prompt: 'Q' }),
      {},
      { changes: { models } },
    )
    expect(result).toMatchObject({
      status: 'failed',
      failure: { code: 'invalid_configuration', hint: expect.stringContaining('--model') },
    })
  })

  it('fails where the service fails, and tries again as often as it may', async () => {
    world().answers(({ number }) => (number <= 3 ? { status: 503 } : { text: 'there' }))
    const once = await world().run(oneNode('llm.call', { prompt: 'Q' }))
    expect(once.result).toMatchObject({ status: 'failed', failure: { code: 'model_unavailable' } })
    expect(world().requests).toHaveLength(3)
    world().answers(({ number }) => (number <= 6 ? { status: 503 } : { text: 'there' }))
    const { r } = await world().state('llm.call', { prompt: 'Q', max_retries: 1 })
    expect(r).toMatchObject({ content: 'there' })
  })

  it('calls tools before it answers, in JSON too', async () => {
    world().says(
      { toolCalls: [{ name: 'word_upper', input: { text: 'abc' } }] },
      { json: { word: 'ABC' } },
    )
    const { r } = await world().state('llm.call', {
      prompt: 'Q',
      tools: ['word.upper'],
      response_format: 'json',
    })
    expect(r).toMatchObject({
      word: 'ABC',
      parsed: { word: 'ABC' },
      tool_calls: [{ name: 'word.upper' }],
    })
  })

  it.each([
    [{}, 'give messages or prompt'],
    [{ prompt: 'Q', temprature: 1 }, 'temprature'],
    [{ prompt: 'Q', provider: 'shell' }, 'programs and model files are not supported'],
  ])('refuses %j in the file', async (params, says) => {
    await expect(world().parse(oneNode('llm.call', params))).rejects.toThrow(says)
  })
})

describe('parameters of the format', () => {
  it('say where an answer ends and how its words are chosen', async () => {
    const wording = { top_p: 0.5, seed: 7, presence_penalty: 1, frequency_penalty: -1 }
    await world().state('llm.call', { prompt: 'Q', stop: 'END', ...wording })
    await world().state('llm.tools', { prompt: 'Q', stop: ['A', 'B'] })
    expect(world().requests[0]?.body).toMatchObject({ stop: ['END'], ...wording })
    expect(world().requests[1]?.body).toMatchObject({ stop: ['A', 'B'] })
  })

  it('are passed over with a word, or refused with why', async () => {
    const text = oneNode('llm.call', { prompt: 'Q', backend: 'auto', opik_trace: true })
    expect((await world().run(text)).result.status).toBe('answered')
    const refused = oneNode('llm.call', { prompt: 'Q', shell_provider: 'claude' })
    await expect(world().parse(refused)).rejects.toThrow(
      '"shell_provider" is not valid: programs that answer prompts are not supported',
    )
  })

  it('may be left empty, and come as texts from the environment', async () => {
    const text = oneNode('llm.call', {
      prompt: 'Q',
      stop: null,
      temperature: '{{ env.WARMTH }}',
      max_tokens: '{{ state.none }}',
    })
    const environment = { WARMTH: '0.3' }
    await world().run(text, { none: null }, { environment })
    expect(world().requests[0]?.body).toMatchObject({ temperature: 0.3 })
    const empty = oneNode('file.write', { path: 'a', content: 'b', encoding: null })
    expect((await world().run(empty)).result.state.r).toMatchObject({ success: true })
  })
})

describe('llm.chat', () => {
  it('asks as llm.call does', async () => {
    world().says({ text: 'Hello.' })
    const { r } = await world().state('llm.chat', { messages: [{ role: 'user', content: 'Hi' }] })
    expect(r).toMatchObject({ content: 'Hello.', finish_reason: 'stop' })
    expect(world().requests[0]?.lastText).toBe('Hi')
  })
})

describe('llm.stream', () => {
  it('tells what is written, and gives the same result', async () => {
    world().says({ text: 'one two three' })
    const heard: string[] = []
    const { result } = await world().run(
      oneNode('llm.stream', { prompt: 'Q' }),
      {},
      { changes: { listeners: [({ type }) => void heard.push(type)] } },
    )
    const { chunk_count: chunks } = result.state.r as { chunk_count: number }
    expect(result.state.r).toMatchObject({ content: 'one two three', streamed: true })
    expect(chunks).toBe(heard.filter((type) => type === 'delta').length)
    expect(heard).toContain('delta')
  })
})

describe('llm.retry', () => {
  it('says how often it tried, and gives the last failure as data', async () => {
    world().answers(() => ({ status: 503 }))
    const { r } = await world().state('llm.retry', { prompt: 'Q', max_retries: 2, base_delay: 1 })
    expect(r).toMatchObject({
      success: false,
      attempts: 3,
      total_delay: 3,
      error: expect.any(String),
    })
    expect(world().requests).toHaveLength(9)
  })
})

describe('llm.tools', () => {
  it('offers the one tool that is chosen, and none that is not among them', async () => {
    const given = { prompt: 'Q', tools: ['word.upper', 'word.count'] }
    await world().state('llm.tools', { ...given, tool_choice: 'word.count' })
    expect(world().requests[0]?.tools).toEqual(['word_count'])
    const { r } = await world().state('llm.tools', { ...given, tool_choice: 'note.write' })
    expect(r).toMatchObject({ success: false, error: expect.stringContaining('note.write') })
    expect(world().requests).toHaveLength(1)
  })

  it('calls tools by any name until the model answers', async () => {
    world().says({ toolCalls: [{ name: 'shout', input: { text: 'abc' } }] }, { text: 'It is ABC.' })
    const { r } = await world().state('llm.tools', {
      prompt: 'Q',
      tools: [
        {
          name: 'shout',
          action: 'word.upper',
          parameters: { text: { type: 'string', required: true } },
        },
      ],
    })
    expect(r).toMatchObject({
      content: 'It is ABC.',
      tool_calls: [{ name: 'shout', arguments: { text: 'abc' } }],
      tool_results: [{ name: 'shout', result: 'ABC', is_error: false }],
      rounds: 2,
    })
    expect(world().called).toEqual(['word.upper abc'])
  })

  it('ends at its rounds, and refuses what is no tool', async () => {
    world().answers(() => ({ toolCalls: [{ name: 'word.upper', input: { text: 'a' } }] }))
    const { r } = await world().state('llm.tools', {
      prompt: 'Q',
      tools: ['word.upper'],
      max_tool_rounds: 2,
    })
    expect(r).toMatchObject({ success: false, rounds: 2 })
    const composed = await world().state('llm.tools', { prompt: 'Q', tools: ['llm.call'] })
    expect(composed.r).toMatchObject({
      success: false,
      error: expect.stringContaining('steps of its own'),
    })
    expect(world().requests).toHaveLength(2)
  })
})
