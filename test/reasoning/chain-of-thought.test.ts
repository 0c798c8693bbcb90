import { describe, expect, it } from 'vitest'
import { createExtractiveModel } from '../../src/extractive/extractive-model.ts'
import type { Json } from '../../src/kernel/index.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import {
  type CotInput,
  chainOfThought,
  formatCotPrompt,
} from '../../src/reasoning/chain-of-thought.ts'
import { toTraceList, traceLine } from '../../src/reasoning/trace.ts'
import type { ScriptedReply } from '../../src/testing/index.ts'
import { useHttpModel } from '../kernel/http-model.ts'
import { type Body, useRuns } from '../kernel/runs.ts'

const current = useRuns()
const model = useHttpModel()

const thinking = (input: Partial<CotInput> = {}): Body => {
  return async (context) =>
    (await chainOfThought(context, { problem: 'How far?', ...input })) as unknown as Json
}

function saying(...replies: ScriptedReply[]): void {
  model.script = () => replies[model.server.requests.length - 1] ?? { text: 'nothing more' }
}

const run = (body: Body) => current().start(body, { models: model.source() })

describe('chainOfThought', () => {
  it('gives thinking and answer of a model that answers in JSON', async () => {
    saying({ json: { thinking: 'Step 1: convert.', answer: 42 } })
    expect(await run(thinking())).toMatchObject({
      thinking: 'Step 1: convert.',
      answer: 42,
      model: 'openai-compatible:scripted',
      thinkingFormat: 'step_by_step',
      trace: {
        actionType: 'cot',
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        entries: [{ step: 1, kind: 'think', data: { answer: 42 } }],
      },
    })
    expect(model.server.requests).toHaveLength(1)
    expect(model.server.requests[0]?.body.temperature).toBe(0.7)
  })

  it('shows the model all examples', async () => {
    saying({ json: { thinking: 't', answer: 'a' } })
    const fewShotExamples = ['one', 'two', 'three'].map((word) => ({
      problem: `problem ${word}`,
      thinking: `thinking ${word}`,
      answer: `answer ${word}`,
    }))
    await run(thinking({ fewShotExamples, thinkingFormat: 'tree' }))
    const [seen] = model.server.requests
    expect(seen?.system).toBe(
      formatCotPrompt({ problem: '', thinkingFormat: 'tree', fewShotExamples }).system,
    )
    for (const word of ['one', 'two', 'three'])
      for (const part of ['problem', 'thinking', 'answer'])
        expect(seen?.system).toContain(`${part} ${word}`)
    expect(seen?.lastText).toBe('Problem: How far?')
  })

  it('takes thoughts in tags and the answer behind them', async () => {
    saying({
      text: '<thinking>\nIt is {"thinking": "a draft", "answer": 1}\n</thinking>\nAnswer: 42',
    })
    const result = (await run(thinking())) as { thinking: string }
    expect(result.thinking).toContain('draft')
    expect(model.server.requests).toHaveLength(1)
  })

  it('takes the answer in JSON, whatever draft of it stands in thoughts before', async () => {
    const draft = '<think>{"thinking": "draft", "answer": 1}</think>'
    saying({ text: `${draft}\n{"thinking": "clean", "answer": 2}` })
    expect(await run(thinking())).toMatchObject({ thinking: 'clean', answer: 2 })
  })

  it('asks once more, with the reason, where an answer has no usable form', async () => {
    saying({ text: 'random garbage' }, { json: { thinking: 't', answer: 'a' } })
    expect(await run(thinking())).toMatchObject({ answer: 'a' })
    expect(model.server.requests[1]?.lastText).toContain('There is no JSON object in the text.')
  })

  it('fails with the raw text where the second answer has none either', async () => {
    saying({ text: 'random garbage' }, { text: `more garbage ${'x'.repeat(600)}` })
    await expect(run(thinking())).rejects.toMatchObject({
      code: 'model_output_malformed',
      message: expect.stringContaining('more garbage'),
      details: { text: expect.stringMatching(/^more garbage x{487}$/) },
    })
  })

  it('asks once more for what was cut off, and takes it where it is cut off again', async () => {
    const cut = (text: string): ScriptedReply => ({ text, finishReason: 'length' })
    saying(cut('{"thinking": "t", "answer": "ab'), cut('{"thinking": "t", "answer": "abc'))
    expect(await run(thinking())).toMatchObject({ answer: 'abc' })
    expect(model.server.requests).toHaveLength(2)
  })

  it('takes what was cut off at first where nothing better comes', async () => {
    saying({ text: '{"thinking": "t", "answer": "ab' }, { text: 'Sorry.' })
    expect(await run(thinking())).toMatchObject({ answer: 'ab' })
  })

  it('calls the model of a name', async () => {
    saying({ json: { thinking: 't', answer: 'a' } })
    const named = thinking({ model: 'openai-compatible:thinker', temperature: 0.1 })
    expect(await run(named)).toMatchObject({ model: 'openai-compatible:thinker' })
    expect(model.server.requests[0]).toMatchObject({ model: 'thinker', body: { temperature: 0.1 } })
  })

  it('says so where no language model is named', async () => {
    const models = createModelSource({
      choices: {},
      environment: {},
      builtIn: { extractive: async () => createExtractiveModel() },
    })
    await expect(current().start(thinking(), { models })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('needs a language model'),
      hint: expect.stringContaining('--model'),
    })
  })

  it('leaves the failure of a service to the caller, typed', async () => {
    model.script = () => ({ status: 400 })
    await expect(run(thinking())).rejects.toMatchObject({ code: 'model_failed' })
  })

  it('gives the same in a replay, trace and times included, and tells it again', async () => {
    saying({ json: { thinking: 't', answer: 'a' } })
    const lines: string[] = []
    const body = thinking({ onEntry: (entry) => void lines.push(traceLine(entry)) })
    const live = (await run(body)) as unknown as Awaited<ReturnType<typeof chainOfThought>>
    current().clock.advance(1_000_000)
    const replay = await current().replay(body, { models: model.source() })
    expect(replay.result.value).toEqual(live)
    expect(replay.unclaimed).toEqual([])
    expect(model.server.requests).toHaveLength(1)
    expect(lines[1]).toBe(lines[0])
    expect(JSON.parse(lines[0] ?? '')).toEqual(toTraceList(live.trace)[0])
    expect(live.trace.startMs).toBeLessThan(live.trace.endMs)
  })
})
