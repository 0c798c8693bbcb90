import { describe, expect, it } from 'vitest'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { useRuns } from '../../../test/kernel/runs.ts'
import { createModelSource } from '../../models/model-source.ts'
import { FaultStore, type ModelRequestSeen, type ScriptedReply } from '../../testing/index.ts'
import type { Json } from '../json.ts'
import { sumAccounts } from '../run/accounts.ts'
import type { RunContext } from '../run/run-context.ts'
import { callEmbedding, type EmbeddingOptions } from './embed-call.ts'
import type { EmbeddingBinding } from './model.ts'

const current = useRuns()
const model = useHttpModel()

const key = 'sk-embedding-0123456789'

function binding(settings: { readonly timeoutMs?: number } = {}): EmbeddingBinding {
  const name = 'openai-compatible:vectors'
  const source = createModelSource({
    choices: { embedding: { name, ...settings } },
    environment: { OPENAI_BASE_URL: model.server.url, OPENAI_API_KEY: key },
    prices: { [name]: { inputUsdPerMTok: 2, outputUsdPerMTok: 0 } },
    builtIn: {},
  })
  return source.forEmbedding?.() as EmbeddingBinding
}

/** A vector that tells the text that it is of. */
const vectorOf = (text: string) => [Number(text.replace('text ', '')), 0.25]
const embed = ({ texts }: ModelRequestSeen): ScriptedReply => ({ vectors: texts.map(vectorOf) })
const textsOf = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`)
const asking =
  (texts: readonly string[], options?: EmbeddingOptions, bound = binding()) =>
  async (context: RunContext): Promise<Json> => {
    const { vectors, dimensions, usage } = await callEmbedding(context, 'e', bound, texts, options)
    return { vectors, dimensions, usage }
  }

async function accounts() {
  return sumAccounts(current().store.events('run', { withOutput: false }))
}

describe('callEmbedding', () => {
  it('gives the vectors in the order of the texts, over several requests', async () => {
    model.script = embed
    const texts = textsOf(200)
    const value = await current().start(asking(texts))
    expect(value).toMatchObject({ vectors: texts.map(vectorOf), dimensions: 2 })
    expect(model.server.requests.map((seen) => seen.texts.length)).toEqual([96, 96, 8])
    expect(model.server.requests[0]?.body).toMatchObject({ model: 'vectors' })
  })

  it('sends no more bytes at once than services take', async () => {
    model.script = ({ texts }) => ({ vectors: texts.map(() => [1]) })
    await current().start(asking(Array.from({ length: 5 }, () => 'ä'.repeat(50_000))))
    expect(model.server.requests.map(({ texts }) => texts.length)).toEqual([2, 2, 1])
  })

  it('asks nobody for the vectors of no texts', async () => {
    expect(await current().start(asking([]))).toMatchObject({ vectors: [], dimensions: 0 })
    expect(model.server.requests).toHaveLength(0)
  })

  it('counts what the service says, apart from the tokens of prompts', async () => {
    model.script = ({ texts }) => ({ vectors: texts.map(() => [1]), tokens: 500 })
    expect(await current().start(asking(textsOf(97)))).toMatchObject({
      usage: { inputTokens: 1_000, costUsd: 0.002 },
    })
    expect(await accounts()).toMatchObject({
      embeddingTokens: 1_000,
      inputTokens: 0,
      modelCalls: 2,
      costUsd: 0.002,
    })
  })

  it('counts the upper bound where the service tells nothing', async () => {
    model.script = () => ({ vectors: [[1]], tokens: null })
    await current().start(asking(['abcd']))
    expect((await accounts()).embeddingTokens).toBeGreaterThanOrEqual(4)
  })

  it('asks for fewer dimensions, and does not take others', async () => {
    model.script = () => ({ vectors: [[1, 2]] })
    await current().start(asking(['a'], { dimensions: 2 }))
    expect(model.server.requests[0]?.body).toMatchObject({ dimensions: 2 })
  })

  it('tries again after a refusal for a while', async () => {
    model.script = (seen) => (seen.number === 1 ? { status: 429 } : embed(seen))
    expect(await current().start(asking(['text 7']))).toMatchObject({ vectors: [[7, 0.25]] })
    expect(model.server.requests).toHaveLength(2)
    // What was refused was not billed.
    expect(await accounts()).toMatchObject({ modelCalls: 1, embeddingTokens: 2 })
  })

  it('says who did not answer in time, and tries three times', async () => {
    model.script = () => ({ hang: true })
    const run = current().start(asking(['a'], {}, binding({ timeoutMs: 400 })))
    await expect(run).rejects.toMatchObject({
      code: 'model_unavailable',
      details: { reason: 'timed_out' },
    })
    expect(model.server.requests).toHaveLength(3)
  })

  it('breaks off with its run', async () => {
    const interruption = new AbortController()
    model.script = () => {
      interruption.abort()
      return { hang: true }
    }
    const run = current().start(asking(['text 1']), { signal: interruption.signal })
    await expect(run).rejects.toMatchObject({ code: 'cancelled' })
    model.script = embed
    expect(await current().resume(asking(['text 1']))).toMatchObject({ vectors: [[1, 0.25]] })
  })

  it.each<[string, ScriptedReply, EmbeddingOptions?]>([
    ['too few vectors', { vectors: [[1]] }],
    ['too many vectors', { vectors: [[1], [2], [3]] }],
    ['vectors of two lengths', { vectors: [[1], [2, 3]] }],
    ['empty vectors', { vectors: [[], []] }],
    ['other dimensions than asked for', { vectors: [[1], [2]] }, { dimensions: 2 }],
  ])('refuses %s, asks no more and counts them', async (_, reply, options) => {
    model.script = () => reply
    const run = current().start(asking(['a', 'b'], options))
    await expect(run).rejects.toMatchObject({ code: 'model_output_malformed' })
    expect(model.server.requests).toHaveLength(1)
    expect((await accounts()).embeddingTokens).toBe(1)
  })

  it('refuses a batch whose vectors have another length than those before', async () => {
    model.script = ({ number, texts }) => ({ vectors: texts.map(() => Array(number).fill(1)) })
    const run = current().start(asking(textsOf(97)))
    await expect(run).rejects.toMatchObject({ code: 'model_output_malformed' })
  })

  it('does not ask where a limit could be passed', async () => {
    model.script = embed
    const run = current().start(asking(['text 1 and much more']), { limits: { maxTokens: 10 } })
    await expect(run).rejects.toMatchObject({ code: 'limit_reached' })
    expect(model.server.requests).toHaveLength(0)
    expect((await current().log()).filter((line) => line.startsWith('step.'))).toEqual([])
  })

  it('stops between requests at a limit', async () => {
    model.script = ({ texts }) => ({ vectors: texts.map(() => [1]), tokens: 1_000 })
    const limits = { maxTokens: 2_400 }
    const run = current().start(asking(textsOf(192)), { limits })
    await expect(run).rejects.toMatchObject({ code: 'limit_reached' })
    expect(model.server.requests).toHaveLength(1)
    expect((await accounts()).embeddingTokens).toBe(1_000)
  })

  it('pays nothing twice when it dies between requests', async () => {
    model.script = embed
    const texts = textsOf(192)
    // The start of the run, the start and end of the first request, the start of the second.
    const store = new FaultStore(current().store, { event: 4, when: 'before' })
    await expect(current().start(asking(texts), { store })).rejects.toThrow()
    expect(model.server.requests).toHaveLength(1)
    expect(await current().resume(asking(texts))).toMatchObject({ vectors: texts.map(vectorOf) })
    expect([...model.server.answered.values()]).toEqual([1, 1])
  })

  it('pays no finished request again after a refusal', async () => {
    model.script = (seen) => (seen.number === 2 ? { status: 401 } : embed(seen))
    const texts = textsOf(192)
    await expect(current().start(asking(texts))).rejects.toMatchObject({
      details: { reason: 'key_refused' },
    })
    expect(await current().resume(asking(texts))).toMatchObject({ vectors: texts.map(vectorOf) })
    expect(model.server.requests.map((seen) => seen.texts[0])).toEqual([
      'text 0',
      'text 96',
      'text 96',
    ])
    expect([...model.server.answered.values()]).toEqual([1, 1])
  })

  it('gives the same in a replay, and asks nobody', async () => {
    model.script = ({ texts }) => ({ vectors: texts.map(() => [0.1234567891234, -1 / 3]) })
    const texts = textsOf(3)
    const value = await current().start(asking(texts))
    const [first] = (value as unknown as { vectors: readonly number[][] }).vectors
    expect(first?.map(Math.fround)).toEqual([0.1234567891234, -1 / 3].map(Math.fround))
    expect((await current().replay(asking(texts))).result.value).toEqual(value)
    expect(model.server.requests).toHaveLength(1)
  })

  it('notices other texts, another model and other dimensions', async () => {
    model.script = embed
    await current().start(asking(['text 1']))
    for (const changed of [asking(['text 2']), asking(['text 1'], { dimensions: 2 })])
      await expect(current().replay(changed)).rejects.toMatchObject({ code: 'step_changed' })
  })

  it('sends the key, and never writes it', async () => {
    model.script = ({ number }) =>
      number === 1
        ? { status: 400, body: { error: { message: `bad key ${key}` } } }
        : { vectors: [[1]] }
    await expect(current().start(asking(['a']), { secrets: [key] })).rejects.toThrow()
    expect(model.server.requests[0]?.apiKey).toBe(key)
    const events = JSON.stringify(await current().events())
    expect(events).toContain('bad key')
    expect(events).not.toContain(key)
  })
})
