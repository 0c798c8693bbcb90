import { describe, expect, it } from 'vitest'
import { createModelSource } from '../../../src/models/model-source.ts'
import type { ModelRequestSeen, ScriptedReply } from '../../../src/testing/index.ts'
import { oneNode, useComposedWorld } from './composed-world.ts'

const world = useComposedWorld()

const lengths = ({ texts }: ModelRequestSeen): ScriptedReply => ({
  vectors: texts.map((text) => [text.length, 0.5]),
})

/** Models of a run for which a model of embeddings was chosen. */
function withRole() {
  const models = createModelSource({
    choices: {
      default: 'openai-compatible:scripted',
      embedding: { name: 'openai-compatible:of-role' },
    },
    environment: { OPENAI_BASE_URL: world().model.server.url },
    builtIn: {},
  })
  return { changes: { models } }
}

describe('llm.embed', () => {
  it('gives the vector of a text, by the model that it names', async () => {
    world().answers(lengths)
    const { r } = await world().state('llm.embed', {
      model: 'openai-compatible:vectors',
      text: 'abc',
      dimensions: 2,
    })
    expect(r).toEqual({
      embedding: [3, 0.5],
      model: 'openai-compatible:vectors',
      dimensions: 2,
      tokens_used: 1,
      usage: { prompt_tokens: 1, total_tokens: 1, cost_usd: null },
    })
    expect(world().requests[0]?.body).toMatchObject({ input: ['abc'], dimensions: 2 })
  })

  it('gives the vectors of several texts', async () => {
    world().answers(lengths)
    const { r } = await world().state('llm.embed', {
      provider: 'openai-compatible',
      model: 'vectors',
      texts: ['abc', 'a'],
    })
    const embeddings = [
      [3, 0.5],
      [1, 0.5],
    ]
    expect(r).toMatchObject({ embeddings, dimensions: 2 })
  })

  it('takes the model of the role, whatever model of texts the file names', async () => {
    world().answers(lengths)
    const text = `
name: embed
settings: {llm: {backend: local, model: phi4-mini}}
initial_state: {text: An agent.}
nodes:
  - name: embed
    action: llm.embed
    params: {backend: "{{ state.backend | default('auto') }}", text: "{{ state.text }}"}
    outputs:
      embedding: "{{ action_result.embedding }}"
      dimensions: "{{ action_result.dimensions }}"
  - name: half
    uses: llm.embed
    with: {model: nomic-embed-text, text: b}
    output: r
`
    const { result, events } = await world().run(text, {}, withRole())
    expect(result.state).toMatchObject({ embedding: [9, 0.5], dimensions: 2 })
    expect(world().requests.map(({ model }) => model)).toEqual(['of-role', 'of-role'])
    const told = events.map(({ data }) => ('text' in data ? data.text : '')).join('\n')
    expect(told).toContain('nomic-embed-text without a provider, so openai-compatible:of-role')
  })

  it('makes no vectors with a model of texts', async () => {
    const { result } = await world().run(oneNode('llm.embed', { text: 'a' }))
    expect(result).toMatchObject({
      status: 'failed',
      failure: { code: 'invalid_configuration', hint: expect.stringContaining('embedding=') },
    })
    expect(world().requests).toHaveLength(0)
  })

  it('fails where the service gives no vectors, and tries again as often as it may', async () => {
    const named = { model: 'openai-compatible:vectors', text: 'abc' }
    world().says({ json: {} })
    const once = await world().run(oneNode('llm.embed', named))
    expect(once.result).toMatchObject({ status: 'failed', failure: { code: 'model_failed' } })
    world().answers((seen) => (seen.number <= 4 ? { status: 503 } : lengths(seen)))
    const { r } = await world().state('llm.embed', { ...named, max_retries: 1 })
    expect(r).toMatchObject({ embedding: [3, 0.5] })
  })

  it('wants a text, and no file of a model', async () => {
    for (const params of [{}, { text: 'a', model_path: 'x.gguf' }])
      await expect(world().parse(oneNode('llm.embed', params))).rejects.toThrow(/text|files/)
  })
})
